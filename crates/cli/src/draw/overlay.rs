//! Belief drawn over the fog: a warmer square is more likely to hold a piece,
//! and a likely piece type appears as a ghost.

use foglight_play::Marginals;
use foglight_rules::{Color, Role, Square};

use super::pieces;

/// A belief to be drawn.
pub(crate) struct Overlay {
    heat: Marginals,
    enemy: Color,
    /// One piece type, or all of them.
    role: Option<Role>,
}

/// Probability below which a square is unmarked.
const FAINTEST: f64 = 0.002;
/// Probability from which a ghost is drawn.
const GHOST: f64 = 0.12;

impl Overlay {
    /// Overlay of one enemy piece type or of all.
    pub(crate) fn new(heat: Marginals, enemy: Color, role: Option<Role>) -> Overlay {
        Overlay { heat, enemy, role }
    }

    fn chance(&self, square: Square) -> f64 {
        match self.role {
            Some(role) => self.heat.get(role, square),
            None => self.heat.any(square),
        }
    }

    /// The most likely piece type on a square with its probability.
    fn likeliest(&self, square: Square) -> (Role, f64) {
        let roles = Role::ALL.into_iter().filter(|role| match self.role {
            Some(chosen) => chosen == *role,
            None => true,
        });
        let chances = roles.map(|role| (role, self.heat.get(role, square)));
        chances
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((Role::Pawn, 0.0))
    }

    /// Mark of a square whose corner is here, in a box of 100 by 100.
    pub(crate) fn mark(&self, square: Square, (x, y): (usize, usize)) -> String {
        let chance = self.chance(square);
        if chance < FAINTEST {
            return String::new();
        }
        // Differences among small probabilities should be visible too.
        let strength = chance.clamp(0.0, 1.0).powf(0.55);
        let mut svg = format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100.0\" fill=\"{}\" opacity=\"{:.2}\"/>",
            warmth(strength),
            0.18 + 0.77 * strength,
        );
        let (role, alone) = self.likeliest(square);
        if alone >= GHOST {
            let id = pieces::id(role.of(self.enemy));
            let (left, top) = (x + 14, y + 14);
            svg.push_str(&format!(
                "<use href=\"#{id}\" transform=\"translate({left} {top}) scale(0.72)\" opacity=\"{:.2}\"/>",
                0.25 + 0.75 * alone.min(1.0),
            ));
        }
        svg
    }
}

/// Colour ramp from ember to gold, with increasing lightness, so that it is
/// legible without colours too.
fn warmth(strength: f64) -> String {
    const RAMP: [[f64; 3]; 4] = [
        [92.0, 46.0, 72.0],
        [196.0, 70.0, 62.0],
        [240.0, 140.0, 50.0],
        [255.0, 214.0, 102.0],
    ];
    let at = strength.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let low = (at as usize).min(RAMP.len() - 2);
    let part = at - low as f64;
    let mix = |i: usize| RAMP[low][i] + (RAMP[low + 1][i] - RAMP[low][i]) * part;
    format!(
        "#{:02x}{:02x}{:02x}",
        mix(0) as u8,
        mix(1) as u8,
        mix(2) as u8
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_runs_from_ember_to_gold() {
        assert_eq!(warmth(0.0), "#5c2e48");
        assert_eq!(warmth(1.0), "#ffd666");
        assert_eq!(warmth(7.0), "#ffd666");
    }

    #[test]
    fn impossible_squares_stay_dark_and_sure_ones_show_the_piece() {
        let mut heat = Marginals::default();
        *heat.get_mut(Role::King, Square::E8) = 1.0;
        *heat.get_mut(Role::Rook, Square::A8) = 0.05;
        let all = Overlay::new(heat.clone(), Color::Black, None);
        assert_eq!(all.mark(Square::D4, (0, 0)), "");
        assert!(all.mark(Square::E8, (0, 0)).contains("#bk"));
        assert!(!all.mark(Square::A8, (0, 0)).contains("<use"));
        let king = Overlay::new(heat, Color::Black, Some(Role::King));
        assert_eq!(king.mark(Square::A8, (0, 0)), "");
    }
}
