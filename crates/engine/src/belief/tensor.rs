//! Belief tensors of Ermlick 2023: for each enemy piece type a map of
//! probabilities, uniform over the hidden squares or updated from turn to turn.
//!
//! The report describes the update in words; what it leaves open follows the
//! author's code (github.com/ermlickw/darkchess), which reads the true number of
//! pieces and the true castling rights where this one has what the observer
//! knows.

use crate::belief::marginals;
use foglight_rules::{Bitboard, Color, Position, Role, Square};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    evidence::Evidence,
    material::{EnemyMaterial, HiddenPiece},
    placing::{CERTAIN, sample_layers},
    world::World,
};
use crate::eval::piece_value;
use foglight_play::Marginals;
use foglight_play::Rng;

/// Settings of the progressive tensor's update.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TensorUpdate {
    /// Boards on which the enemy's move is simulated.
    pub boards: usize,
    /// Share of the simulated replies that are greedy, the others random.
    pub greedy: f64,
    /// Temperature of the softmax over each layer.
    pub temperature: f64,
    /// Infer the origin of a visible move instead of lowering its whole layer.
    pub backtrack: bool,
}

impl Default for TensorUpdate {
    fn default() -> TensorUpdate {
        TensorUpdate {
            boards: 400,
            greedy: 0.1,
            temperature: 1.0,
            backtrack: false,
        }
    }
}

/// Shown pieces with certainty and hidden ones spread evenly over the hidden
/// squares on which they may stand: the belief of UBSA.
pub fn uniform(roster: &EnemyMaterial, evidence: &Evidence) -> Marginals {
    let mut heat = shown(evidence);
    for HiddenPiece { role, squares } in roster.hidden(evidence.shown(), evidence) {
        let free = squares & evidence.hidden_squares();
        for square in free {
            *heat.get_mut(role, square) += 1.0 / free.count() as f64;
        }
    }
    heat
}

/// A tensor of the shown pieces only.
fn shown(evidence: &Evidence) -> Marginals {
    marginals([evidence.shown()])
}

/// Updates a tensor after one ply of the enemy: the belief of PBSA. `before` is
/// the evidence after the observer's own move.
pub fn progress(
    heat: &Marginals,
    roster: &EnemyMaterial,
    before: &Evidence,
    after: &Evidence,
    how: &TensorUpdate,
    rng: &mut Rng,
) -> Marginals {
    let layers = match seen_change(before, after) {
        Some((Some(to), role)) if how.backtrack => backtracked(heat, before, to, role),
        Some((_, role)) => lowered(heat, before, after, role, how),
        None => simulated(heat, roster, before, after, how, rng),
    };
    settle(&layers, roster, after)
}

/// Updates a tensor after the observer's own move: shown pieces overwrite it,
/// and each layer passes through the softmax.
pub fn overwritten(
    heat: &Marginals,
    roster: &EnemyMaterial,
    after: &Evidence,
    how: &TensorUpdate,
) -> Marginals {
    let mut layers = heat.clone();
    for role in Role::ALL {
        let open = support(&layers, role, after.hidden_squares());
        let sum: f64 = open
            .into_iter()
            .map(|square| layers.get(role, square))
            .sum();
        for square in open {
            *layers.get_mut(role, square) /= sum;
        }
        soften(&mut layers, role, after, how.temperature);
    }
    settle(&layers, roster, after)
}

/// The enemy's move as far as it was seen: the piece type that changed on a
/// square visible before and after it, and the square on which it arrived.
fn seen_change(before: &Evidence, after: &Evidence) -> Option<(Option<Square>, Role)> {
    let common = before.fixed() & after.fixed();
    let changed = after.shown().differing(before.shown(), common);
    let arrived = (changed & after.shown().occupied()).first();
    let role = match arrived {
        Some(square) => after.shown().role_at(square),
        None => before.shown().role_at(changed.first()?),
    };
    Some((arrived, role?))
}

/// What a seen move takes off each hidden square of its layer.
const LOWERED: f64 = 1e-5;

/// The source's update by a seen move: lowers the layer of its piece on all
/// squares that were hidden. All of them are possible then.
fn lowered(
    heat: &Marginals,
    before: &Evidence,
    after: &Evidence,
    role: Role,
    how: &TensorUpdate,
) -> Marginals {
    let mut layers = heat.clone();
    for square in before.hidden_squares() {
        *layers.get_mut(role, square) -= LOWERED;
    }
    soften(&mut layers, role, after, how.temperature);
    layers
}

/// The improved update: removes the piece from the squares from which it could
/// arrive.
fn backtracked(heat: &Marginals, before: &Evidence, to: Square, role: Role) -> Marginals {
    let enemy = !before.side();
    let occupied = before.own().occupied() | before.shown().occupied();
    let reach = |role: Role| match role {
        Role::Pawn => {
            let back = match enemy {
                Color::White => -8,
                Color::Black => 8,
            };
            let behind = Bitboard::from_square(to).shift(back);
            behind | behind.shift(back) | foglight_rules::attacks::pawn_attacks(!enemy, to)
        }
        _ => foglight_rules::attacks::attacks(to, role.of(enemy), occupied),
    };
    let origins = reach(role) & before.hidden_squares();
    let total: f64 = origins.into_iter().map(|from| heat.get(role, from)).sum();
    let mut layers = heat.clone();
    for from in origins {
        let share = heat.get(role, from);
        let gone = if total > 0.0 {
            (share / total).min(share)
        } else {
            0.0
        };
        *layers.get_mut(role, from) -= gone;
    }
    layers
}

/// Simulates one enemy move on boards sampled from the tensor, averages those
/// that agree with what is seen now, and passes each layer through the softmax.
/// If none agrees, the tensor stays as it was. Where a piece of the observer was
/// lost, only captures of it are simulated: the author's code sees the capturer.
fn simulated(
    heat: &Marginals,
    roster: &EnemyMaterial,
    before: &Evidence,
    after: &Evidence,
    how: &TensorUpdate,
    rng: &mut Rng,
) -> Marginals {
    let mut worlds = Vec::with_capacity(how.boards);
    for _ in 0..how.boards {
        let world = sample_layers(roster, before, heat, rng);
        let lost = before.own().occupied() & !after.own().occupied();
        let next = match lost.is_empty() {
            true => replied(before, &world, how.greedy, rng),
            false => captured(before, after, &world, rng),
        };
        worlds.extend(after.world_of(&next).filter(|w| after.is_consistent(w)));
    }
    let mut layers = match worlds.is_empty() {
        true => heat.clone(),
        false => marginals(&worlds),
    };
    for role in Role::ALL {
        soften(&mut layers, role, after, how.temperature);
    }
    layers
}

/// One enemy move in a world: greedy with probability `greedy`, else uniform.
pub fn reply(before: &Evidence, world: &World, greedy: f64, rng: &mut Rng) -> World {
    World::of(&replied(before, world, greedy, rng), !before.side())
}

/// The position after such a move.
fn replied(before: &Evidence, world: &World, greedy: f64, rng: &mut Rng) -> Position {
    let mut position = before.position(world);
    let game = before.game();
    let moves = game.legal_moves(&position);
    let value = |m: &foglight_rules::Move| position.captured(*m).map_or(0, piece_value);
    let best = moves.iter().map(value).max().unwrap_or(0);
    let choice = if best > 0 && rng.random_bool(greedy) {
        let best: Vec<_> = moves.iter().filter(|m| value(m) == best).copied().collect();
        best.choose(rng).copied()
    } else {
        moves.choose(rng).copied()
    };
    if let Some(m) = choice {
        game.play_unchecked(&mut position, m);
    }
    position
}

/// The position after one of the enemy moves that leave the observer these
/// pieces; the position itself if there is none, which agrees with nothing.
fn captured(before: &Evidence, after: &Evidence, world: &World, rng: &mut Rng) -> Position {
    let position = before.position(world);
    let moves = before.game().legal_moves(&position);
    let captures = moves.iter().filter(|m| position.captured(**m).is_some());
    let replies = captures.map(|m| {
        let mut next = position;
        before.game().play_unchecked(&mut next, *m);
        next
    });
    let replies: Vec<Position> = replies
        .filter(|next| after.world_of(next).is_some())
        .collect();
    replies.choose(rng).copied().unwrap_or(position)
}

/// The squares of `among` on which a layer is neither zero nor certain.
fn support(layers: &Marginals, role: Role, among: Bitboard) -> Bitboard {
    among
        .into_iter()
        .filter(|square| {
            let share = layers.get(role, *square);
            share != 0.0 && share < CERTAIN
        })
        .fold(Bitboard::EMPTY, Bitboard::with)
}

/// The softmax over the hidden squares on which a layer is neither zero nor
/// certain.
fn soften(layers: &mut Marginals, role: Role, after: &Evidence, temperature: f64) {
    let squares = support(layers, role, after.hidden_squares());
    for square in squares {
        let share = layers.get_mut(role, square);
        *share = (*share / temperature).exp();
    }
    let total: f64 = squares
        .into_iter()
        .map(|square| layers.get(role, square))
        .sum();
    for square in squares {
        *layers.get_mut(role, square) /= total;
    }
}

/// Overwrites shown squares and scales each layer to its number of hidden
/// pieces. Squares that are certain stay so while there are enough pieces;
/// pieces without a possible square are spread evenly.
fn settle(layers: &Marginals, roster: &EnemyMaterial, after: &Evidence) -> Marginals {
    let even = uniform(roster, after);
    let mut heat = shown(after);
    for role in Role::ALL {
        let hidden = after.hidden_squares();
        let mass = |heat: &Marginals, squares: Bitboard| -> f64 {
            squares
                .into_iter()
                .map(|square| heat.get(role, square))
                .sum()
        };
        let open = support(layers, role, hidden);
        let certain = hidden
            .into_iter()
            .filter(|s| layers.get(role, *s) >= CERTAIN);
        let certain = certain.fold(Bitboard::EMPTY, Bitboard::with);
        let wanted = mass(&even, hidden);
        let sure = wanted.min(certain.count() as f64);
        let left = if wanted - sure > 1e-9 {
            wanted - sure
        } else {
            0.0
        };
        let have = mass(layers, open);
        for square in certain {
            *heat.get_mut(role, square) = sure / certain.count() as f64;
        }
        for square in hidden & !certain {
            *heat.get_mut(role, square) = if have > 1e-9 {
                layers.get(role, square) * left / have
            } else {
                even.get(role, square) * left / mass(&even, hidden & !certain).max(1e-9)
            };
        }
    }
    heat
}

/// Layers of the 23-layer form.
pub const LAYERS: usize = 23;

/// The 23-layer form for a network: own pieces (0 to 5), probabilities of enemy
/// pieces (6 to 11), castling rights (12 own king's side, 13 own queen's side;
/// 14, 15 the enemy's, which no view shows: 0), turn (16: 1 if the observer
/// moves), en passant square (17), halfmove clock and move number over 100
/// where public (18, 19), squares known to be blocked (20), squares of the
/// board (21), visible squares (22). Piece types in the order P N B R Q K,
/// ranks from the observer's own side, so that both colours have the same form.
/// The thesis says only that layers turn with the player and that the last one
/// is the view.
pub fn layers(heat: &Marginals, evidence: &Evidence) -> Vec<[f32; 64]> {
    let side = evidence.side();
    let turn = |square: Square| match side {
        Color::White => square,
        Color::Black => evidence.size().mirror(square),
    };
    let mut layers = vec![[0.0; 64]; LAYERS];
    for square in evidence.size().mask() {
        let at = turn(square) as usize;
        for (i, role) in Role::ALL.into_iter().enumerate() {
            let own = evidence.own().pieces(side, role).contains(square);
            layers[i][at] = f32::from(u8::from(own));
            layers[6 + i][at] = heat.get(role, square) as f32;
        }
        let rights = evidence.own_rights();
        for (i, castling) in foglight_rules::Castling::of(side).iter().enumerate() {
            layers[12 + i][at] = f32::from(u8::from(rights.has(castling)));
        }
        layers[16][at] = f32::from(u8::from(evidence.turn() == side));
        layers[17][at] = f32::from(u8::from(evidence.ep_square() == Some(square)));
        if let Some((halfmoves, fullmoves)) = evidence.counters() {
            layers[18][at] = f32::from(halfmoves) / 100.0;
            layers[19][at] = f32::from(fullmoves) / 100.0;
        }
        layers[20][at] = f32::from(u8::from(evidence.blocked().contains(square)));
        layers[21][at] = 1.0;
        layers[22][at] = f32::from(u8::from(evidence.seen().contains(square)));
    }
    layers
}
