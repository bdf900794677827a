//! How many positions a player of a recorded game could not tell apart: the
//! statistic that the thesis (section 2.5) asked for and could not measure.

use foglight_engine::belief::ExactBelief;
use foglight_rules::{Color, State};

use crate::record::GameRecord;

/// The size of the mover's exact belief before each move of a game of fog:
/// single move from 0, mover, positions. A side is followed until its belief
/// passes `cap`; that size is the last one given.
pub fn sizes(record: &GameRecord, cap: usize) -> Vec<(u32, Color, usize)> {
    let game = record.record.game;
    if game.fog_rules().is_none() {
        return Vec::new();
    }
    let mut sizes = Vec::new();
    for side in Color::ALL {
        let mut state = State::new(game, record.record.start);
        let mut belief = ExactBelief::new(&game, side, state.position());
        for action in &record.record.actions {
            if state.position().turn() == side {
                sizes.push((state.plies(), side, belief.count()));
            }
            state.play_unchecked(*action);
            let lost = belief.update(&state.observe(side)).is_err();
            if lost || belief.count() > cap {
                break;
            }
        }
    }
    sizes
}
