//! `foglight verify review`: named mistakes and blunders before a stronger judge.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::Arc,
};

use anyhow::anyhow;
use clap::Args;
use foglight_arena::{
    queue::{JsonWork, Work},
    record::GameText,
    remote::agent_repeats,
};
use foglight_engine::{
    eval::value_of,
    registry,
    review::{self, MoveClass, MoveReview, ReviewSettings},
};
use foglight_play::{
    Agent, Analyser, AnalysisLimit, GameConfig, Limits, Session, Spec, rng::derive,
    session::play_agents,
};
use foglight_rules::{ByColor, Color, Game, Record, State};
use foglight_uci::MONOTONIC;
use serde::{Deserialize, Serialize};

use crate::{
    commands::{
        cluster::{ClusterArgs, Hands, Host, Listed},
        matches::interrupt_flag,
    },
    failure::CliError,
    options::GameOptions,
};

/// Reviews games between agents at the budget of the web app, and puts every
/// named mistake and blunder before a stronger judge: Stockfish in chess, in fog
/// the same review with ten times the nodes and other positions drawn. The judge
/// denies a fault that to it is not even an inaccuracy.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight verify review --game chess --games 10 --depth 12\n  foglight verify review --game fog --games 2 --json"
)]
pub(super) struct VerifyReview {
    #[command(flatten)]
    game: GameOptions,

    /// Games, distributed over all pairs of the agents
    #[arg(long, default_value_t = 10)]
    games: u64,

    /// Number of the first game, to verify in parts
    #[arg(long, default_value_t = 0)]
    first: u64,

    /// The agents; node budgets repeat exactly. By default greedy, and in chess
    /// classic at 100 and 2,000 nodes, in fog thesis and pbsa
    #[arg(long, value_delimiter = ' ')]
    agents: Vec<String>,

    /// Depth of Stockfish
    #[arg(long, default_value_t = 12)]
    depth: u32,

    /// Full moves after which a game is abandoned
    #[arg(long, default_value_t = 60)]
    maxmoves: u32,

    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the reviews follow from.
#[derive(Serialize, Deserialize)]
pub(in crate::commands) struct ReviewOptions {
    game: GameText,
    agents: Vec<String>,
    depth: u32,
    maxmoves: u32,
    seed: u64,
}

/// Games to be played, reviewed and judged.
pub(in crate::commands) struct ReviewGames {
    options: ReviewOptions,
    game: Game,
    specs: Vec<Spec>,
    host: Host,
}

impl Listed for ReviewGames {
    fn open(options: ReviewOptions, host: Host) -> Result<ReviewGames, CliError> {
        let game = options.game.read().map_err(CliError::input)?;
        Judge::of(&game, &options, &host)?;
        let specs = options.agents.iter().map(|agent| host.spec(agent, &game));
        Ok(ReviewGames {
            game,
            specs: specs.collect::<Result<_, _>>()?,
            options,
            host,
        })
    }
}

impl JsonWork for ReviewGames {
    const KIND: &'static str = "verify review";
    type Options = ReviewOptions;

    fn options(&self) -> &ReviewOptions {
        &self.options
    }

    /// Stockfish keeps tables from game to game.
    fn repeats(&self) -> bool {
        let limits = Limits::default();
        let all = self.specs.iter().all(|spec| agent_repeats(spec, &limits));
        all && self.game.fog_rules().is_some()
    }

    fn same(&self, one: &Reviewed, other: &Reviewed) -> bool {
        one == other
    }
}

/// Counts of a game, or why the judge failed.
type Reviewed = Result<ReviewTally, String>;

impl Work for ReviewGames {
    type Output = Reviewed;
    type Tools = Option<Judge>;

    fn tools(&self) -> Option<Judge> {
        None
    }

    fn do_item(
        &self,
        item: u64,
        judge: &mut Option<Judge>,
        _: &dyn Fn() -> bool,
    ) -> Option<Reviewed> {
        let reviewed = self.review(item, judge);
        Some(reviewed.map_err(|error| error.to_string()))
    }
}

impl ReviewGames {
    fn review(&self, item: u64, judge: &mut Option<Judge>) -> Result<ReviewTally, CliError> {
        if judge.is_none() {
            *judge = Some(Judge::of(&self.game, &self.options, &self.host)?);
        }
        let judge = judge.as_ref().expect("it was started");
        let record = self.play(item);
        let mut tally = ReviewTally {
            games: 1,
            ..ReviewTally::default()
        };
        for side in Color::ALL {
            judge_side(&record, side, item, judge, &mut tally)?;
        }
        Ok(tally)
    }

    /// The game with this number: every agent meets every other, and itself,
    /// with both colours.
    fn play(&self, number: u64) -> Record {
        let (game, n) = (&self.game, self.specs.len() as u64);
        let [mut white, mut black] = [number / n % n, number % n].map(|i| {
            let built = registry::build(&self.specs[i as usize], game, self.host.providers());
            built.expect("a spec that was built before")
        });
        let seed = |i| derive(self.options.seed, 2 * number + i);
        let config = GameConfig {
            agent_seeds: ByColor {
                white: seed(0),
                black: seed(1),
            },
            time: MONOTONIC,
            ..GameConfig::new(*game, game.start(), self.options.seed, 0)
        };
        let plies = Some(2 * self.options.maxmoves);
        let session = Session::new(*game, game.start(), plies);
        let agents: ByColor<&mut dyn Agent> = ByColor {
            white: &mut white,
            black: &mut black,
        };
        play_agents(session, &config, agents, &|_| false)
    }
}

/// The judge's nodes as a multiple of the review's.
const TIMES: u64 = 10;
/// The loss from which a move is an inaccuracy.
const INACCURACY: f64 = 0.15;

/// Counts of a verification.
#[derive(Default, PartialEq, Serialize, Deserialize)]
pub(in crate::commands) struct ReviewTally {
    games: u64,
    moves: usize,
    mistakes: Named,
    blunders: Named,
    /// Reviews that lost the true position before the end of the game.
    cut_short: usize,
    denials: Vec<String>,
}

/// Faults of one class, and those that the judge denies.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Named {
    named: usize,
    denied: usize,
}

impl Named {
    fn add(&mut self, other: Named) {
        self.named += other.named;
        self.denied += other.denied;
    }
}

impl ReviewTally {
    fn add(&mut self, other: ReviewTally) {
        self.games += other.games;
        self.moves += other.moves;
        self.mistakes.add(other.mistakes);
        self.blunders.add(other.blunders);
        self.cut_short += other.cut_short;
        self.denials.extend(other.denials);
    }
}

impl VerifyReview {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let options = self.options()?;
        let games = ReviewGames::open(options, Host::here(self.cluster.url.is_some()))?;
        let files = || Ok(games.host.files());
        let title = format!("verify review of {}", games.game);
        let hands = Hands::open(&self.cluster, self.threads as usize, title, files)?;
        let mut done = BTreeMap::new();
        let all = self.first..self.first + self.games;
        hands.each(&games, all, &stop, |number, reviewed| {
            let tally = reviewed.map_err(|why| CliError::Run(anyhow!(why)))?;
            done.insert(number, tally);
            Ok(())
        })?;
        let mut tally = ReviewTally::default();
        done.into_values().for_each(|one| tally.add(one));
        self.print(&tally)
    }

    fn options(&self) -> Result<ReviewOptions, CliError> {
        let game = self.game.game()?;
        let usual: &[&str] = match game.fog_rules() {
            Some(_) => &["greedy", "thesis", "pbsa:nodes=4000"],
            None => &["greedy", "classic:nodes=100", "classic:nodes=2000"],
        };
        Ok(ReviewOptions {
            game: GameText::of(&game),
            agents: match self.agents.is_empty() {
                true => usual.iter().map(|text| (*text).to_owned()).collect(),
                false => self.agents.clone(),
            },
            depth: self.depth,
            maxmoves: self.maxmoves,
            seed: self.seed,
        })
    }

    fn print(&self, tally: &ReviewTally) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            let text = serde_json::to_string(tally).map_err(|e| CliError::Run(e.into()))?;
            writeln!(out, "{text}")?;
            return Ok(());
        }
        let ReviewTally {
            mistakes, blunders, ..
        } = tally;
        let denied = mistakes.denied + blunders.denied;
        let share = 100.0 * denied as f64 / (mistakes.named + blunders.named).max(1) as f64;
        writeln!(
            out,
            "{} games, {} moves: {} mistakes, {} denied; {} blunders, {} denied; \
             {share:.1} % of all denied; {} reviews cut short",
            tally.games,
            tally.moves,
            mistakes.named,
            mistakes.denied,
            blunders.named,
            blunders.denied,
            tally.cut_short,
        )?;
        for denial in &tally.denials {
            writeln!(out, "    {denial}")?;
        }
        Ok(())
    }
}

/// Reviews one side of a game and puts its faults before the judge.
fn judge_side(
    record: &Record,
    side: Color,
    number: u64,
    judge: &Judge,
    tally: &mut ReviewTally,
) -> Result<(), CliError> {
    let settings = ReviewSettings::default();
    let found = review::review(record, side, &settings, &mut |_, _| {});
    let found = found.expect("a played game replays");
    tally.moves += found.moves.len();
    tally.cut_short += usize::from(found.lost_at.is_some());
    let named = |m: &&MoveReview| matches!(m.class, MoveClass::Mistake | MoveClass::Blunder);
    let faults: Vec<&MoveReview> = found.moves.iter().filter(named).collect();
    let states = record.states().expect("a played game replays");
    let losses = judge.losses(record, side, &faults)?;
    for (fault, judged) in faults.into_iter().zip(losses) {
        let class = match fault.class {
            MoveClass::Blunder => &mut tally.blunders,
            _ => &mut tally.mistakes,
        };
        class.named += 1;
        if judged < INACCURACY {
            class.denied += 1;
            let best = fault.best_san.as_deref().unwrap_or("nothing");
            tally.denials.push(format!(
                "game {number}, ply {}, {} instead of {best}: {:?}, from {:.2} to {:.2} ± {:.2}, loss by the judge {judged:.2}, {}",
                fault.ply, fault.san, fault.class, fault.value, fault.after(), fault.error,
                record.game.fen(states[fault.ply as usize].position()),
            ));
        }
    }
    Ok(())
}

/// The stronger judge.
pub(in crate::commands) enum Judge {
    /// Stockfish at a depth.
    Stockfish(Arc<dyn Analyser>, u32),
    /// The review itself with [`TIMES`] the nodes.
    MoreNodes,
}

impl Judge {
    fn of(game: &Game, options: &ReviewOptions, host: &Host) -> Result<Judge, CliError> {
        if game.has_dice() {
            let text = "--game: expected chess or fog; reviews of dice games do not search";
            return Err(CliError::input(text));
        }
        if game.fog_rules().is_some() {
            return Ok(Judge::MoreNodes);
        }
        let start = host.providers().stockfish.as_ref();
        let missing =
            || CliError::input("Stockfish is not allowed here; expected -allow stockfish");
        let engine = start.ok_or_else(missing)?().map_err(|e| CliError::Run(anyhow!(e)))?;
        Ok(Judge::Stockfish(engine, options.depth))
    }

    /// The judge's loss of each fault, from 0 to 2.
    fn losses(
        &self,
        record: &Record,
        side: Color,
        faults: &[&MoveReview],
    ) -> Result<Vec<f64>, CliError> {
        match self {
            Judge::Stockfish(engine, depth) => {
                let states = record.states().expect("a played game replays");
                let loss = |fault: &&MoveReview| {
                    let ply = fault.ply as usize;
                    let best = fault.best.as_deref().map(|best| after(&states[ply], best));
                    let played = &states[ply + 1];
                    stockfish_loss(engine.as_ref(), &states[ply], played, best.as_ref(), *depth)
                };
                faults.iter().map(loss).collect()
            }
            Judge::MoreNodes => Ok(losses_with_more_nodes(record, side, faults)),
        }
    }
}

/// The losses by a review of the same moves with more nodes, on other positions of
/// the belief. A move that it does not reach keeps its loss.
fn losses_with_more_nodes(record: &Record, side: Color, faults: &[&MoveReview]) -> Vec<f64> {
    let usual = ReviewSettings::default();
    let settings = ReviewSettings {
        nodes: TIMES * usual.nodes,
        seed: usual.seed + 1,
        ..usual
    };
    let wanted = |ply| faults.iter().any(|fault| fault.ply == ply);
    let again = review::review_some(record, side, &settings, &wanted, &mut |_, _| {});
    let again = again.expect("a played game replays").moves;
    let loss = |fault: &&MoveReview| {
        let judged = again.iter().find(|m| m.ply == fault.ply);
        judged.map_or(fault.loss, |m| m.loss)
    };
    faults.iter().map(loss).collect()
}

/// The state after a legal move in UCI.
fn after(state: &State, uci: &str) -> State {
    let action = state.parse_action(uci);
    let mut next = state.clone();
    next.play_unchecked(action.expect("the best move is legal"));
    next
}

/// The loss of a move by Stockfish, on the scale of reviews: the value of the state
/// before it, or that after the named best move if that is seen to be worth more,
/// against the value after the played one.
fn stockfish_loss(
    engine: &dyn Analyser,
    before: &State,
    played: &State,
    best: Option<&State>,
    depth: u32,
) -> Result<f64, CliError> {
    let value = |state: &State| {
        let limit = AnalysisLimit::depth(depth, 1);
        let found = engine.analyse(state.game(), &[*state.position()], limit);
        let found = found.into_iter().next().flatten();
        let centipawns = found.and_then(|analysis| analysis.centipawns());
        let missing = || CliError::Run(anyhow!("Stockfish does not answer"));
        centipawns.map(value_of).ok_or_else(missing)
    };
    let side = before.position().turn();
    // By the board: that a game was abandoned says nothing of its last move.
    let made = |after: &State| match after.game().outcome(after.position()) {
        Some(outcome) => Ok(2.0 * outcome.score(side) - 1.0),
        None => value(after).map(|value| -value),
    };
    let mut top = value(before)?;
    if let Some(best) = best {
        top = top.max(made(best)?);
    }
    Ok((top - made(played)?).max(0.0))
}
