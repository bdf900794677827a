//! Speed of the arena: games per second, and the overhead of a move through a
//! pipe.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use foglight_arena::{
    journal::Journal,
    schedule::{Format, SchedulePlan, Shard},
    tournament::{MatchEntrant, Tournament},
};
use foglight_engine::registry;
use foglight_play::{Budget, InProcess, Limits, Player as _, Providers, Session, session::Next};
use foglight_rules::{Action, Color, Game};
use foglight_uci::client::{EngineConfig, UciEngine};

/// Pairs of random games measured.
const PAIRS: u64 = 40_000;

/// Moves through a pipe measured.
const MOVES: usize = 2_000;

fn main() -> anyhow::Result<()> {
    let games = games_a_second()?;
    let overhead = median_overhead()?;
    println!("random v random in fog, refereed and journalled, two threads");
    println!("    {games:.0} games a second (target: 20000)");
    println!("a move of an external engine, beyond its own time, median");
    println!("    {:.3} ms (target: 1)", 1000.0 * overhead.as_secs_f64());
    Ok(())
}

/// Random fog games on two threads, with a journal on disk.
fn games_a_second() -> anyhow::Result<f64> {
    let game = Game::fog();
    let contestant = |name: &str| MatchEntrant {
        name: name.to_owned(),
        agent: "random".to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || {
            let spec = "random".parse().expect("a spec of this file");
            let agent = registry::build(&spec, &game, &Providers::default());
            Ok(Box::new(InProcess(Box::new(
                agent.expect("an agent of this file"),
            ))))
        }),
        reusable: false,
    };
    let tournament = Tournament {
        game,
        contestants: vec![contestant("A"), contestant("B")],
        plan: SchedulePlan {
            contestants: 2,
            format: Format::RoundRobin,
            rounds: PAIRS,
            games: 2,
            repeat: true,
            starts: vec![game.start()],
            seed: 1,
        },
        shard: Shard::WHOLE,
        concurrency: 2,
        max_moves: None,
        sprt: None,
        recover: false,
        announce: false,
        time_scale: 1.0,
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.jsonl");
    let journal = Journal::create(&path)?;
    let began = Instant::now();
    let never = AtomicBool::new(false);
    let tally = tournament.run(Some(journal), Vec::new(), &never, |_| {})?;
    Ok(tally.games() as f64 / began.elapsed().as_secs_f64())
}

/// Median time of a move of the built program as an external engine that plays
/// at random, which itself takes no time.
fn median_overhead() -> anyhow::Result<Duration> {
    let game = Game::fog();
    let launch = EngineConfig {
        command: env!("CARGO_BIN_EXE_foglight").to_owned(),
        args: ["uci", "--agent", "random"].map(str::to_owned).to_vec(),
        ..EngineConfig::default()
    };
    let mut engine = UciEngine::launch(&launch)?;
    let mut times = Vec::with_capacity(MOVES);
    while times.len() < MOVES {
        let mut session = Session::new(game, game.start(), None);
        for side in Color::ALL {
            engine.start(&game, &game.start(), side, 1)?;
        }
        while let (Next::Ask(side), true) = (session.next(), times.len() < MOVES) {
            let observation = session.observation(side);
            let m = if side == Color::Black {
                let began = Instant::now();
                let answer = engine.act(observation, &Budget::nodes(1), None);
                times.push(began.elapsed());
                answer?.m
            } else {
                observation.legal_moves()[times.len() % observation.legal_moves().len()]
            };
            session.apply(Action::Move(m));
            engine.see(session.observation(Color::Black))?;
        }
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}
