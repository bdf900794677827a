//! Beliefs of a side along a game whose true states are known, for analysis.

use foglight_rules::{Color, Move, State};

use super::set::{BeliefError, BeliefSet};
use foglight_play::Marginals;

/// The belief of a side at one ply of a known game.
#[derive(Clone, PartialEq, Debug)]
pub struct BeliefRow {
    /// Positions consistent with the observations.
    pub count: usize,
    /// Whether the set is complete, not cut by a cap.
    pub exact: bool,
    /// Whether the true position is in the set.
    pub truth: bool,
}

/// The belief of one side through a game whose true states the caller knows.
#[derive(Clone, Debug)]
pub struct BeliefReplay {
    belief: BeliefSet,
    side: Color,
}

impl BeliefReplay {
    /// Starts at the beginning of a game. Without a cap, beliefs against weak
    /// players exceed ten million positions.
    pub fn new(state: &State, side: Color, cap: Option<usize>, seed: u64) -> BeliefReplay {
        let belief = BeliefSet::new(state.game(), side, state.position());
        BeliefReplay {
            belief: belief.with_cap(cap.unwrap_or(usize::MAX), seed),
            side,
        }
    }

    /// Sets the number of threads for updates.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> BeliefReplay {
        self.belief = self.belief.with_threads(threads);
        self
    }

    /// Updates the belief after a ply that led to `state`.
    pub fn follow(&mut self, state: &State) -> Result<(), BeliefError> {
        self.belief.update(&state.observe(self.side))
    }

    /// The belief's statistics in `state`, the true state now.
    pub fn row(&self, state: &State) -> BeliefRow {
        BeliefRow {
            count: self.belief.count(),
            exact: self.belief.is_exact(),
            truth: self.belief.contains(state.position()),
        }
    }

    /// The probability of each enemy piece on each square.
    pub fn marginals(&self) -> Marginals {
        self.belief.marginals()
    }

    pub fn belief(&self) -> &BeliefSet {
        &self.belief
    }

    /// Whether every position, or at most `most` evenly spaced ones, gives the
    /// side the view and the legal moves that it has in `state`. This is the
    /// soundness property of a belief.
    pub fn is_honest(&self, state: &State, most: usize) -> bool {
        let observation = state.observe(self.side);
        let sorted = |mut moves: Vec<Move>| {
            moves.sort();
            moves
        };
        let moves = sorted(observation.legal_moves().to_vec());
        let step = self.belief.count().div_ceil(most.max(1)).max(1);
        self.belief.positions().step_by(step).all(|position| {
            let world = State::new(*state.game(), position).observe(self.side);
            world.view() == observation.view()
                && (state.outcome().is_some() || sorted(world.legal_moves().to_vec()) == moves)
        })
    }
}
