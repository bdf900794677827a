//! Opening books: the starting positions of games.

use foglight_play::{rng, seeded};
use foglight_rules::{FenError, Game, Position, Replay, State};
use rand::seq::SliceRandom;

/// Order in which the starting positions of a book are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The order of the book.
    #[default]
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

/// Reasons for which a book cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// A line is not a position.
    #[error("line {line} of the opening book: {error}")]
    Fen {
        /// Line number, from 1.
        line: usize,
        error: FenError,
    },
    /// A game cannot be parsed.
    #[error("opening book: {0}")]
    Pgn(String),
    #[error("the opening book is empty; expected at least one position")]
    Empty,
}

/// Parses the positions of an EPD book: the first four fields of each line, or
/// six.
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

/// The positions that the games of a PGN book reach after `plies` plies or at
/// their ends.
pub fn from_pgn(game: &Game, text: &str, plies: Option<usize>) -> Result<Vec<Position>, BookError> {
    let games = foglight_rules::notation::pgn::read(text);
    games
        .map(|found| {
            // A book of plain chess serves every game: only its moves count.
            let found = found.map_err(|error| BookError::Pgn(error.to_string()))?;
            let plies = plies.unwrap_or(usize::MAX).min(found.actions.len());
            let start = State::new(found.game, found.start);
            let reached = Replay::new(start, &found.actions[..plies]).finish();
            let reached = reached.map_err(|error| BookError::Pgn(error.to_string()))?;
            let start = game.position(reached.position().setup());
            start.map_err(|error| BookError::Pgn(error.to_string()))
        })
        .collect()
}

/// Arranges the starting positions in the order of use.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_of_both_kinds_are_read() {
        let game = Game::fog();
        let epd = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;\n\n\
                   rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
        let starts = from_epd(&game, epd).expect("a book");
        assert_eq!(starts.len(), 2);
        let pgn = "[Event \"a book\"]\n\n1. e4 e5 2. Nf3 *\n";
        assert_eq!(from_pgn(&game, pgn, Some(2)).expect("a book"), starts[1..]);
        assert_eq!(from_pgn(&game, pgn, Some(1)).expect("a book"), starts[..1]);
        assert!(from_epd(&game, "nonsense").is_err());
        assert_eq!(ordered(Vec::new(), Order::Random, 1), Err(BookError::Empty));
        let shuffled = |seed| ordered(starts.repeat(10), Order::Random, seed).expect("starts");
        assert_eq!(shuffled(3), shuffled(3));
    }
}
