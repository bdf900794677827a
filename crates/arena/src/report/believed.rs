//! Number of positions that a player of a recorded game could not distinguish:
//! the statistic that the thesis (section 2.5) asks for and does not measure.

use foglight_engine::belief::BeliefSet;
use foglight_rules::{ByColor, Color, Record};

/// Size of the mover's exact belief before each move of a fog game: ply from 0,
/// mover, positions. A side is tracked until its belief exceeds `cap`.
pub(super) fn sizes(record: &Record, cap: usize) -> Vec<(u32, Color, usize)> {
    let game = record.game;
    if game.fog_rules().is_none() {
        return Vec::new();
    }
    let mut beliefs = ByColor::new_with(|side| Some(BeliefSet::new(&game, side, &record.start)));
    let mut sizes = Vec::new();
    let mut replay = record.replay();
    while beliefs.iter().any(Option::is_some) {
        let side = replay.state().position().turn();
        let held = beliefs.get(side).as_ref().map(BeliefSet::count);
        let ply = replay.state().plies();
        if !matches!(replay.step(), Some(Ok(_))) {
            break;
        }
        sizes.extend(held.map(|count| (ply, side, count)));
        for side in Color::ALL {
            let observed = replay.state().observe(side);
            let belief = beliefs.get_mut(side);
            let followed = belief.take().and_then(|mut belief| {
                belief.update(&observed).ok()?;
                Some(belief)
            });
            *belief = followed.filter(|belief| belief.count() <= cap);
        }
    }
    sizes
}
