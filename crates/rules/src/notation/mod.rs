//! Text in and out: FEN and its fog and dice forms, UCI moves, SAN, PGN.

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;

/// A piece of input for an error message: quoted, made printable, and short.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let shown: String = text
        .chars()
        .take(MOST)
        .map(|c| {
            if c.is_ascii_graphic() || c == ' ' {
                c
            } else {
                '\u{fffd}'
            }
        })
        .collect();
    let dots = if text.chars().nth(MOST).is_some() {
        "..."
    } else {
        ""
    };
    format!("'{shown}{dots}'")
}
