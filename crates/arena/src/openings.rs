//! Opening books: where games start.

use foglight_engine::{rng, seeded};
use foglight_rules::{FenError, Game, Position};
use rand::seq::SliceRandom;

/// The order in which the starts of a book are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they stand in the book.
    #[default]
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

/// Why a book cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// A line that is no position.
    #[error("line {line} of the opening book: {error}")]
    Fen {
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// A game that cannot be read.
    #[error("opening book: {0}")]
    Pgn(String),
    /// Nothing in it.
    #[error("the opening book is empty; expected at least one position")]
    Empty,
}

/// The positions of an EPD book: the first four fields of each line, or six.
pub fn from_epd(game: &Game, text: &str) -> Result<Vec<Position>, BookError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(i, line)| {
            let fields: Vec<&str> = line
                .split(';')
                .next()
                .unwrap_or(line)
                .split_whitespace()
                .collect();
            let counted =
                fields.len() >= 6 && fields[4..6].iter().all(|f| f.parse::<u16>().is_ok());
            let fen = fields[..fields.len().min(if counted { 6 } else { 4 })].join(" ");
            game.parse_fen(&fen)
                .map_err(|error| BookError::Fen { line: i + 1, error })
        })
        .collect()
}

/// Puts the starts in the order of use.
pub fn ordered(
    mut starts: Vec<Position>,
    order: Order,
    seed: u64,
) -> Result<Vec<Position>, BookError> {
    if starts.is_empty() {
        return Err(BookError::Empty);
    }
    if order == Order::Random {
        starts.shuffle(&mut seeded(rng::derive(seed, u64::MAX)));
    }
    Ok(starts)
}
