//! Inputs of the network: pieces on squares in one side's perspective, and
//! which of them the other side sees.

use foglight_rules::{ByColor, Color, Game, Position, Role, Size, Square};

use super::weights::INPUTS;

/// A side's perspective: it plays upwards, and on a board of eight files its
/// king stands on the right half, so that both wings share weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Perspective {
    view: Color,
    size: Size,
    /// Whether the files are mirrored.
    turned: bool,
}

impl Perspective {
    /// The perspective of one side.
    #[inline]
    pub fn new(position: &Position, view: Color) -> Perspective {
        let size = position.size();
        let king = position.board().king(view);
        Perspective {
            view,
            size,
            turned: size.is_full() && king.is_some_and(|king| (king as u8) & 7 < 4),
        }
    }

    /// The index of an input: own pieces first.
    #[inline]
    pub fn feature(self, square: Square, side: Color, role: Role) -> usize {
        let square = match self.view {
            Color::White => square,
            Color::Black => self.size.mirror(square),
        };
        let square = square as usize ^ if self.turned { 7 } else { 0 };
        let owner = if side == self.view { 0 } else { 384 };
        owner + (role as usize - 1) * 64 + square
    }
}

/// Pushes all active inputs of a position as pairs of both perspectives, the
/// side to move first.
pub fn active(position: &Position, into: &mut Vec<(u16, u16)>) {
    let (own, other) = looks(position);
    for (square, piece) in position.board().iter() {
        let of = |look: Perspective| look.feature(square, piece.color, piece.role) as u16;
        into.push((of(own), of(other)));
    }
}

/// The pieces that are visible to the opposing side in fog.
pub(crate) fn seen_men(position: &Position) -> impl Iterator<Item = (Square, Color, Role)> {
    let seen = ByColor::new_with(|side| Game::fog().visible_squares(position, side));
    let men = position.board().iter();
    men.filter(move |(square, piece)| seen.get(!piece.color).contains(*square))
        .map(|(square, piece)| (square, piece.color, piece.role))
}

/// Pushes the inputs of visible pieces, which follow the piece inputs.
pub fn active_sight(position: &Position, into: &mut Vec<(u16, u16)>) {
    let (own, other) = looks(position);
    into.extend(seen_men(position).map(|(square, side, role)| {
        let of = |look: Perspective| (INPUTS + look.feature(square, side, role)) as u16;
        (of(own), of(other))
    }));
}

/// The perspectives of the side to move and of the other.
fn looks(position: &Position) -> (Perspective, Perspective) {
    let turn = position.turn();
    (
        Perspective::new(position, turn),
        Perspective::new(position, !turn),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_wings_are_one_to_the_side_whose_king_is_there() {
        let left = "1k6/pp6/8/8/8/8/PP3r2/1K6 w - - 0 1";
        let right = "6k1/6pp/8/8/8/8/2r3PP/6K1 w - - 0 1";
        let inputs = |fen: &str| {
            let position = Game::fog().parse_fen(fen).expect("a position");
            let mut found = Vec::new();
            active(&position, &mut found);
            found.sort_unstable();
            found
        };
        assert_eq!(inputs(left), inputs(right));
    }

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
                active_sight(position, &mut found);
                found.sort_unstable();
                found
            };
            assert_eq!(inputs(&position), inputs(&position.mirrored()));
        }
    }
}
