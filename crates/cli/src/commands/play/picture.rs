//! Boards as text: pieces as Unicode or letters, fog as shade.

use foglight_rules::{Color, Piece, Role, Square, View};

/// Style of drawn boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    /// Whether to use letters and question marks only.
    pub(crate) ascii: bool,
}

impl Style {
    /// Character of a piece.
    pub(crate) fn piece(self, piece: Piece) -> char {
        if self.ascii {
            return piece.char();
        }
        let white = match piece.role {
            Role::King => '♔',
            Role::Queen => '♕',
            Role::Rook => '♖',
            Role::Bishop => '♗',
            Role::Knight => '♘',
            Role::Pawn => '♙',
        };
        match piece.color {
            Color::White => white,
            // The black pieces follow the six white ones.
            Color::Black => char::from_u32(white as u32 + 6).unwrap_or(white),
        }
    }

    /// Pieces of a side in a row, the most valuable first.
    pub(crate) fn pieces(self, roles: &[Role], color: Color) -> String {
        let mut roles = roles.to_vec();
        roles.sort_by_key(|role| std::cmp::Reverse(*role as u32));
        let signs = roles.iter().map(|&role| self.piece(Piece { color, role }));
        let signs: Vec<String> = signs.map(String::from).collect();
        signs.join(" ")
    }

    /// A square, two columns wide.
    fn square(self, view: &View, square: Square) -> String {
        match (view.visible.contains(square), view.board.piece_at(square)) {
            (false, _) if self.ascii => " ?".to_owned(),
            (false, _) => "▒▒".to_owned(),
            (true, Some(piece)) => format!(" {}", self.piece(piece)),
            (true, None) if self.ascii => " .".to_owned(),
            (true, None) => " ·".to_owned(),
        }
    }

    /// A board with `bottom` at the bottom.
    pub(crate) fn board(self, view: &View, bottom: Color) -> String {
        let (files, ranks) = (view.size.files(), view.size.ranks());
        let turned = |n: usize, i: usize, turn: bool| if turn { n - 1 - i } else { i };
        let mut text = String::new();
        for row in 0..ranks {
            let rank = turned(ranks, row, bottom == Color::White);
            text.push_str(&format!("  {} ", rank + 1));
            for column in 0..files {
                let file = turned(files, column, bottom == Color::Black);
                let square = view.size.square(file, rank);
                text.push_str(&square.map_or(String::new(), |square| self.square(view, square)));
            }
            text.push('\n');
        }
        text.push_str("    ");
        for column in 0..files {
            let file = turned(files, column, bottom == Color::Black);
            text.push_str(&format!(" {}", (b'a' + file as u8) as char));
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Game, State};

    use super::*;

    #[test]
    fn fog_is_drawn_and_boards_turn() {
        let state = State::start(Game::fog());
        let view = *state.observe(Color::Black).view();
        let letters = Style { ascii: true };
        let board = letters.board(&view, Color::Black);
        let lines: Vec<&str> = board.lines().collect();
        assert_eq!(lines[0], "  1  ? ? ? ? ? ? ? ?");
        assert_eq!(lines[5], "  6  . . . . . . . .");
        assert_eq!(lines[7], "  8  r n b k q b n r");
        assert_eq!(lines[8], "     h g f e d c b a");
        let signs = Style { ascii: false };
        let board = signs.board(&view, Color::White);
        assert!(
            board.starts_with("  8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n  7  ♟ ♟"),
            "{board}"
        );
        assert!(board.contains("  1 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒\n"));
        assert_eq!(
            signs.pieces(&[Role::Pawn, Role::Queen], Color::White),
            "♕ ♙"
        );
    }
}
