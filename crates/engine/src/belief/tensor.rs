//! Belief tensors of Ermlick 2023: for each enemy piece type a map of
//! probabilities, uniform over the hidden squares or updated from turn to turn.
//!
//! The thesis gives neither the number of simulated boards, the share of greedy
//! replies nor the softmax's temperature: they are options here.

use crate::belief::marginals;
use foglight_rules::{Bitboard, Color, Role, Square};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    evidence::Evidence,
    material::{EnemyMaterial, HiddenPiece},
    placing::sample_placement,
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
            boards: 100,
            greedy: 0.3,
            temperature: 0.1,
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
    let layers = match seen_arrival(before, after) {
        Some((to, role)) if how.backtrack => backtracked(heat, before, to, role),
        Some((_, role)) => lowered(heat, roster, before, role),
        None => simulated(heat, roster, before, how, rng),
    };
    settle(&layers, roster, after)
}

/// Updates a tensor after the observer's own move: shown pieces overwrite it.
pub fn overwritten(heat: &Marginals, roster: &EnemyMaterial, after: &Evidence) -> Marginals {
    settle(heat, roster, after)
}

/// A piece that appeared on a square visible before and after the move.
fn seen_arrival(before: &Evidence, after: &Evidence) -> Option<(Square, Role)> {
    let common = before.fixed() & after.fixed();
    let changed = after.shown().differing(before.shown(), common);
    let arrived = (changed & after.shown().occupied()).first()?;
    Some((arrived, after.shown().role_at(arrived)?))
}

/// The thesis's update: lowers the layer of the moved piece everywhere, by the
/// share of one piece.
fn lowered(heat: &Marginals, roster: &EnemyMaterial, before: &Evidence, role: Role) -> Marginals {
    let hidden = roster.hidden(before.shown(), before);
    let count = hidden.iter().filter(|man| man.role == role).count();
    let kept = count.saturating_sub(1) as f64 / count.max(1) as f64;
    let mut layers = heat.clone();
    for square in before.hidden_squares() {
        *layers.get_mut(role, square) *= kept;
    }
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

/// Simulates one enemy move on boards sampled from the tensor, averages them
/// and sharpens each layer by a softmax.
fn simulated(
    heat: &Marginals,
    roster: &EnemyMaterial,
    before: &Evidence,
    how: &TensorUpdate,
    rng: &mut Rng,
) -> Marginals {
    let mut worlds = Vec::with_capacity(how.boards);
    for _ in 0..how.boards {
        let Some(world) = sample_placement(roster, before, Some(heat), rng) else {
            continue;
        };
        worlds.push(reply(before, &world, how.greedy, rng));
    }
    let mut layers = marginals(&worlds);
    for role in Role::ALL {
        soften(&mut layers, role, before, how.temperature);
    }
    layers
}

/// One enemy move in a world: greedy with probability `greedy`, else uniform.
pub fn reply(before: &Evidence, world: &World, greedy: f64, rng: &mut Rng) -> World {
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
    World::of(&position, !before.side())
}

fn soften(layers: &mut Marginals, role: Role, before: &Evidence, temperature: f64) {
    let squares = before.hidden_squares();
    let sum: f64 = squares
        .into_iter()
        .map(|square| layers.get(role, square))
        .sum();
    let weight = |share: f64| (share / temperature).exp();
    let total: f64 = squares
        .into_iter()
        .map(|square| weight(layers.get(role, square)))
        .sum();
    for square in squares {
        let share = layers.get_mut(role, square);
        *share = weight(*share) / total * sum;
    }
}

/// Overwrites shown squares and normalises each layer to its number of pieces.
fn settle(layers: &Marginals, roster: &EnemyMaterial, after: &Evidence) -> Marginals {
    let even = uniform(roster, after);
    let mut heat = shown(after);
    for role in Role::ALL {
        let mass = |heat: &Marginals| -> f64 {
            let squares = after.hidden_squares().into_iter();
            squares.map(|square| heat.get(role, square)).sum()
        };
        let (wanted, have) = (mass(&even), mass(layers));
        for square in after.hidden_squares() {
            *heat.get_mut(role, square) = if have > 1e-9 {
                layers.get(role, square) * wanted / have
            } else {
                even.get(role, square)
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
