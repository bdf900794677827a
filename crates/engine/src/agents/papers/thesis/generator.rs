//! The order in which chess.js, the library of the thesis, generates the moves
//! of one piece: offset by offset on its 0x88 board, a line from near to far,
//! steps of pawns before their captures, castling at the end.

use foglight_rules::{Board, Color, Move, MoveKind, Role, Square};

/// Offsets on a board of 16 columns whose first square is a8.
const KNIGHT: [i32; 8] = [-18, -33, -31, -14, 18, 33, 31, 14];
const BISHOP: [i32; 4] = [-17, -15, 17, 15];
const ROOK: [i32; 4] = [-16, 1, 16, -1];
const ROYAL: [i32; 8] = [-17, -16, -15, 1, 17, 16, 15, -1];
/// A pawn's step, double step and captures, for Black; White's are negative.
const PAWN: [i32; 4] = [16, 32, 17, 15];
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The place of a move among those of all pieces of a side, whose squares are
/// scanned from a8 to h1.
pub(super) fn place(board: &Board, m: &Move) -> impl Ord + use<> {
    let castles = m.kind() == MoveKind::Castle;
    let promotion = m
        .promotion()
        .and_then(|role| PROMOTIONS.iter().position(|known| *known == role));
    (castles, index(m.from()), step(board, m), promotion)
}

/// The number of a move's offset, and its distance along it.
fn step(board: &Board, m: &Move) -> (usize, u32) {
    let way = index(m.to()) - index(m.from());
    let piece = board.piece_at(m.from());
    let offsets: &[i32] = match piece.map(|piece| piece.role) {
        Some(Role::Pawn) => &PAWN,
        Some(Role::Knight) => &KNIGHT,
        Some(Role::Bishop) => &BISHOP,
        Some(Role::Rook) => &ROOK,
        _ => &ROYAL,
    };
    let white_pawn = piece == Some(Role::Pawn.of(Color::White));
    let way = if white_pawn { -way } else { way };
    let distance = m.from().distance(m.to());
    let exact = offsets.iter().position(|offset| *offset == way);
    let along = |offset: &i32| offset * distance as i32 == way;
    let number = exact.or_else(|| offsets.iter().position(along));
    (number.unwrap_or(offsets.len()), distance)
}

fn index(square: Square) -> i32 {
    16 * (7 - square.rank() as i32) + square.file() as i32
}
