//! Two copies of this program connected by pipes play the same games as in one
//! process.

mod common;

use std::{
    io::{self, BufReader},
    path::Path,
    process::exit,
    time::Duration,
};

use foglight_engine::registry;
use foglight_play::{Agent, Budget, Player as _, Providers, rng::derive, seeded};
use foglight_rules::{
    Action, ByColor, Color, FogRules, Game, Observation, Position, Sight, State, Turn,
};
use foglight_uci::{
    Protocol,
    client::{EngineConfig, UciEngine},
    engine::{self, ServerSetup},
};
use rand::seq::IndexedRandom;

const NODES: u64 = 200;
const GRACE: Duration = common::AGES;

/// The engine's side of the tests; returns at once when run as a test.
#[test]
fn engine_main() {
    if let Some(role) = common::role() {
        let setup = ServerSetup {
            protocol: Protocol::from_name(&role).expect("uci or jsonl"),
            ..ServerSetup::default()
        };
        let spoken = engine::run(BufReader::new(io::stdin()), io::stdout(), setup);
        exit(i32::from(spoken.is_err()));
    }
}

/// A player in this process or behind a pipe.
enum Seat {
    Inside(Box<dyn Agent>),
    Outside(Box<UciEngine>),
}

impl Seat {
    fn inside(agent: &str, game: &Game) -> Seat {
        let spec = agent.parse().expect("an agent");
        let player = registry::build(&spec, game, &Providers::default());
        Seat::Inside(Box::new(player.expect("it plays the game")))
    }

    fn outside(agent: &str, protocol: Protocol) -> Seat {
        let launch = EngineConfig {
            proto: protocol,
            options: vec![("Agent".to_owned(), agent.to_owned())],
            ..common::engine(protocol.name())
        };
        Seat::Outside(Box::new(UciEngine::launch(&launch).expect("we start")))
    }

    fn start(&mut self, game: &Game, start: &Position, side: Color, seed: u64) {
        match self {
            Seat::Inside(agent) => agent.start(game, side, seed),
            Seat::Outside(outside) => outside.start(game, start, side, seed).expect("no fault"),
        }
    }

    fn see(&mut self, observation: &Observation) {
        match self {
            Seat::Inside(agent) => agent.see(observation),
            Seat::Outside(outside) => outside.see(observation).expect("no fault"),
        }
    }

    fn act(&mut self, observation: &Observation) -> Action {
        let budget = Budget::nodes(NODES);
        Action::Move(match self {
            Seat::Inside(agent) => agent.act(observation, &budget),
            Seat::Outside(outside) => {
                let answer = outside.act(observation, &budget, Some(GRACE));
                answer.expect("no fault").m
            }
        })
    }
}

fn play(game: Game, start: Position, seats: &mut ByColor<Seat>, seed: u64) -> Vec<String> {
    let mut state = State::new(game, start);
    let mut dice = seeded(derive(seed, 0));
    let mut actions = Vec::new();
    for side in Color::ALL {
        let seat = seats.get_mut(side);
        seat.start(&game, &start, side, derive(seed, 1 + side as u64));
        seat.see(&state.observe(side));
    }
    while actions.len() < 160 {
        let action = match state.turn() {
            Turn::Over(_) => break,
            Turn::Chance => *state.legal_actions().choose(&mut dice).expect("a roll"),
            Turn::Player(side) => seats.get_mut(side).act(&state.observe(side)),
        };
        state.play(action).expect("legal");
        actions.push(action.to_string());
        for side in Color::ALL {
            seats.get_mut(side).see(&state.observe(side));
        }
    }
    actions
}

fn agree(game: Game, start: Position, agents: [&str; 2], protocol: Protocol) {
    let mut here = ByColor {
        white: Seat::inside(agents[0], &game),
        black: Seat::inside(agents[1], &game),
    };
    let mut there = ByColor {
        white: Seat::outside(agents[0], protocol),
        black: Seat::outside(agents[1], protocol),
    };
    // The same engines play several games: no state of one may reach the next.
    for seed in 1..=3 {
        let expected = play(game, start, &mut here, seed);
        assert!(expected.len() > 3);
        assert_eq!(
            play(game, start, &mut there, seed),
            expected,
            "{game} {seed}"
        );
    }
}

/// Every agent of the registry for this game, each against `greedy`.
fn agree_for_all(game: Game, protocol: Protocol) {
    for entry in registry::AGENTS {
        if (entry.plays)(&game) {
            agree(game, game.start(), [entry.name, "greedy"], protocol);
        }
    }
}

#[test]
fn chess() {
    agree_for_all(Game::chess(), Protocol::Uci);
    agree(
        Game::chess(),
        Game::chess().start(),
        ["random"; 2],
        Protocol::Jsonl,
    );
}

#[test]
fn fog() {
    agree_for_all(Game::fog(), Protocol::Uci);
    agree(
        Game::fog(),
        Game::fog().start(),
        ["greedy"; 2],
        Protocol::Jsonl,
    );
    for rules in FogRules::ALL {
        let game = Game::fog_with(rules);
        agree(game, game.start(), ["random", "greedy"], Protocol::Uci);
    }
}

#[test]
fn dice() {
    for game in [Game::dice1(), Game::dice3()] {
        agree_for_all(game, Protocol::Uci);
        agree(game, game.start(), ["random"; 2], Protocol::Jsonl);
    }
}

#[test]
fn full_sight_other_starts_and_small_boards() {
    let full = Game::fog().with_sight(Color::White, Sight::Full);
    agree(full, full.start(), ["greedy", "random"], Protocol::Uci);
    let fens = [
        (
            Game::fog(),
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ),
        (Game::fog(), "rqkr/pppp/4/PPPP/RQKR w - - 0 1"),
        (
            Game::chess(),
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 3 17",
        ),
        (
            Game::dice1().with_halfmove_limit(None),
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 3 17",
        ),
        (
            Game::dice3(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNK",
        ),
    ];
    for (game, fen) in fens {
        let start = game.parse_fen(fen).expect(fen);
        agree(game, start, ["random", "greedy"], Protocol::Uci);
    }
}

/// Every byte sent to White's engine in a fog game.
fn sent(name: &str, texts: [&str; 4]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let engine = common::engine("uci");
    let mut args = vec!["-c".to_owned(), "tee \"$0\" | \"$@\"".to_owned()];
    args.push(file.to_str().expect("a path in UTF-8").to_owned());
    args.push(engine.command);
    args.extend(engine.args);
    let launch = EngineConfig {
        command: "sh".to_owned(),
        args,
        ..EngineConfig::default()
    };
    let mut outside = UciEngine::launch(&launch).expect("we start");
    let mut state = State::start(Game::fog());
    let fine = outside.start(state.game(), state.position(), Color::White, 1);
    fine.expect("no fault");
    for text in texts {
        let action = state.parse_action(text).expect("legal");
        state.play(action).expect("legal");
        outside.see(&state.observe(Color::White)).expect("no fault");
    }
    let answer = outside.act(&state.observe(Color::White), &Budget::nodes(1), Some(GRACE));
    answer.expect("no fault");
    outside.quit();
    std::fs::read_to_string(file).expect("tee has written")
}

/// In fog the bytes sent to an engine are independent of what it does not see.
#[test]
fn what_is_sent_depends_on_what_is_seen() {
    let dark = sent("dark", ["e2e4", "h7h6", "g1f3", "b8c6"]);
    assert!(dark.contains("position fog startpos you white\n"), "{dark}");
    assert!(dark.contains("observe ply 2 fen ????????/"), "{dark}");
    assert_eq!(sent("other", ["e2e4", "g8h6", "g1f3", "a7a5"]), dark);
    assert_ne!(sent("seen", ["e2e4", "h7h6", "g1f3", "a7a6"]), dark);
}

/// An installed standard engine plays plain chess.
#[test]
fn a_standard_engine_plays_chess() {
    let places = [
        "/usr/games/stockfish",
        "/usr/games/fairy-stockfish",
        "/usr/bin/stockfish",
    ];
    let found = places.into_iter().filter(|place| Path::new(place).exists());
    let found: Vec<&str> = found.collect();
    if found.is_empty() {
        let needed = "a standard engine (Debian: apt-get install stockfish)";
        assert!(std::env::var_os("CI").is_none(), "expected {needed}");
        eprintln!("SKIPPED: expected {needed}");
    }
    for place in found {
        let launch = EngineConfig {
            command: place.to_owned(),
            options: vec![("Hash".to_owned(), "1".to_owned())],
            ..EngineConfig::default()
        };
        let mut outside = UciEngine::launch(&launch).expect(place);
        assert!(outside.name().to_lowercase().contains("stockfish"));
        // Mate in one, at the end of some moves.
        let mut state = State::start(Game::chess());
        outside
            .start(&Game::chess(), &Game::chess().start(), Color::Black, 1)
            .expect(place);
        for text in ["f2f3", "e7e5", "g2g4"] {
            state
                .play(state.parse_action(text).expect("legal"))
                .expect("legal");
            outside.see(&state.observe(Color::Black)).expect(place);
        }
        for budget in [
            Budget::nodes(2000),
            Budget::time(Duration::from_millis(50), foglight_uci::MONOTONIC),
        ] {
            let answer = outside
                .act(&state.observe(Color::Black), &budget, Some(GRACE))
                .expect(place);
            assert_eq!(answer.m.to_string(), "d8h4", "{place}");
            let report = answer.report.expect("a report");
            assert_eq!(report.pv.first(), Some(&answer.m));
            assert!(report.centipawns > Some(20_000));
        }
        let refused = outside.start(&Game::dice1(), &Game::dice1().start(), Color::White, 1);
        assert!(refused.is_err() || !place.contains("fairy"));
        outside.quit();
    }
}
