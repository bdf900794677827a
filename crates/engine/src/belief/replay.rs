//! Following a game that is known, to study what a side could believe.

use foglight_rules::{Color, Move, State};

use super::set::{BeliefError, BeliefSet};
use foglight_play::Marginals;

/// What a side could believe at one ply of a known game.
#[derive(Clone, PartialEq, Debug)]
pub struct BeliefRow {
    /// Positions that fit all that was seen.
    pub count: usize,
    /// Are these all, none cut by a cap?
    pub exact: bool,
    /// Is the true position among them?
    pub truth: bool,
}

/// The belief of one side through a game whose truth the caller knows.
#[derive(Clone, Debug)]
pub struct BeliefReplay {
    belief: BeliefSet,
    side: Color,
}

impl BeliefReplay {
    /// From the start of a game. Without a cap beliefs of weak players grow
    /// past ten million positions.
    pub fn new(state: &State, side: Color, cap: Option<usize>, seed: u64) -> BeliefReplay {
        let belief = BeliefSet::new(state.game(), side, state.position());
        BeliefReplay {
            belief: belief.with_cap(cap.unwrap_or(usize::MAX), seed),
            side,
        }
    }

    /// The same on so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> BeliefReplay {
        self.belief = self.belief.with_threads(threads);
        self
    }

    /// The next single move was played and led to `state`.
    pub fn follow(&mut self, state: &State) -> Result<(), BeliefError> {
        self.belief.update(&state.observe(self.side))
    }

    /// What is believed in `state`, which is the true one now.
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

    /// Does every position, or of more than `most` so many spread evenly over
    /// them, give the side the view and the moves that it has in `state`? The
    /// law that makes a belief honest.
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
