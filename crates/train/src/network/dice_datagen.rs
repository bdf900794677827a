//! Training positions of one-die chess, labelled with the value of the pieces:
//! the kings' danger, which is known exactly, is factored out.

use std::sync::atomic::AtomicBool;

use foglight_rules::{Action, Color, Game, Position};
use rand::{Rng as _, seq::IndexedRandom};

use super::NetworkExample;
use foglight_engine::dice::{
    dice1_search::{think, without_dice},
    search::DiceSearch,
    table::DiceTable,
    value::quiet_part,
};
use foglight_engine::eval::Evaluator;
use foglight_play::{Budget, Next, Session, dice::weighted, rng::derive, seeded};

/// Settings of games of one-die chess and their labels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiceDataGen {
    /// Maximum random moves before the players begin.
    pub random: usize,
    /// Nodes of a player's move.
    pub nodes: u64,
    /// Search depth of a label, in plies.
    pub depth: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for DiceDataGen {
    fn default() -> DiceDataGen {
        DiceDataGen {
            random: 10,
            nodes: 2000,
            depth: 2,
            seed: 1,
        }
    }
}

/// Size of the players' transposition table in mebibytes.
const TABLE: usize = 4;
/// Maximum length of a game in plies.
const PLIES: u32 = 300;
/// Probability of a random move later on, so that games differ.
const STRAY: f64 = 0.02;

impl DiceDataGen {
    /// The examples of a game of `evaluator` against itself. The same number and
    /// seed give the same examples, whatever ran before.
    pub fn game(
        &self,
        evaluator: &(impl Evaluator<Color, f32> + Sync),
        number: u32,
    ) -> Vec<NetworkExample> {
        let mut rng = seeded(derive(self.seed, u64::from(number)));
        let table = DiceTable::new(TABLE);
        let random = rng.random_range(0..=self.random) as u32;
        let game = Game::dice1();
        let mut session = Session::new(game, game.start(), None);
        let mut positions = Vec::new();
        while session.state().plies() < PLIES {
            let state = session.state();
            let action = match session.next() {
                Next::Over(_) => break,
                Next::Roll(_) => {
                    if state.plies() >= random {
                        positions.push(*state.position());
                    }
                    Action::Roll(weighted(&session.chances(), rng.random()))
                }
                Next::Ask(side) => {
                    let stray = state.plies() < random || rng.random_bool(STRAY);
                    let legal = session.observation(side).legal_moves();
                    Action::Move(if stray {
                        *legal.choose(&mut rng).expect("a running game has a move")
                    } else {
                        let budget = Budget::nodes(self.nodes);
                        think(&game, state.position(), legal, (evaluator, &table), &budget).best
                    })
                }
            };
            session.apply(action);
        }
        let outcome = session.outcome();
        let each = positions.iter().filter_map(|position| {
            let score = self.score(evaluator, &table, position)?;
            let result = outcome.map(|outcome| outcome.score(position.turn()));
            let result = result.map_or(NetworkExample::NO_RESULT, |result| (2.0 * result) as u8);
            Some(NetworkExample::new(position, score, result, number))
        });
        each.collect()
    }

    /// The value of the pieces in centipawns, by a search; `None` where the
    /// kings decide.
    fn score(
        &self,
        evaluator: &(impl Evaluator<Color, f32> + Sync),
        table: &DiceTable,
        position: &Position,
    ) -> Option<i32> {
        let (budget, halt) = (Budget::default(), AtomicBool::new(false));
        let mut search = DiceSearch::new(&Game::dice1(), evaluator, table, &budget, &halt);
        let position = without_dice(position);
        let value = search.roll_value(&position, self.depth).ok()?;
        let quiet = quiet_part(&position, value)?.clamp(0.001, 0.999);
        Some((400.0 * (quiet / (1.0 - quiet)).log10()) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foglight_engine::dice::PieceSquareValues;

    #[test]
    fn the_same_seed_gives_the_same_examples() {
        let rolls = DiceDataGen {
            nodes: 200,
            depth: 1,
            ..DiceDataGen::default()
        };
        let examples = rolls.game(PieceSquareValues::default_values(), 3);
        assert!(examples.len() > 10);
        assert_eq!(examples, rolls.game(PieceSquareValues::default_values(), 3));
        assert_ne!(examples, rolls.game(PieceSquareValues::default_values(), 4));
        assert!(examples.iter().all(|example| example.game == 3));
    }
}
