//! `foglight attack search`: plans that take the king of an agent.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    path::PathBuf,
    sync::atomic::AtomicBool,
};

use clap::Args;
use foglight_arena::{
    attack::{
        AttackCount, AttackPlan, AttackRow, FoundPlans, PlanSearches, PlanStep, VariantSearch,
        read_plans,
    },
    journal,
    tournament::MatchEntrant,
};
use foglight_play::{rng, seeded};
use foglight_rules::{Color, Game, Move, Position};
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::json;

use super::{
    count::{EndOptions, failure, read_file, with_baselines},
    engine::{EngineOptions, hands},
    table::{progress, write_table},
};
use crate::{
    commands::{
        cluster::{ClusterArgs, Hands},
        matches::interrupt_flag,
    },
    failure::CliError,
    files,
    options::{GameOptions, SideName},
};

/// Plays all plans of --depth moves against an agent with a fixed seed, which is
/// asked once for each history of its observations, and counts those that take
/// its king with most seeds on fresh ones. With --variants it goes on with longer
/// plans, of which those survive that score most. The agent's answers must depend
/// on its seed and its observations alone: a limit in nodes, and one thread.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight attack search --agent foglight:nodes=20000 --side white --depth 2\n  foglight attack search --agent foglight:nodes=10000 --from games.jsonl --positions 8"
)]
pub(super) struct Search {
    #[command(flatten)]
    engine: EngineOptions,

    /// The attacker [default: both sides in turn]
    #[arg(long, value_enum)]
    side: Option<SideName>,

    /// Moves of a plan, before it takes the king
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    depth: u8,

    /// Seeds of the agent to search against
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,

    /// Also search from positions of the games of this journal
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Number of these positions, drawn at random from every 4th ply
    #[arg(long, default_value_t = 8, requires = "from")]
    positions: usize,

    /// Plies of a game from which positions are drawn
    #[arg(long, default_value_t = 40, requires = "from")]
    plies: usize,

    /// Go on with this many longer plans by successive halving over games: variants
    /// of the plans found, of those of --plans, and of plans to which the agent
    /// answered for certain
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    variants: u32,

    /// Most steps of a variant
    #[arg(long, default_value_t = 6)]
    steps: usize,

    /// Known plans to vary
    #[arg(long, value_name = "FILE", requires = "variants")]
    plans: Option<PathBuf>,

    /// Plans to count on fresh seeds, those found with most seeds first
    #[arg(long, default_value_t = 10)]
    keep: usize,

    /// Fresh games of each
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    #[command(flatten)]
    end: EndOptions,

    /// Append to this file the counted plans that it does not hold, and that took a
    /// king or scored more than the engine by itself
    #[arg(long, value_name = "FILE")]
    append: Option<PathBuf>,

    /// Full moves after which a game is drawn
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,

    /// Searches or games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    concurrency: u64,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Seed of all
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    game: GameOptions,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// One in this many of the first plans of a halving is one to which the agent
/// answered for certain.
const CERTAIN: usize = 4;

/// Plies between two positions of a game.
const EVERY: usize = 4;

/// One search: a side, a start, and the number of a seed.
type Unit = (Color, Position, u64);

/// Totals of all searches, and for each plan the number of its seeds.
#[derive(Default)]
struct Catch {
    histories: u64,
    searches: u64,
    plans: Vec<(AttackPlan, u64)>,
    /// Plans to which the agent answered for certain.
    certain: Vec<AttackPlan>,
}

/// Runs all searches.
fn search(
    searches: &PlanSearches,
    hands: &Hands,
    stop: &AtomicBool,
) -> Result<BTreeMap<u64, FoundPlans>, CliError> {
    let all = searches.units.len() as u64;
    let bar = progress(all, 0, "searches");
    let mut found = BTreeMap::new();
    hands.each(searches, 0..all, stop, |unit, plans| {
        found.insert(unit, plans.map_err(failure)?);
        if let Some(bar) = &bar {
            bar.inc(1);
        }
        Ok(())
    })?;
    Ok(found)
}

impl Search {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let game = self.game.game()?;
        let engine = self.engine.entrant(game)?;
        let starts = self.starts(&game)?;
        let stop = interrupt_flag()?;
        let mut units = Vec::new();
        for start in &starts {
            for side in self.sides() {
                let seeds = 0..self.seeds;
                units.extend(seeds.map(|seed| (side, *start, rng::derive(self.seed, seed))));
            }
        }
        let hands = hands(&self.cluster, self.concurrency, &engine, game)?;
        let searches = PlanSearches {
            game,
            engine,
            depth: usize::from(self.depth),
            units,
        };
        let found = search(&searches, &hands, &stop)?;
        let PlanSearches { engine, units, .. } = searches;
        let caught = self.collect(&engine, &units, found);
        let best = caught.plans.iter().take(self.keep);
        let mut count = AttackCount {
            game,
            plans: best.map(|(plan, _)| plan.clone()).collect(),
            engine,
            games: self.games,
            seed: rng::derive(self.seed, u64::MAX),
            end: self.end.end(),
            max_moves: Some(self.max_moves),
            concurrency: self.concurrency as usize,
        };
        if self.variants > 0 {
            count.plans = self.longer(&hands, &mut count, &caught, &starts, &stop)?;
        }
        count.plans = with_baselines(count.plans, count.end);
        let bar = progress(count.len(), 0, "games");
        let rows = count.run_on(&hands, None, Vec::new(), &stop, |_| {
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        });
        let rows = rows.map_err(failure)?;
        self.append(&count, &rows)?;
        self.print(&count, &caught, ranked(rows))?;
        hands.end()
    }

    fn sides(&self) -> Vec<Color> {
        match self.side {
            Some(side) => vec![side.into()],
            None => Color::ALL.to_vec(),
        }
    }

    /// The usual start, and positions of the journal.
    fn starts(&self, game: &Game) -> Result<Vec<Position>, CliError> {
        let mut starts = vec![game.start()];
        let Some(path) = &self.from else {
            return Ok(starts);
        };
        let mut drawn: Vec<Position> = Vec::new();
        for record in journal::read(path).map_err(CliError::input)? {
            let states = record.record.states().map_err(CliError::input)?;
            let open = states.iter().filter(|state| state.outcome().is_none());
            let positions = open.take(self.plies).step_by(EVERY).skip(1);
            drawn.extend(positions.map(|state| *state.position()));
        }
        drawn.shuffle(&mut seeded(self.seed));
        drawn.truncate(self.positions);
        starts.extend(drawn);
        Ok(starts)
    }

    /// The plans of all searches, those found with most seeds first, then the
    /// shorter ones.
    fn collect(
        &self,
        engine: &MatchEntrant,
        units: &[Unit],
        found: BTreeMap<u64, FoundPlans>,
    ) -> Catch {
        let mut caught = Catch::default();
        let mut seeds: BTreeMap<(usize, Vec<Move>), u64> = BTreeMap::new();
        let mut certain: BTreeSet<(usize, Vec<Move>)> = BTreeSet::new();
        for (i, found) in found {
            caught.histories += found.histories;
            caught.searches += found.searches;
            let first = (i - i % self.seeds) as usize;
            for plan in found.plans {
                *seeds.entry((first, plan)).or_default() += 1;
            }
            certain.extend(found.certain.into_iter().map(|plan| (first, plan)));
        }
        let plan = |(unit, moves): (usize, Vec<Move>)| {
            let (side, start, _) = units[unit];
            let steps = moves.into_iter().map(PlanStep::of).collect();
            let engine = engine.named();
            let source = format!("search to {} moves against {}", self.depth, engine.agent);
            AttackPlan {
                side,
                start,
                steps,
                source: format!("{source} {}", engine.limits).trim().to_owned(),
            }
        };
        let found = seeds.into_iter();
        caught.plans = found.map(|(key, seeds)| (plan(key), seeds)).collect();
        caught.certain = certain.into_iter().map(plan).collect();
        let order = |(plan, seeds): &(AttackPlan, u64)| (u64::MAX - seeds, plan.steps.len());
        caught.plans.sort_by_key(order);
        caught
    }

    /// The best plans by successive halving, from the plans found, those of the
    /// file, some to which the agent answered for certain, and playing nothing.
    fn longer(
        &self,
        hands: &Hands,
        count: &mut AttackCount,
        caught: &Catch,
        starts: &[Position],
        stop: &AtomicBool,
    ) -> Result<Vec<AttackPlan>, CliError> {
        let before = (count.games, count.seed, count.end);
        let sides = self.sides();
        for side in &sides {
            let alone = |start: &Position| AttackPlan::by_itself(*side, *start);
            count.plans.extend(starts.iter().map(alone));
        }
        if let Some(path) = &self.plans {
            let known = read_file(&count.game, path)?.into_iter();
            count
                .plans
                .extend(known.filter(|plan| sides.contains(&plan.side)));
        }
        let mut rng = seeded(rng::derive(count.seed, 2));
        let some = self.variants as usize / CERTAIN;
        let some = caught.certain.choose_multiple(&mut rng, some);
        count.plans.extend(some.cloned());
        let search = VariantSearch {
            variants: self.variants as usize,
            keep: self.keep,
            steps: self.steps,
            games: 2,
        };
        count.seed = rng::derive(count.seed, 1);
        let best = search.run_on(hands, count, stop, |_| {}).map_err(failure)?;
        (count.games, count.seed, count.end) = before;
        Ok(best.into_iter().map(|(plan, _)| plan).collect())
    }

    fn append(&self, count: &AttackCount, rows: &[AttackRow]) -> Result<(), CliError> {
        let Some(path) = &self.append else {
            return Ok(());
        };
        let known = match path.exists() {
            true => read_plans(&count.game, &files::read_text(path)?).map_err(CliError::input)?,
            false => Vec::new(),
        };
        let mut file = files::append(path)?;
        for (plan, row) in count.plans.iter().zip(rows) {
            let alone = |other: &&AttackRow| {
                other.plan.is_empty() && (other.side, &other.start) == (row.side, &row.start)
            };
            let alone = rows.iter().find(alone).and_then(|row| row.score);
            let gains = alone.is_some_and(|alone| row.score_interval.low > alone);
            let known = known.iter().any(|other| other.is_like(plan));
            if row.plan.is_empty() || known || !(row.kings > 0 || gains) {
                continue;
            }
            let line = plan.line(&count.game);
            write!(file, "{line}, {} of {} kings", row.kings, row.games)?;
            match row.score {
                Some(score) => writeln!(file, ", score {:.1} %", 100.0 * score)?,
                None => writeln!(file)?,
            }
        }
        Ok(())
    }

    fn print(
        &self,
        count: &AttackCount,
        caught: &Catch,
        rows: Vec<AttackRow>,
    ) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            let plans = caught
                .plans
                .iter()
                .map(|(plan, seeds)| json!({"plan": plan.line(&count.game), "seeds": seeds}));
            let answer = json!({
                "agent": count.engine.named().agent,
                "depth": self.depth,
                "seeds": self.seeds,
                "histories": caught.histories,
                "searches": caught.searches,
                "found": plans.collect::<Vec<_>>(),
                "rows": rows,
            });
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        writeln!(
            out,
            "{} plans took the king; asked for {} histories, {} times",
            caught.plans.len(),
            caught.histories,
            caught.searches
        )?;
        for (plan, seeds) in caught.plans.iter().take(self.keep) {
            let side = plan.side.fold_wb("white", "black");
            writeln!(out, "{side} {plan}: {seeds} of {} seeds", self.seeds)?;
        }
        if !rows.is_empty() {
            writeln!(out, "\nOn fresh seeds:")?;
            write_table(&mut out, &count.engine.named().agent, &rows)?;
        }
        Ok(())
    }
}

/// The engine by itself first, then the plans that score most, then those that take
/// the king most often.
fn ranked(mut rows: Vec<AttackRow>) -> Vec<AttackRow> {
    rows.sort_by(|one, other| {
        let by_itself = other.plan.is_empty().cmp(&one.plan.is_empty());
        let score = |row: &AttackRow| row.score.unwrap_or_default();
        let most = score(other).total_cmp(&score(one));
        by_itself.then(most).then(other.kings.cmp(&one.kings))
    });
    rows
}
