//! The inputs: which piece stands where, as one side sees it.

use foglight_rules::{Color, Position, Role, Size, Square};

/// The number of an input for `view`: own pieces first, the board turned so
/// that the own side plays upwards.
#[inline]
pub fn feature(size: Size, view: Color, square: Square, side: Color, role: Role) -> usize {
    let square = match view {
        Color::White => square,
        Color::Black => size.mirror(square),
    };
    let owner = if side == view { 0 } else { 384 };
    owner + (role as usize - 1) * 64 + square as usize
}

/// All inputs of a position that are on, for both views, the side to move
/// first: pushed in pairs, piece by piece.
pub fn active(position: &Position, into: &mut Vec<(u16, u16)>) {
    let (size, turn) = (position.size(), position.turn());
    for (square, piece) in position.board().iter() {
        let of = |view| feature(size, view, square, piece.color, piece.role) as u16;
        into.push((of(turn), of(!turn)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foglight_rules::Game;

    #[test]
    fn a_mirrored_position_has_the_same_inputs() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "k2b/4/4/K2Q w - - 0 1",
        ] {
            let position = Game::fog().parse_fen(fen).expect("a position");
            let inputs = |position: &Position| {
                let mut found = Vec::new();
                active(position, &mut found);
                found.sort_unstable();
                found
            };
            assert_eq!(inputs(&position), inputs(&position.mirrored()));
        }
    }
}
