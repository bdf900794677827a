//! The proof of the exact belief over many games: at every ply the truth is in
//! it and its members look alike to the observer. A game is followed until its
//! belief passes 500,000 positions.
//!
//! `cargo run --release -p foglight-engine --example belief_proof AGENT AGENT GAMES`,
//! or with `FEN-or-startpos ; moves` lines on standard input and a rule set:
//! `... --example belief_proof openspiel < games.txt`

use std::io::BufRead;

use foglight_engine::{Agent, Budget, Providers, belief::Trace, registry};
use foglight_rules::{Action, Color, Game, Move, State};

/// Where a game is followed no further.
const MOST: usize = 500_000;
/// Members looked at one by one at each ply.
const LOOKED_AT: usize = 1000;

#[derive(Default)]
struct Tally {
    games: usize,
    plies: usize,
    large: usize,
    faults: usize,
}

impl Tally {
    fn follow(&mut self, start: &State, moves: &[Move], side: Color) {
        let mut state = start.clone();
        let mut trace = Trace::new(&state, side, None, 0).with_threads(2);
        self.games += 1;
        for m in moves {
            state.play(Action::Move(*m)).expect("a legal move");
            let followed = trace.follow(&state).is_ok();
            let row = trace.row(&state);
            if !followed || !row.truth || !trace.is_honest(&state, LOOKED_AT) {
                println!("FAULT {side:?} {}", state.game().fen(state.position()));
                self.faults += 1;
                return;
            }
            self.plies += 1;
            if row.count > MOST {
                self.large += 1;
                return;
            }
        }
    }
}

/// The moves of a game between two agents of the registry.
fn played(specs: &[String], game: &Game, number: u64) -> Vec<Move> {
    let mut players: Vec<_> = specs
        .iter()
        .map(|spec| {
            let spec = spec.parse().expect("an agent");
            registry::build(&spec, game, &Providers::default()).expect("an agent")
        })
        .collect();
    let mut state = State::start(*game);
    let sides = [Color::White, Color::Black];
    for (player, side) in players.iter_mut().zip(sides) {
        player.start(game, side, 2 * number + u64::from(side.is_black()));
    }
    let mut moves = Vec::new();
    while state.outcome().is_none() && state.plies() < 300 {
        for (player, side) in players.iter_mut().zip(sides) {
            player.see(&state.observe(side));
        }
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::nodes(5000));
        state.play(Action::Move(m)).expect("a legal move");
        moves.push(m);
    }
    moves
}

/// A game of a line of text: its start and its moves.
fn read(game: &Game, line: &str) -> (State, Vec<Move>) {
    let (start, moves) = line.split_once(';').expect("FEN ; moves");
    let position = match start.trim() {
        "startpos" => game.start(),
        fen => game.parse_fen(fen).expect("a position"),
    };
    let start = State::new(*game, position);
    let mut state = start.clone();
    let read = |text| match state.parse_action(text).expect("a legal move") {
        Action::Move(m) => {
            state.play_unchecked(Action::Move(m));
            m
        }
        Action::Roll(_) => unreachable!("no dice in fog"),
    };
    let moves = moves.split_whitespace().map(read).collect();
    (start, moves)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut tally = Tally::default();
    match words.as_slice() {
        [rules] => {
            let game = Game::from_name("fog", Some(rules)).expect("a rule set");
            for line in std::io::stdin().lock().lines() {
                let (start, moves) = read(&game, &line.expect("text"));
                for side in Color::ALL {
                    tally.follow(&start, &moves, side);
                }
            }
        }
        [white, black, games] => {
            let game = Game::fog();
            let specs = [white.clone(), black.clone()];
            for number in 0..games.parse().expect("a number of games") {
                let moves = played(&specs, &game, number);
                for side in Color::ALL {
                    tally.follow(&State::start(game), &moves, side);
                }
            }
        }
        _ => panic!("expected a rule set, or two agents and a number of games"),
    }
    println!(
        "{} sides of games, {} plies followed, {} passed {MOST} positions, {} faults",
        tally.games, tally.plies, tally.large, tally.faults
    );
}
