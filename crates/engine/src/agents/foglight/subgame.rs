//! The subgame of a move: what is carried over, and the worlds added to it.

use std::collections::HashSet;

use foglight_rules::{Packed, Position};

use super::{domain::Fog, options::Settings, worlds::Worlds};
use crate::{
    Rng,
    solve::growing::{
        Carried, Carrying, Child, Gate, Group, Player, Root, Solver, Tree, carry, game::fold,
        run::expand, tree::Kind,
    },
};

/// A subgame and where it came from.
pub struct Subgame {
    /// The tree with its root layer.
    pub solver: Solver<Packed>,
    /// Nodes of the old tree in it.
    pub carried: usize,
    /// Positions that we may be in, each once.
    pub worlds: usize,
}

/// What is needed to make one.
pub struct Maker<'a> {
    /// The game.
    pub fog: &'a mut Fog,
    /// How.
    pub settings: &'a Settings,
    /// What may be true.
    pub worlds: &'a Worlds,
    /// Our chain of actions and observations.
    pub key: u64,
    /// Our value of the search before, if there was one.
    pub value: Option<f64>,
}

/// Prior odds of a world in which the opponent left our king standing.
const DOUBT: f64 = 0.05;

impl Maker<'_> {
    /// Makes the subgame.
    pub fn make(&mut self, old: Option<&Solver<Packed>>, rng: &mut Rng) -> Subgame {
        let settings = self.settings;
        let mut begun = match old {
            Some(old) if settings.carry => carry(old, self.key, self.carrying()),
            _ => Carried {
                tree: Tree::default(),
                groups: Vec::new(),
                here: Vec::new(),
            },
        };
        let carried = begun.tree.len();
        self.raise_alternatives(&mut begun);
        let identity = |packed: &Packed| packed.unpack().without_counters().hash();
        let mut known: HashSet<u64> = begun
            .here
            .iter()
            .map(|&node| identity(&begun.tree.rest[node as usize].state))
            .collect();
        let all = self.worlds.belief().map_or(0, |belief| belief.count());
        // A set that fits is used whole: what is carried over is biased by the
        // search that carried it.
        let wanted = settings.worlds.min(all);
        let missing = if all <= settings.worlds {
            all
        } else {
            wanted
                .saturating_sub(known.len())
                .max(wanted / settings.fresh)
        };
        let odd = (settings.worlds / 16).max(1);
        let drawn = self.worlds.draw(
            missing,
            odd,
            &mut |position| !known.insert(position.hash()),
            rng,
        );
        for (position, sane) in drawn {
            let odds = if sane { 1.0 } else { DOUBT };
            self.add(&mut begun, &position, odds);
        }
        let gate = Gate::gadget(begun.groups, settings.prior).with_trust(settings.trust);
        let mut solver = Solver::new(begun.tree, gate, settings.solver);
        self.expand_roots(&mut solver, begun.here);
        Subgame {
            solver,
            carried,
            worlds: known.len(),
        }
    }

    fn carrying(&self) -> Carrying {
        let settings = self.settings;
        Carrying {
            regrets: settings.regrets,
            freeze: settings.freeze,
            most: settings.worlds * settings.room,
        }
    }

    /// Where the old search hardly looked its value is no promise worth
    /// keeping: what a new world would be given is the least.
    fn raise_alternatives(&self, begun: &mut Carried<Packed>) {
        if !self.settings.floor {
            return;
        }
        for group in &mut begun.groups {
            let judged = |root: &Root| root.share * f64::from(begun.tree.node(root.node).value);
            let value: f64 = group.roots.iter().map(judged).sum();
            let floor = self.value.map_or(value, |before| value.min(before));
            group.alternative = group.alternative.max(floor);
        }
    }

    /// A world of its own: the opponent is taken to know it.
    fn add(&mut self, begun: &mut Carried<Packed>, position: &Position, odds: f64) {
        let value = self.fog.leaves.value(&self.fog.game, position);
        let theirs = fold(
            position.hash() ^ 0x1d8e_4e27_c47d_124f,
            self.key ^ 0x5851_f42d,
        );
        let keys = [self.key, theirs];
        let packed = Packed::new(position);
        let node = begun
            .tree
            .push(packed, Player::Us, keys, value as f32, false);
        let alternative = self.value.map_or(value, |before| value.min(before));
        let roots = vec![Root { node, share: 1.0 }];
        let group = Group::new(roots, alternative, 0.0).with_odds(odds);
        begun.groups.push(group);
        begun.here.push(node);
    }

    /// Expands what we may be in, the likeliest first, as far as the number of
    /// worlds goes: only there our moves are compared.
    fn expand_roots(&mut self, solver: &mut Solver<Packed>, here: Vec<u32>) {
        let here: HashSet<u32> = here.into_iter().collect();
        let mut open: Vec<(f64, u32)> = Vec::new();
        for group in &solver.gate.groups {
            for root in &group.roots {
                let leaf = solver.tree.node(root.node).kind == Kind::Leaf;
                if leaf && here.contains(&root.node) {
                    open.push((group.prior * root.share, root.node));
                }
            }
        }
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut children: Vec<Child<Packed>> = Vec::new();
        for (_, node) in open.into_iter().take(self.settings.worlds) {
            expand(solver, self.fog, node, &mut children);
        }
    }
}
