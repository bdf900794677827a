//! Values of the flag `-openings`.

use std::path::PathBuf;

use foglight_arena::openings::Order;

use super::flag::{Flag, short};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Book {
    pub(crate) file: PathBuf,
    /// Whether the format is PGN rather than EPD.
    pub(crate) pgn: bool,
    pub(crate) order: Order,
    /// The first entry to use, from 1.
    pub(crate) start: usize,
    /// Plies played of each PGN game; all by default.
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
