//! Repetition avoidance: a side with the better position avoids a placement of
//! its own pieces that has occurred twice. Repeated positions are drawn, and the
//! search tree does not contain the history of the game.

use foglight_rules::{Move, Observation, View};
use foglight_solver::mix;

use foglight_play::rng::derive;

/// Placements of our own pieces at the start and after each of our moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepetitionGuard {
    stood: Vec<u64>,
}

/// Value from which repetitions are avoided.
const BETTER: f64 = 0.04;
/// Maximum loss of value for the replacement move.
const COST: f32 = 0.15;

impl RepetitionGuard {
    /// Forgets the placements of the last game.
    pub fn clear(&mut self) {
        self.stood.clear();
    }

    /// Records the placement at the start and after each of our own moves.
    pub fn see(&mut self, observation: &Observation) {
        if observation.plies() == 0 || observation.news().own_move.is_some() {
            self.stood.push(standing(observation.view()));
        }
    }

    /// Shifts the probability of moves that repeat a placement a third time to the
    /// best other move, unless that costs more than [`COST`]. `values` holds the
    /// value of each move, `value` that of the root.
    pub(crate) fn avoid(
        &self,
        observation: &Observation,
        moves: &[Move],
        mix: &mut [f64],
        values: &[f32],
        value: f64,
    ) {
        if value < BETTER {
            return;
        }
        let now = standing(observation.view());
        let repeats = |m: &Move| {
            let after = now ^ change(observation.view(), *m);
            self.stood.iter().filter(|known| **known == after).count() >= 2
        };
        let bad: Vec<bool> = moves.iter().map(repeats).collect();
        let Some(first) = (0..moves.len()).find(|&i| bad[i] && mix[i] > 0.0) else {
            return;
        };
        let others = (0..moves.len()).filter(|&i| !bad[i]);
        let best = others.max_by(|&a, &b| {
            let worth = |i: usize| (mix[i] > 0.0, values[i]);
            worth(a)
                .0
                .cmp(&worth(b).0)
                .then(worth(a).1.total_cmp(&worth(b).1))
        });
        let Some(best) = best.filter(|&best| values[best] >= values[first] - COST) else {
            return;
        };
        for i in 0..moves.len() {
            if bad[i] {
                mix[best] += std::mem::take(&mut mix[i]);
            }
        }
    }
}

/// Hash of the placement of the observer's own pieces.
fn standing(view: &View) -> u64 {
    let own = view.board.masked(view.own());
    own.iter().fold(0, |sum, (square, piece)| {
        sum ^ place(piece.role as u64, square as u64)
    })
}

/// Change of that hash by a move. The castling rook is left out: castling and
/// promotion cannot be undone, so their hashes only have to differ.
fn change(view: &View, m: Move) -> u64 {
    let role = view.board.role_at(m.from()).map_or(0, |role| role as u64);
    let becomes = m.promotion().map_or(role, |role| role as u64);
    place(role, m.from() as u64) ^ place(becomes, m.to() as u64)
}

fn place(role: u64, square: u64) -> u64 {
    mix(derive(role, square), 0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Color, Game, State};

    use super::*;

    #[test]
    fn a_third_time_is_avoided_when_it_stands_better() {
        let mut state = State::start(Game::fog());
        let mut restless = RepetitionGuard::default();
        for text in [
            "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "b8c6",
        ] {
            let action = state.parse_action(text).expect("legal");
            state.play_unchecked(action);
            restless.see(&state.observe(Color::White));
        }
        let seen = state.observe(Color::White);
        let moves = seen.legal_moves().to_vec();
        let back = moves.iter().position(|m| m.to_string() == "g1f3");
        let back = back.expect("a move");
        let values = vec![0.2; moves.len()];
        let mut mix = vec![0.0; moves.len()];
        mix[back] = 1.0;
        let mut worse = mix.clone();
        restless.avoid(&seen, &moves, &mut mix, &values, 0.2);
        assert_eq!(mix[back], 0.0);
        assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        restless.avoid(&seen, &moves, &mut worse, &values, -0.2);
        assert_eq!(worse[back], 1.0, "a draw is fine for the weaker side");
    }

    /// The start position counts as the first occurrence.
    #[test]
    fn the_start_is_the_first_time() {
        let mut state = State::start(Game::fog());
        let mut restless = RepetitionGuard::default();
        restless.see(&state.observe(Color::White));
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"] {
            let action = state.parse_action(text).expect("legal");
            state.play_unchecked(action);
            restless.see(&state.observe(Color::White));
        }
        let seen = state.observe(Color::White);
        let moves = seen.legal_moves().to_vec();
        let home = moves.iter().position(|m| m.to_string() == "f3g1");
        let home = home.expect("a move");
        let mut mix = vec![0.0; moves.len()];
        mix[home] = 1.0;
        restless.avoid(&seen, &moves, &mut mix, &vec![0.2; moves.len()], 0.2);
        assert_eq!(mix[home], 0.0);
    }
}
