//! Rows of the signature: deterministic counts and hashes, one number each.

use std::time::Instant;

use foglight_arena::digest::Digest;
use foglight_engine::registry;
use foglight_play::{GameConfig, InProcess, Player, session};
use foglight_rules::{ByColor, Color, Game, View, perft};
use serde::Serialize;

use super::random_games;
use crate::providers;

/// Games in each row of random games.
const GAMES: u64 = 200;

/// One row of the signature.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) signature: u32,
    /// Number of nodes or plies.
    pub(crate) work: u64,
    pub(crate) seconds: f64,
}

/// Pairs of agents, with node budgets where they search. To add one, add a
/// line.
const MEETINGS: [(Game, &str, &str); 6] = [
    (Game::fog(), "greedy", "random"),
    (Game::fog(), "thesis", "greedy:style=conservative"),
    (Game::fog(), "foglight:nodes=1000", "greedy"),
    (Game::chess(), "classic:nodes=2000", "ensemble"),
    (Game::dice1(), "dice:nodes=2000", "goal"),
    (Game::dice3(), "goal", "random"),
];

/// A workload with a reproducible result.
pub(crate) enum Case {
    /// Perft from the start.
    Perft(Game, u32),
    /// Random games with both views at every ply.
    RandomGames(Game),
    /// A pair of games between two agents.
    Meeting(Game, &'static str, &'static str),
}

/// All rows, in the order of the committed file.
pub(crate) fn rows() -> Vec<Case> {
    let perfts = Game::ALL.map(|game| {
        let depth = match game.name() {
            "dice3" => 2,
            "dice1" => 3,
            _ => 4,
        };
        Case::Perft(game, depth)
    });
    let games = Game::ALL.map(Case::RandomGames);
    let meetings = MEETINGS.map(|(game, one, other)| Case::Meeting(game, one, other));
    perfts.into_iter().chain(games).chain(meetings).collect()
}

/// Combined signature of all rows.
pub(crate) fn total(rows: &[Row]) -> u32 {
    let mut hash = Digest::default();
    for row in rows {
        hash.text(&row.name);
        hash.number(u64::from(row.signature));
    }
    folded(&hash)
}

impl Case {
    fn name(&self) -> String {
        match self {
            Case::Perft(game, depth) => format!("perft {depth} {game}"),
            Case::RandomGames(game) => format!("games {game}"),
            Case::Meeting(game, one, other) => format!("{} {one} v {other}", game.name()),
        }
    }

    /// Runs the workload and measures its time.
    pub(crate) fn run(&self) -> Row {
        let start = Instant::now();
        let (signature, work) = match self {
            Case::Perft(game, depth) => {
                let nodes = perft(game, &game.start(), *depth);
                (nodes as u32, nodes)
            }
            Case::RandomGames(game) => hash_games(game),
            Case::Meeting(game, one, other) => hash_meeting(*game, one, other),
        };
        Row {
            name: self.name(),
            signature,
            work,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

/// Plays seeded games and hashes positions, views, actions and results.
fn hash_games(game: &Game) -> (u32, u64) {
    let mut hash = Digest::default();
    let mut plies = 0;
    for seed in 0..GAMES {
        let state = random_games::play(*game, seed, |state, action| {
            hash.number(state.position().hash());
            for side in Color::ALL {
                hash.text(&View::new(game, state.position(), side).to_string());
            }
            hash.text(&action.to_string());
        });
        if let Some(outcome) = state.outcome() {
            hash.text(outcome.result());
            hash.text(outcome.reason.name());
        }
        plies += u64::from(state.plies());
    }
    (folded(&hash), plies)
}

/// Plays a pair of games between two agents and hashes the actions and results.
fn hash_meeting(game: Game, one: &str, other: &str) -> (u32, u64) {
    let mut hash = Digest::default();
    let mut plies = 0;
    for leg in 0..2 {
        let (white, black) = if leg == 0 { (one, other) } else { (other, one) };
        let seat = |agent: &str| {
            let spec = agent.parse().expect("a spec of this file");
            let player = registry::build(&spec, &game, &providers::all());
            InProcess(Box::new(player.expect("an agent of this file")))
        };
        let (mut white, mut black) = (seat(white), seat(black));
        let config = GameConfig {
            max_moves: Some(40),
            ..GameConfig::new(game, game.start(), 1, leg)
        };
        let seats = ByColor {
            white: &mut white as &mut dyn Player,
            black: &mut black as &mut dyn Player,
        };
        let record = session::play(&config, seats, &|| false).record;
        for action in &record.actions {
            hash.text(&action.to_string());
        }
        if let Some(outcome) = record.outcome {
            hash.text(outcome.result());
            hash.text(outcome.reason.name());
        }
        plies += record.actions.len() as u64;
    }
    (folded(&hash), plies)
}

/// The digest folded to the 32 bits of the signature.
fn folded(digest: &Digest) -> u32 {
    (digest.value() ^ digest.value() >> 32) as u32
}
