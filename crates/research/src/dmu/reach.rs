//! Reachability of a side's placement within a number of moves. The paper used
//! Natch, which searches for a proof game; here necessary conditions are
//! tested, so that a failing placement is unreachable and a passing one mostly
//! reachable.

use foglight_engine::belief::{EnemyMaterial, World};
use foglight_rules::{Bitboard, Color, Role, Square, attacks};

/// Minimum number of moves from the starting position of chess to a side's
/// placement, on an otherwise empty board; `None` if pieces stand outside a
/// wall of unmoved pawns that they cannot have passed.
fn least_moves(world: &World, side: Color) -> Option<u32> {
    let at = |square: Square| side.fold_wb(square, square.flip_vertical());
    let pawns = world.pieces(Role::Pawn);
    let walled = |wall: [Square; 2]| wall.iter().all(|square| pawns.contains(at(*square)));
    let mut moves = pawns
        .into_iter()
        .map(|pawn| {
            let ahead = side.fold_wb(pawn.rank() as u32, 7 - pawn.rank() as u32) - 1;
            ahead - u32::from(ahead >= 2)
        })
        .sum::<u32>();
    for (home, wall) in [
        (Square::C1, [Square::B2, Square::D2]),
        (Square::F1, [Square::E2, Square::G2]),
    ] {
        let same = |square: &Square| square.is_light() == at(home).is_light();
        let bishops = world.pieces(Role::Bishop).into_iter().filter(same);
        let bishops: Vec<Square> = bishops.collect();
        if bishops.len() == 1 && bishops[0] != at(home) && walled(wall) {
            return None;
        }
        moves += fewest(&bishops, &[at(home)], slide(Role::Bishop));
    }
    let squares = |role| world.pieces(role).into_iter().collect::<Vec<_>>();
    let homes = |homes: &[Square]| homes.iter().map(|s| at(*s)).collect::<Vec<_>>();
    moves += fewest(
        &squares(Role::Knight),
        &homes(&[Square::B1, Square::G1]),
        leap,
    );
    let castled = [at(Square::F1), at(Square::D1)];
    let rook = |from: Square, to: Square| match castled.contains(&to) {
        true => 0,
        false => slide(Role::Rook)(from, to),
    };
    moves += fewest(
        &squares(Role::Rook),
        &homes(&[Square::A1, Square::H1]),
        rook,
    );
    moves += fewest(
        &squares(Role::Queen),
        &homes(&[Square::D1]),
        slide(Role::Queen),
    );
    let king = |from: Square, to: Square| match to == at(Square::G1) || to == at(Square::C1) {
        true => 1,
        false => from.distance(to),
    };
    Some(moves + fewest(&squares(Role::King), &homes(&[Square::E1]), king))
}

/// The minimum cost over all assignments of pieces to home squares; surplus
/// pieces were promoted and cost nothing here.
fn fewest(pieces: &[Square], homes: &[Square], cost: impl Fn(Square, Square) -> u32) -> u32 {
    match (pieces, homes) {
        ([], _) | (_, []) => 0,
        ([piece], homes) => homes
            .iter()
            .map(|home| cost(*home, *piece))
            .min()
            .unwrap_or(0),
        (pieces, [home]) => pieces
            .iter()
            .map(|piece| cost(*home, *piece))
            .min()
            .unwrap_or(0),
        (pieces, [one, other, ..]) => {
            let pairs = pieces.iter().enumerate().flat_map(|(i, a)| {
                let rest = pieces.iter().enumerate().filter(move |(j, _)| *j != i);
                rest.map(move |(_, b)| (*a, *b))
            });
            pairs
                .map(|(a, b)| cost(*one, a) + cost(*other, b))
                .min()
                .unwrap_or(0)
        }
    }
}

/// Moves of a slider on an empty board: none, one or two.
fn slide(role: Role) -> impl Fn(Square, Square) -> u32 {
    move |from, to| match from == to {
        true => 0,
        false => {
            let once = attacks::attacks(from, role.of(Color::White), Bitboard::EMPTY);
            if once.contains(to) { 1 } else { 2 }
        }
    }
}

/// Moves of a knight on an empty board.
fn leap(from: Square, to: Square) -> u32 {
    let mut reached = Bitboard::from_square(from);
    let mut moves = 0;
    while !reached.contains(to) {
        reached = reached
            .into_iter()
            .fold(reached, |set, square| set | attacks::knight_attacks(square));
        moves += 1;
    }
    moves
}

/// Whether these pieces of `side` may stand so after `moves` moves of the side.
pub(super) fn reachable(world: &World, side: Color, roster: &EnemyMaterial, moves: u32) -> bool {
    roster.pawns_fit(world.pieces(Role::Pawn))
        && least_moves(world, side).is_some_and(|least| least <= moves)
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Action, Game, State};

    use super::*;

    fn least(fen: &str) -> Option<u32> {
        let position = Game::fog().parse_fen(fen).expect("a position");
        least_moves(&World::of(&position, Color::Black), Color::Black)
    }

    #[test]
    fn moves_are_counted_from_the_start_of_chess() {
        let start = Game::fog().start();
        let world = World::of(&start, Color::Black);
        assert_eq!(least_moves(&world, Color::Black), Some(0));
        let e5nf6 = "rnbqkb1r/pppp1ppp/5n2/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(least(e5nf6), Some(2));
        let castled = "rnbq1rk1/ppppbppp/5n2/4p3/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        assert_eq!(least(castled), Some(4));
        // The bishop from f8 cannot have passed e7 and g7.
        let walled = "rnbqk1nr/pppppppp/8/2b5/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(least(walled), None);
    }

    #[test]
    fn true_positions_pass() {
        let game = Game::fog();
        let mut state = State::start(game);
        let start = World::of(state.position(), Color::Black);
        let roster = EnemyMaterial::new(&start, Color::Black);
        for text in [
            "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1", "f8e7",
        ] {
            let action = state.parse_action(text).expect("a legal move");
            state.play_unchecked(action);
            assert!(matches!(action, Action::Move(_)));
            let world = World::of(state.position(), Color::Black);
            let moves = state.plies() / 2;
            assert!(reachable(&world, Color::Black, &roster, moves), "{text}");
        }
    }
}
