//! The first search of a side whose opponent begins: a tree of the known position
//! before it, so that the first subgame too has alternate values and reaches of the
//! opponent's moves.

use foglight_rules::{Color, Observation, PackedPosition};
use foglight_solver::{GameTree, RootGadget, RootInfoset, RootNode, Side, Solver, SolverSettings};

use super::{domain::FogSubgame, worlds::Worlds};
use foglight_play::rng::derive;

/// A known position in which the opponent is to move.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    /// Our infostate key in it.
    key: u64,
    position: PackedPosition,
    plies: u32,
}

impl Opening {
    /// The position of the first observation, if the belief knows it and the
    /// opponent is to move.
    pub fn of(observation: &Observation, worlds: &Worlds, us: Color, key: u64) -> Option<Opening> {
        let belief = worlds.belief().filter(|belief| belief.count() == 1)?;
        let position = belief.positions().next()?;
        let theirs = position.turn() != us && observation.outcome().is_none();
        theirs.then(|| Opening {
            key,
            position: PackedPosition::new(&position),
            plies: observation.plies(),
        })
    }

    /// The solver of its tree, with the moves of the opponent.
    pub fn solver(self, fog: &mut FogSubgame, settings: SolverSettings) -> Solver<PackedPosition> {
        fog.plies = self.plies;
        let mut tree = GameTree::default();
        let keys = [self.key, derive(self.key, 1)];
        let node = tree.push_root(self.position, Side::Them, keys, 0.0);
        let root = RootInfoset::new(vec![RootNode { node, prob: 1.0 }], 0.0, 1.0);
        let gadget = RootGadget::whole_game(vec![root]);
        let mut solver = Solver::new(tree, gadget, settings);
        solver.expand(fog, node);
        solver
    }
}
