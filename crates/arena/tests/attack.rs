//! Attacks by plan: known figures, the same games on any number of threads, and
//! an attacker that knows no more than a player.

use std::sync::atomic::{AtomicBool, Ordering};

use foglight_arena::{
    attack::{
        AttackCount, AttackEnd, AttackError, AttackPlan, AttackRow, VariantSearch, read_plans,
    },
    journal::{self, Journal},
    queue::Threads,
    tournament::MatchEntrant,
};
use foglight_engine::registry;
use foglight_play::{
    Agent, Budget, InProcess, Limits, Providers, Report,
    contract::{CallLog, CheckedAgent},
};
use foglight_rules::{Action, Color, Game, Move, Observation, notation::uci};

/// Plays the first of its moves that is legal; else a pawn of the h-file or
/// whatever comes first. Every other seed prefers other moves.
struct Script {
    moves: [&'static [&'static str]; 2],
    odd: usize,
}

impl Agent for Script {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.odd = (seed % 2) as usize;
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        let legal = observation.legal_moves();
        let mut wanted = self.moves[self.odd].iter();
        let wanted = wanted.find_map(|text| uci::find(text, legal).ok());
        wanted.unwrap_or(legal[0])
    }
}

const EXPOSED: &[&str] = &["d7d5", "h7h6", "h6h5", "h5h4"];
const CLOSED: &[&str] = &["e7e6", "h7h6", "h6h5", "h5h4"];

fn scripted(moves: [&'static [&'static str]; 2]) -> MatchEntrant {
    MatchEntrant {
        name: "script".to_owned(),
        agent: "script".to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || Ok(Box::new(InProcess(Box::new(Script { moves, odd: 0 }))))),
        reusable: false,
    }
}

fn registered(spec: &str) -> MatchEntrant {
    let parsed = spec.parse().expect("a spec");
    MatchEntrant {
        name: spec.to_owned(),
        agent: spec.to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || {
            let player = registry::build(&parsed, &Game::fog(), &Providers::default());
            Ok(Box::new(InProcess(Box::new(player.expect("an agent")))))
        }),
        reusable: false,
    }
}

fn attack(engine: MatchEntrant, plans: &str) -> AttackCount {
    let game = Game::fog();
    AttackCount {
        game,
        plans: read_plans(&game, plans).expect("plans"),
        engine,
        games: 40,
        seed: 5,
        end: AttackEnd::Game,
        max_moves: Some(20),
        concurrency: 1,
    }
}

fn rows(attack: &AttackCount) -> Vec<AttackRow> {
    let run = attack.run(None, Vec::new(), &AtomicBool::new(false), |_| {});
    run.expect("no fault")
}

const DARK_PIN: &str = "white ; startpos ; c2c4 d1a4 ; x";

#[test]
fn a_plan_takes_the_king_of_whoever_opens_the_diagonal() {
    for (moves, kings) in [([EXPOSED; 2], 40), ([CLOSED; 2], 0)] {
        let row = &rows(&attack(scripted(moves), DARK_PIN))[0];
        assert_eq!((row.games, row.kings), (40, kings));
        assert!(!row.kings_interval.contains(0.5));
        assert_eq!(row.wdl.wins, kings);
    }
}

#[test]
fn seeds_decide_which_games_are_won_and_threads_do_not() {
    let mut attack = attack(scripted([EXPOSED, CLOSED]), DARK_PIN);
    let row = &rows(&attack)[0];
    assert!((10..30).contains(&row.kings), "{row:?}");
    attack.concurrency = 3;
    assert_eq!(&rows(&attack)[0], row);
    // A plan's figures do not depend on the plans beside it.
    let more = format!("white ; startpos ; e2e4 ; y\n{DARK_PIN}");
    attack.plans = read_plans(&attack.game, &more).expect("plans");
    assert_eq!(&rows(&attack)[1], row);
    attack.end = AttackEnd::Plan;
    let short = &rows(&attack)[1];
    assert_eq!((short.kings, short.score), (row.kings, None));
}

/// The king that falls after the plan is the engine's success, not the plan's.
#[test]
fn a_king_taken_after_the_plan_counts_for_the_score_only() {
    const TAKES: &[&str] = &["d1a4", "d7d5", "h7h6", "h6h5", "h5h4"];
    let row = &rows(&attack(scripted([TAKES; 2]), "white ; startpos ; c2c4 ; x"))[0];
    assert_eq!((row.kings, row.wdl.wins), (0, 0));
    let mut by_itself = attack(scripted([TAKES; 2]), DARK_PIN);
    by_itself.plans = vec![AttackPlan::by_itself(Color::White, by_itself.game.start())];
    assert_eq!(rows(&by_itself)[0].kings, 0);
}

#[test]
fn an_attack_is_resumed_from_its_journal() {
    let folder = std::env::temp_dir().join(format!("foglight-attack-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("attack.jsonl");
    let attack = AttackCount {
        games: 400,
        ..attack(scripted([EXPOSED, CLOSED]), DARK_PIN)
    };
    let (stop, mut played) = (AtomicBool::new(false), 0);
    let journal = Journal::create(&path).expect("a new file");
    let part = attack.run(Some(journal), Vec::new(), &stop, |_| {
        played += 1;
        stop.store(played >= 7, Ordering::Relaxed);
    });
    assert!(part.expect("no fault")[0].games < 400);
    let (journal, before) = Journal::resume(&path).expect("a journal");
    let whole = attack.run(Some(journal), before, &AtomicBool::new(false), |_| {});
    assert_eq!(whole.expect("no fault"), rows(&attack));
    let games = journal::read(&path).expect("a journal");
    assert_eq!(games.len(), 400);

    let other = AttackCount { seed: 6, ..attack };
    let refused = other.run(None, games, &AtomicBool::new(false), |_| {});
    assert!(matches!(refused, Err(AttackError::OtherAttack { .. })));
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Both engines get the calls of a player, with the observations of their side
/// only, and the attacker's plan is chosen from these.
#[test]
fn attackers_are_told_what_players_are_told() {
    let log = CallLog::default();
    let shared = log.clone();
    let checked = MatchEntrant {
        engine: None,
        make: Box::new(move || {
            let script = Script {
                moves: [EXPOSED, CLOSED],
                odd: 0,
            };
            let agent = CheckedAgent::new(script, &shared);
            Ok(Box::new(InProcess(Box::new(agent))))
        }),
        ..scripted([EXPOSED; 2])
    };
    let attack = attack(checked, DARK_PIN);
    rows(&attack);
    assert_eq!(log.breaches(), Vec::<String>::new());
    assert_eq!(log.games(), 80);
}

#[test]
fn agents_of_the_registry_are_attacked() {
    let attack = AttackCount {
        games: 4,
        ..attack(registered("greedy"), DARK_PIN)
    };
    let mut moves = Vec::new();
    let run = attack.run(None, Vec::new(), &AtomicBool::new(false), |game| {
        moves.push(game.record.actions[0]);
    });
    assert_eq!(run.expect("no fault")[0].games, 4);
    let c4 = uci::find("c2c4", &attack.game.legal_moves(&attack.game.start()));
    assert_eq!(moves, vec![Action::Move(c4.expect("a legal move")); 4]);
}

/// A plan that misses by one move is mended by variation.
#[test]
fn variants_of_a_plan_are_found_by_halving() {
    let mut attack = attack(
        scripted([EXPOSED, EXPOSED]),
        "white ; startpos ; c2c4 d1b3 ; x",
    );
    let search = VariantSearch {
        variants: 2000,
        keep: 3,
        steps: 4,
        games: 1,
    };
    let best = search.run_on(&Threads(1), &mut attack, &AtomicBool::new(false), |_| {});
    let best = best.expect("no fault");
    assert_eq!(best.len(), 3);
    for (plan, row) in &best {
        assert_eq!(row.kings, row.games, "{plan}");
        assert!(row.games >= 512, "{} games in the last round", row.games);
        assert!(plan.steps.len() <= 4);
    }
}

/// Thinks well of every position.
#[derive(Default)]
struct Hopeful;

impl Agent for Hopeful {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        observation.legal_moves()[0]
    }

    fn report(&self) -> Option<Report> {
        Some(Report {
            value: Some(0.5),
            ..Report::default()
        })
    }
}

/// An estimated game ends with the first move of the attacker's engine, whose own
/// value is its score; a king is a win.
#[test]
fn an_attack_may_end_with_an_estimate() {
    let mut attack = attack(scripted([EXPOSED, CLOSED]), DARK_PIN);
    attack.end = AttackEnd::Estimate;
    let row = &rows(&attack)[0];
    assert!((10..30).contains(&row.kings), "{row:?}");
    // Without a value a game that goes on counts as level.
    let score = (row.kings as f64 + 0.5 * (40 - row.kings) as f64) / 40.0;
    assert!(
        (row.score.expect("a score") - score).abs() < 1e-12,
        "{row:?}"
    );

    attack.engine.make = Box::new(|| Ok(Box::new(InProcess(Box::new(Hopeful)))));
    let mut lengths = Vec::new();
    let run = attack.run(None, Vec::new(), &AtomicBool::new(false), |game| {
        lengths.push(game.record.actions.len());
    });
    let row = &run.expect("no fault")[0];
    assert_eq!((row.kings, row.score), (0, Some(0.75)));
    assert_eq!(lengths, vec![5; 40], "two moves of the plan and one more");
}
