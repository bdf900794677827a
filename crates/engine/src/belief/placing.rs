//! Random placements of hidden pieces, consistent with a view and the material.

use foglight_rules::{Bitboard, Castling, CastlingRights, Role, Square};
use rand::Rng as _;

use super::{
    evidence::Evidence,
    material::{EnemyMaterial, HiddenPiece},
    world::World,
};
use foglight_play::{Marginals, Rng, rng::weighted_index};

/// Attempts before the pawn structure is ignored.
const TRIES: usize = 20;
/// Upper bound of a probability that is converted to a weight.
const MAX_SHARE: f64 = 0.999;

/// Converts marginals to weights for [`sample_placement`], which places pieces
/// one after the other: of several equal pieces the unlikely squares would be
/// drawn too often once the likely ones are occupied. Drawn by -ln(1 - p), a
/// square is occupied with a probability of about p.
///
/// Exact for pieces that do not obstruct each other. On whole boards, where
/// pawns stay near their files and pieces compete for squares, no clear gain
/// was measured.
pub fn weights(chances: &Marginals, roster: &EnemyMaterial, evidence: &Evidence) -> Marginals {
    let mut weights = chances.clone();
    let hidden = roster.hidden(evidence.shown(), evidence);
    for (i, man) in hidden.iter().enumerate() {
        // Equal pieces are adjacent, so each type is handled once.
        let alike = |other: usize| hidden.get(other) == Some(man);
        if !alike(i + 1) || i > 0 && alike(i - 1) {
            continue;
        }
        for square in man.squares & evidence.hidden_squares() {
            let chance = chances.get(man.role, square).clamp(0.0, MAX_SHARE);
            *weights.get_mut(man.role, square) = -(1.0 - chance).ln();
        }
    }
    weights
}

/// A world consistent with the view, with the hidden pieces placed on hidden
/// squares uniformly or by the weights of a tensor. Returns `None` if the
/// pieces do not fit, as may happen with wrong material.
pub fn sample_placement(
    roster: &EnemyMaterial,
    evidence: &Evidence,
    chances: Option<&Marginals>,
    rng: &mut Rng,
) -> Option<World> {
    let mut last = None;
    for _ in 0..TRIES {
        let world = place_once(roster, evidence, chances, rng);
        last = world.or(last);
        if let Some(mut world) = world.filter(|w| roster.pawns_fit(w.pieces(Role::Pawn))) {
            world.set_rights(likely_rights(&world, evidence));
            return Some(world);
        }
    }
    last
}

/// A probability from which a square counts as certain.
pub(super) const CERTAIN: f64 = 1.0 - 1e-9;

/// A world in which each piece type is placed without regard to the others, as
/// in the code of Ermlick (2023): certain squares first, then squares drawn by
/// the layer, then any hidden square. Where two types meet, the later one in
/// the order P N B R Q K stays, so the king always does.
pub(crate) fn sample_layers(
    roster: &EnemyMaterial,
    evidence: &Evidence,
    chances: &Marginals,
    rng: &mut Rng,
) -> World {
    let hidden = roster.hidden(evidence.shown(), evidence);
    let mut world = *evidence.shown();
    for role in Role::ALL {
        let alike = || hidden.iter().filter(|man| man.role == role);
        let squares = alike().fold(Bitboard::EMPTY, |set, man| set | man.squares);
        let mut free = squares & evidence.hidden_squares();
        for _ in alike() {
            let Some(square) = draw_from_layer(free, role, chances, rng) else {
                break;
            };
            free = free.without(square);
            world.clear(square);
            world.put(square, role);
        }
    }
    world.set_rights(likely_rights(&world, evidence));
    world
}

fn draw_from_layer(
    free: Bitboard,
    role: Role,
    chances: &Marginals,
    rng: &mut Rng,
) -> Option<Square> {
    let certain = |square: &Square| chances.get(role, *square) >= CERTAIN;
    if let Some(square) = free.into_iter().find(certain) {
        return Some(square);
    }
    let weight = |square| chances.get(role, square).max(0.0);
    let total: f64 = free.into_iter().map(weight).sum();
    let mark = rng.random::<f64>();
    let drawn = match total > 0.0 {
        true => weighted_index(free.into_iter().map(weight), mark * total),
        false => weighted_index(free.into_iter().map(|_| 1.0), mark * free.count() as f64),
    };
    free.into_iter().nth(drawn?)
}

fn place_once(
    roster: &EnemyMaterial,
    evidence: &Evidence,
    chances: Option<&Marginals>,
    rng: &mut Rng,
) -> Option<World> {
    let mut world = *evidence.shown();
    let mut hidden = roster.hidden(&world, evidence);
    let dark = evidence.hidden_squares();
    // Each square that is known to be blocked gets a piece.
    for square in evidence.blocked() {
        let weight = |man: &HiddenPiece| match man.squares.contains(square) {
            true => chances.map_or(1.0, |heat| heat.get(man.role, square) + 1e-9),
            false => 0.0,
        };
        let total: f64 = hidden.iter().map(weight).sum();
        let drawn = weighted_index(hidden.iter().map(weight), rng.random::<f64>() * total);
        let man = hidden.swap_remove(drawn?);
        world.put(square, man.role);
    }
    // Pieces with fewer possible squares go first.
    hidden.sort_by_key(|man| (man.role != Role::King, (man.squares & dark).count()));
    for man in hidden {
        let mut free = man.squares & dark & !world.occupied();
        let weight = |square| chances.map(|heat| heat.get(man.role, square));
        let mut square = draw(free, weight, rng)?;
        while man.role == Role::Pawn && !roster.pawns_fit(world.pieces(Role::Pawn).with(square)) {
            free = free.without(square);
            square = draw(free, weight, rng)?;
        }
        world.put(square, man.role);
    }
    evidence.is_consistent(&world).then_some(world)
}

/// Samples one of the squares, by weight if weights are given.
fn draw(
    squares: Bitboard,
    weight: impl Fn(Square) -> Option<f64>,
    rng: &mut Rng,
) -> Option<Square> {
    let weight = |square| weight(square).map_or(1.0, |w| w.max(0.0) + 1e-6);
    let total: f64 = squares.into_iter().map(weight).sum();
    let mark = rng.random::<f64>() * total;
    let drawn = weighted_index(squares.into_iter().map(weight), mark)?;
    squares.into_iter().nth(drawn)
}

/// The castling rights that the places of king and rooks allow. The true rights
/// are unknown; a side that could have them usually does.
fn likely_rights(world: &World, evidence: &Evidence) -> CastlingRights {
    if !evidence.size().is_full() {
        return CastlingRights::NONE;
    }
    let placed = |castling: &&&Castling| {
        world.pieces(Role::King).contains(castling.king.0)
            && world.pieces(Role::Rook).contains(castling.rook.0)
    };
    Castling::of(!evidence.side())
        .iter()
        .filter(placed)
        .fold(CastlingRights::NONE, |rights, castling| {
            rights.with(castling)
        })
}

#[cfg(test)]
mod tests {
    use foglight_play::seeded;
    use foglight_rules::{Color, Game, State};

    use super::*;
    use crate::belief::marginals;

    #[test]
    fn layers_are_drawn_without_regard_to_each_other() {
        // The king is certain on a8, where the layer of the rook has it too.
        let game = Game::fog();
        let state = State::new(
            game,
            game.parse_fen("k6r/8/8/8/8/8/8/K7 w - - 0 1")
                .expect("a position"),
        );
        let world = World::of(state.position(), Color::Black);
        let roster = EnemyMaterial::new(&world, Color::Black);
        let evidence = Evidence::new(&game, state.observe(Color::White).view());
        let mut heat = marginals([&world]);
        *heat.get_mut(Role::Rook, Square::H8) = 0.5;
        *heat.get_mut(Role::Rook, Square::A8) = 0.5;
        let mut rng = seeded(1);
        let drawn: Vec<World> = (0..40)
            .map(|_| sample_layers(&roster, &evidence, &heat, &mut rng))
            .collect();
        assert!(
            drawn
                .iter()
                .all(|w| w.role_at(Square::A8) == Some(Role::King))
        );
        let rooks = drawn.iter().filter(|w| w.pieces(Role::Rook).any()).count();
        assert!((10..30).contains(&rooks), "{rooks}");
    }
}
