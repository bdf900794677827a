//! SAN: `Nf3`, `exd5`, `e8=Q`, `O-O`.
//!
//! In plain chess a move is disambiguated among the *legal* moves and marked with
//! `+` or `#`. In king-capture games it is disambiguated among the *pseudo-legal*
//! moves, regardless of the dice, and has no mark: check is not a rule there, and
//! a mark would reveal the enemy king to a fog player.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use crate::{
    action::MoveError,
    board::{Board, piece_attacks},
    games::Game,
    moves::{Move, MoveKind},
    position::Position,
};

/// Maximum length of a move text, in characters.
const MAX_LENGTH: usize = 16;

/// Writes a legal move of a position in this game.
pub fn write(game: &Game, position: &Position, m: Move) -> String {
    if game.is_king_capture() {
        return write_on(position.board(), m);
    }
    let board = position.board();
    let mut rivals = rivals(board, m);
    if rivals.any() {
        let legal = position.legal_moves();
        let reaches = |from| legal.iter().any(|l| l.from() == from && l.to() == m.to());
        rivals = rivals.into_iter().filter(|&from| reaches(from)).collect();
    }
    let mut text = plain(board, m, rivals);
    let mut next = *position;
    game.play_unchecked(&mut next, m);
    if next.in_check() {
        let mate = next.legal_moves().is_empty();
        text.push(if mate { '#' } else { '+' });
    }
    text
}

/// Writes a move of a king-capture game. The board of a view is sufficient: a
/// player who can move a piece sees everything that disambiguation depends on.
pub fn write_on(board: &Board, m: Move) -> String {
    plain(board, m, rivals(board, m))
}

/// Replaces the piece letters of a SAN move by figurines.
pub fn figurine(san: &str) -> String {
    let glyph = |c| match c {
        'K' => '♔',
        'Q' => '♕',
        'R' => '♖',
        'B' => '♗',
        'N' => '♘',
        _ => c,
    };
    san.chars().map(glyph).collect()
}

/// Other pieces of the same role and side that attack the destination.
fn rivals(board: &Board, m: Move) -> Bitboard {
    let piece = board.piece_at(m.from()).expect("a move starts on a piece");
    // Pawns are disambiguated by their file.
    let reach = piece_attacks(piece.role, m.to(), board.occupied());
    (reach & board.pieces(piece.color, piece.role)).without(m.from())
}

fn is_capture(board: &Board, m: Move) -> bool {
    m.kind() == MoveKind::EnPassant
        || (m.kind() != MoveKind::Castle && board.occupied().contains(m.to()))
}

/// The move without marks, disambiguated among `rivals`.
fn plain(board: &Board, m: Move, rivals: Bitboard) -> String {
    if m.kind() == MoveKind::Castle {
        let long = m.to().file() < m.from().file();
        return if long { "O-O-O" } else { "O-O" }.to_owned();
    }
    let role = board.role_at(m.from()).expect("a move starts on a piece");
    let takes = is_capture(board, m);
    let (file, rank) = (m.from().file(), m.from().rank());
    let mut text = String::with_capacity(8);
    if role != Role::Pawn {
        text.push(role.upper_char());
    }
    let same_file = (rivals & Bitboard::from_file(file)).any();
    let same_rank = (rivals & Bitboard::from_rank(rank)).any();
    if (rivals.any() && (!same_file || same_rank)) || (role == Role::Pawn && takes) {
        text.push(file.char());
    }
    if same_file {
        text.push(rank.char());
    }
    if takes {
        text.push('x');
    }
    text.push_str(&m.to().to_string());
    if let Some(role) = m.promotion() {
        text.push('=');
        text.push(role.upper_char());
    }
    text
}

/// Fields of a parsed SAN text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pattern {
    Castle {
        long: bool,
    },
    Piece {
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        takes: bool,
        to: Square,
        promotion: Option<Role>,
    },
}

/// The role of a letter, or of a figurine of either colour.
fn role_of(c: char) -> Option<Role> {
    Some(match c {
        'K' | '♔' | '♚' => Role::King,
        'Q' | '♕' | '♛' => Role::Queen,
        'R' | '♖' | '♜' => Role::Rook,
        'B' | '♗' | '♝' => Role::Bishop,
        'N' | '♘' | '♞' => Role::Knight,
        'P' | '♙' | '♟' => Role::Pawn,
        _ => return None,
    })
}

/// Removes trailing marks: `+ # ! ?` and `e.p.`.
fn without_marks(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let shorter = rest.trim_end_matches(['+', '#', '!', '?']).trim_end();
        let shorter = shorter.strip_suffix("e.p.").unwrap_or(shorter).trim_end();
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        if text.len() > 4 * MAX_LENGTH {
            return None;
        }
        let text = without_marks(text);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Pattern::Castle { long: false }),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Pattern::Castle { long: true }),
            _ => {}
        }
        // Fonts may add variation selectors to a figurine.
        let signs = text
            .chars()
            .filter(|c| !matches!(c, '\u{fe0e}' | '\u{fe0f}'));
        let mut chars: ArrayVec<char, MAX_LENGTH> = ArrayVec::new();
        for c in signs {
            chars.try_push(c).ok()?;
        }
        Pattern::parse_piece(&chars)
    }

    fn parse_piece(chars: &[char]) -> Option<Pattern> {
        let (role, rest) = match chars {
            [first, rest @ ..] => match role_of(*first) {
                Some(role) => (role, rest),
                None => (Role::Pawn, chars),
            },
            [] => return None,
        };
        let (promotion, rest) = split_promotion(rest)?;
        let [rest @ .., file, rank] = rest else {
            return None;
        };
        let to = Square::from_coords(File::from_char(*file)?, Rank::from_char(*rank)?);
        let (takes, rest) = match rest {
            [rest @ .., 'x' | '×' | ':'] => (true, rest),
            [rest @ .., '-'] => (false, rest),
            _ => (false, rest),
        };
        let (file, rank) = match *rest {
            [] => (None, None),
            [file, rank] => (Some(File::from_char(file)?), Some(Rank::from_char(rank)?)),
            [one] if one.is_ascii_digit() => (None, Some(Rank::from_char(one)?)),
            [one] => (Some(File::from_char(one)?), None),
            _ => return None,
        };
        Some(Pattern::Piece {
            role,
            file,
            rank,
            takes,
            to,
            promotion,
        })
    }

    fn fits(&self, board: &Board, m: Move) -> bool {
        match *self {
            Pattern::Castle { long } => {
                m.kind() == MoveKind::Castle && long == (m.to().file() < m.from().file())
            }
            Pattern::Piece {
                role,
                file,
                rank,
                takes,
                to,
                promotion,
            } => {
                // Without a file a pawn moves straight ahead.
                let file = match role {
                    Role::Pawn => file.or(Some(to.file())),
                    _ => file,
                };
                m.to() == to
                    && m.kind() != MoveKind::Castle
                    && m.promotion() == promotion
                    && file.is_none_or(|file| m.from().file() == file)
                    && rank.is_none_or(|rank| m.from().rank() == rank)
                    && board.role_at(m.from()) == Some(role)
                    && (!takes || is_capture(board, m))
            }
        }
    }
}

/// Splits off a trailing promotion: `=Q`, `(Q)` or `Q`.
fn split_promotion(chars: &[char]) -> Option<(Option<Role>, &[char])> {
    let (rest, sign) = match chars {
        [rest @ .., '(', sign, ')'] | [rest @ .., '=' | '/', sign] => (rest, *sign),
        [rest @ .., sign] if role_of(*sign).is_some() => (rest, *sign),
        _ => return Some((None, chars)),
    };
    Some((Some(role_of(sign)?), rest))
}

/// Finds the one legal move of a position that a text denotes.
///
/// Accepts letters and figurines of either colour, castling with zeros or
/// letters, promotions as `e8=Q`, `e8(Q)` and `e8Q`, redundant disambiguation,
/// and any marks. The capture sign may be omitted, but not be wrong. The error
/// depends on the text alone.
pub fn find(text: &str, game: &Game, position: &Position) -> Result<Move, MoveError> {
    find_among(text, &game.legal_moves(position), position.board())
}

/// Finds the one of the `legal` moves that a text denotes, like [`find`]. The
/// board of a view is sufficient.
pub fn find_among(text: &str, legal: &[Move], board: &Board) -> Result<Move, MoveError> {
    let pattern = Pattern::parse(text).ok_or_else(|| MoveError::san(text))?;
    let mut fitting = legal.iter().filter(|m| pattern.fits(board, **m));
    match (fitting.next(), fitting.next()) {
        (Some(m), None) => Ok(*m),
        _ => Err(MoveError::san(text)),
    }
}

/// The number before a side's move: `12.` or `12...`.
pub(crate) fn number(position: &Position) -> String {
    match position.turn() {
        Color::White => format!("{}.", position.fullmoves()),
        Color::Black => format!("{}...", position.fullmoves()),
    }
}
