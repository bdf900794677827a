//! Small games with known equilibria, for proofs of the solver.

pub mod kuhn;
pub mod leduc;
pub mod rps;

use super::{
    game::{Child, Growing, Player, link},
    gate::{Gate, Group, Root},
    run::expand,
    solver::{Solver, SolverSettings},
    tree::{Kind, Tree},
};

/// A start of a game: state, what each player knows of it, probability.
pub type Start<S> = (S, [u64; 2], f64);

/// A whole game as an open tree, grown to the end.
pub fn whole<G: Growing>(game: &mut G, starts: Vec<Start<G::State>>) -> Solver<G::State> {
    let mut tree = Tree::default();
    let groups = starts
        .into_iter()
        .map(|(state, known, chance)| {
            let keys = known.map(|seen| link(0, None, seen));
            let node = tree.push(state, Player::Us, keys, 0.0, false);
            Group::new(vec![Root { node, share: 1.0 }], 0.0, chance)
        })
        .collect();
    let mut solver = Solver::new(tree, Gate::open(groups), SolverSettings::default());
    let mut children: Vec<Child<G::State>> = Vec::new();
    let mut at = 0;
    while at < solver.tree.len() {
        if solver.tree.nodes[at].kind == Kind::Leaf {
            expand(&mut solver, game, at as u32, &mut children);
        }
        at += 1;
    }
    solver
}
