//! The rows of the signature: deterministic counts and hashes, one number each.

use std::time::Instant;

use foglight_rules::{Color, Game, View, perft};
use serde::Serialize;

use super::random_games;

/// Games in each row of random games.
const GAMES: u64 = 200;

/// One line of the signature.
#[derive(Serialize)]
pub struct Row {
    /// What was run.
    pub name: String,
    /// What it gave.
    pub signature: u32,
    /// Nodes or plies done.
    pub work: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Something that repeats exactly. An agent would be one more variant, with a
/// node budget.
pub enum Case {
    /// A move count from the start.
    Perft(Game, u32),
    /// Random games with both views at every ply.
    RandomGames(Game),
}

/// All rows, in the order of the committed file.
pub fn rows() -> Vec<Case> {
    let perfts = Game::ALL.map(|game| {
        let depth = match game.name() {
            "dice3" => 2,
            "dice1" => 3,
            _ => 4,
        };
        Case::Perft(game, depth)
    });
    let games = Game::ALL.map(Case::RandomGames);
    perfts.into_iter().chain(games).collect()
}

/// One number for all rows.
pub fn total(rows: &[Row]) -> u32 {
    let mut hash = Hash::new();
    for row in rows {
        hash.text(&row.name);
        hash.number(u64::from(row.signature));
    }
    hash.finish()
}

impl Case {
    fn name(&self) -> String {
        match self {
            Case::Perft(game, depth) => format!("perft {depth} {game}"),
            Case::RandomGames(game) => format!("games {game}"),
        }
    }

    /// Does the work and times it.
    pub fn run(&self) -> Row {
        let start = Instant::now();
        let (signature, work) = match self {
            Case::Perft(game, depth) => {
                let nodes = perft(game, &game.start(), *depth);
                (nodes as u32, nodes)
            }
            Case::RandomGames(game) => hash_games(game),
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
    let mut hash = Hash::new();
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
    (hash.finish(), plies)
}

/// FNV-1a over bytes: the same on every machine.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn number(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|b| self.byte(b));
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|b| self.byte(b));
        self.byte(0);
    }

    fn finish(&self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}
