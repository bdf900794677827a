//! Speed of the arena: games a second, and what a move through a pipe costs.

use std::{
    io::{self, Write},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use foglight_arena::{
    journal::Journal,
    schedule::{Format, Plan, Shard},
    tournament::{Contestant, Tournament},
};
use foglight_play::Budget;
use foglight_play::{Limits, Player as _};
use foglight_rules::{Color, Game, State, Turn};
use foglight_uci::drive::{Launch, Outside};
use serde_json::json;

use crate::{commands::matches::inside, failure::Failure};

/// Pairs of random games to time.
const PAIRS: u64 = 40_000;

/// Moves through a pipe to time.
const MOVES: usize = 2_000;

/// Measures both and prints them with their bars.
pub fn run(as_json: bool) -> Result<(), Failure> {
    let games = games_a_second()?;
    let overhead = median_overhead()?;
    let mut out = io::stdout().lock();
    if as_json {
        let object = json!({"games_a_second": games, "overhead_seconds": overhead.as_secs_f64()});
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "random v random in fog, refereed and journalled, two threads"
        )?;
        writeln!(out, "    {games:.0} games a second (bar: 20000)")?;
        writeln!(
            out,
            "a move of an outside engine, beyond its own time, median"
        )?;
        writeln!(
            out,
            "    {:.3} ms (bar: 1)",
            1000.0 * overhead.as_secs_f64()
        )?;
    }
    Ok(())
}

/// Random games in fog on two threads, with a journal on disk.
fn games_a_second() -> Result<f64, Failure> {
    let game = Game::fog();
    let contestant = |name: &str| -> Result<Contestant, Failure> {
        Ok(Contestant {
            name: name.to_owned(),
            agent: "random".to_owned(),
            limits: Limits::default(),
            make: inside("random", game)?,
            reusable: false,
        })
    };
    let tournament = Tournament {
        game,
        contestants: vec![contestant("A")?, contestant("B")?],
        plan: Plan {
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
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.jsonl");
    let journal = Journal::create(&path).map_err(|error| Failure::Run(error.into()))?;
    let began = Instant::now();
    let never = AtomicBool::new(false);
    let tally = tournament.run(Some(journal), Vec::new(), &never, |_| {});
    let tally = tally.map_err(|error| Failure::Run(error.into()))?;
    Ok(tally.games() as f64 / began.elapsed().as_secs_f64())
}

/// The median time of a move of this very program as an outside engine that
/// plays at random, which itself takes no time.
fn median_overhead() -> Result<Duration, Failure> {
    let game = Game::fog();
    let program = std::env::current_exe()?;
    let launch = Launch {
        command: program.to_string_lossy().into_owned(),
        args: ["uci", "--agent", "random"].map(str::to_owned).to_vec(),
        ..Launch::default()
    };
    let fault = |fault: foglight_play::Fault| Failure::Run(fault.into());
    let mut engine = Outside::launch(&launch).map_err(fault)?;
    let mut times = Vec::with_capacity(MOVES);
    while times.len() < MOVES {
        let mut state = State::start(game);
        for side in Color::ALL {
            engine.start(&game, &game.start(), side, 1).map_err(fault)?;
        }
        while let (Turn::Player(side), true) = (state.turn(), times.len() < MOVES) {
            let observation = state.observe(side);
            let m = if side == Color::Black {
                let began = Instant::now();
                let answer = engine.act(&observation, &Budget::nodes(1), None);
                times.push(began.elapsed());
                answer.map_err(fault)?.m
            } else {
                observation.moves()[times.len() % observation.moves().len()]
            };
            state.play_unchecked(foglight_rules::Action::Move(m));
            engine.see(&state.observe(Color::Black)).map_err(fault)?;
        }
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}
