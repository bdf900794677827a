//! The values of `-openings`.

use std::path::PathBuf;

use foglight_arena::openings::Order;

use super::flag::{Flag, short};

/// An opening book.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Book {
    /// The file.
    pub(crate) file: PathBuf,
    /// EPD or PGN.
    pub(crate) pgn: bool,
    /// The order of use.
    pub(crate) order: Order,
    /// The first entry to use, from 1.
    pub(crate) start: usize,
    /// Single moves taken from each game of a PGN; all if not set.
    pub(crate) plies: Option<usize>,
}

pub(super) fn book(flag: &Flag<'_>) -> Result<Book, String> {
    let mut book = Book {
        file: PathBuf::new(),
        pgn: false,
        order: Order::Sequential,
        start: 1,
        plies: None,
    };
    for (key, value) in flag.pairs()? {
        let wrong =
            |expected: &str| format!("-openings {key}={}: expected {expected}", short(value));
        match (key, value) {
            ("file", _) => {
                book.file = value.into();
                book.pgn |= value.ends_with(".pgn") || value.ends_with(".pgn.gz");
            }
            ("format", "epd") => book.pgn = false,
            ("format", "pgn") => book.pgn = true,
            ("format", _) => return Err(wrong("epd or pgn")),
            ("order", "random") => book.order = Order::Random,
            ("order", "sequential") => book.order = Order::Sequential,
            ("order", _) => return Err(wrong("random or sequential")),
            ("start", _) => book.start = value.parse().map_err(|_| wrong("a number from 1"))?,
            ("plies", _) => book.plies = Some(value.parse().map_err(|_| wrong("a number"))?),
            _ => return Err(flag.unknown(key, "file, format, order, start, plies")),
        }
    }
    if book.file.as_os_str().is_empty() {
        return Err("-openings: expected file=BOOK".to_owned());
    }
    Ok(book)
}
