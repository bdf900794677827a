//! The subgame of a move: what is carried over, and the worlds added to it.

use std::collections::HashSet;

use foglight_rules::{Packed, Position};

use super::{domain::Fog, options::Settings, worlds::Worlds};
use crate::solve::growing::{
    Carried, Carrying, Child, Gate, Group, Player, Root, Solver, Tree, carry, game::fold,
    run::expand, tree::Kind,
};
use foglight_play::Rng;

/// A subgame and where it came from.
pub struct Subgame {
    /// The tree with its root layer.
    pub solver: Solver<Packed>,
    /// Nodes of the old tree in it.
    pub carried: usize,
    /// Positions that we may be in, each once.
    pub worlds: usize,
    /// Share of the root, by its priors, that we know not to be in but the
    /// opponent does not: what `kluss=off` freezes.
    pub elsewhere: f64,
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
        let here: HashSet<u32> = begun.here.into_iter().collect();
        self.expand_roots(&mut solver, &here);
        let elsewhere = elsewhere(&solver.gate, &here);
        Subgame {
            solver,
            carried,
            worlds: known.len(),
            elsewhere,
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
    fn expand_roots(&mut self, solver: &mut Solver<Packed>, here: &HashSet<u32>) {
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

/// How likely the roots are that are not in `here`.
fn elsewhere(gate: &Gate, here: &HashSet<u32>) -> f64 {
    let share = |group: &Group| -> f64 {
        let others = group.roots.iter().filter(|root| !here.contains(&root.node));
        group.prior * others.map(|root| root.share).sum::<f64>()
    };
    // Not `sum`, whose nothing is minus nought.
    gate.groups
        .iter()
        .map(share)
        .fold(0.0, |all, one| all + one)
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Color, Game, State};

    use super::*;
    use crate::{
        agents::foglight::{domain::view_key, options},
        solve::growing::{Limits, link, run},
    };
    use foglight_play::{Options, Providers, Spec, seeded};

    /// White's chair after these moves, with a search before each of White's.
    struct Chair {
        fog: Fog,
        settings: Settings,
        worlds: Worlds,
        key: u64,
        value: Option<f64>,
        old: Option<Solver<Packed>>,
    }

    impl Chair {
        fn new(spec: &str) -> Chair {
            let spec: Spec = spec.parse().expect("a spec");
            let options = Options::check(&spec, &options::OPTIONS).expect("options");
            let read = Settings::read(&options, &Providers::default());
            let (settings, leaves) = read.expect("settings");
            let mut worlds = Worlds::new(1_000_000, 1, settings.sober);
            worlds.start(1);
            Chair {
                fog: Fog {
                    game: Game::fog(),
                    us: Color::White,
                    leaves,
                    horizon: None,
                    plies: 0,
                },
                settings,
                worlds,
                key: 1,
                value: None,
                old: None,
            }
        }

        fn make(&mut self) -> Subgame {
            let mut maker = Maker {
                fog: &mut self.fog,
                settings: &self.settings,
                worlds: &self.worlds,
                key: self.key,
                value: self.value,
            };
            maker.make(self.old.as_ref(), &mut seeded(5))
        }

        /// Plays a game, and gives the subgame at its end, nothing solved yet.
        fn after(mut self, moves: &str) -> (Chair, Subgame) {
            let mut state = State::start(self.fog.game);
            self.see(&state);
            for text in moves.split(' ') {
                if state.position().turn() == self.fog.us {
                    self.search();
                }
                let action = state.parse_action(text).expect("a legal move");
                state.play_unchecked(action);
                self.see(&state);
            }
            let subgame = self.make();
            (self, subgame)
        }

        fn see(&mut self, state: &State) {
            let seen = state.observe(self.fog.us);
            let own = seen.news().mine.map(|m| m.raw());
            self.key = link(self.key, own, view_key(seen.view()));
            self.worlds.see(&seen);
        }

        fn search(&mut self) {
            let mut solver = self.make().solver;
            let limits = Limits {
                nodes: Some(6000),
                until: None,
                stop: &|| false,
                grow: 0.85,
                balance: 5_000,
                most: 100_000,
            };
            run(
                &mut solver,
                &mut self.fog,
                &mut seeded(9),
                &limits,
                1,
                |_, _| {},
            );
            self.value = Some(solver.gate.value());
            self.old = Some(solver);
        }
    }

    const MOVES: &str = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5";

    /// Pitfall 1: whatever the world, at the root we know the same; and where
    /// a world is new, the opponent knows all.
    #[test]
    fn all_that_we_may_be_in_is_one_set_of_ours() {
        let (chair, subgame) = Chair::new("foglight:worlds=40").after(MOVES);
        let tree = &subgame.solver.tree;
        let set = tree.set_of(Player::Us, chair.key).expect("our set");
        let roots = subgame.solver.gate.groups.iter();
        let roots = roots.flat_map(|group| group.roots.iter().map(|root| root.node));
        let here: Vec<u32> = roots
            .filter(|node| tree.rest[*node as usize].keys[0] == chair.key)
            .collect();
        assert!(here.len() >= 10, "{}", here.len());
        for node in &here {
            let found = tree.node(*node);
            assert!(found.kind != Kind::Inner || found.set == set);
        }
        let theirs: HashSet<u64> = here
            .iter()
            .map(|node| tree.rest[*node as usize].keys[1])
            .collect();
        assert!(
            theirs.len() > 2,
            "they know more than we do: {}",
            theirs.len()
        );
    }

    /// Pitfall 4: what a new world promises is measured with the same rule as
    /// the leaves below it.
    #[test]
    fn new_worlds_promise_what_leaves_are_worth() {
        let (mut chair, subgame) = Chair::new("foglight:worlds=40,carry=off").after(MOVES);
        let tree = &subgame.solver.tree;
        let game = chair.fog.game;
        let (mut leaves, mut spread) = (0, 0.0f64);
        for group in &subgame.solver.gate.groups {
            let [root] = group.roots[..] else {
                panic!("a new world is a group of its own");
            };
            let judged = f64::from(tree.node(root.node).value);
            let before = chair.value.expect("a search before");
            assert!((group.alternative - judged.min(before)).abs() < 1e-6);
            if tree.node(root.node).kind != Kind::Inner {
                continue;
            }
            for child in tree.children(root.node) {
                if tree.node(child).kind == Kind::End {
                    continue;
                }
                let position = tree.rest[child as usize].state.unpack();
                let ours = -chair.fog.leaves.value(&game, &position);
                let leaf = f64::from(tree.node(child).value);
                assert!((ours - leaf).abs() < 1e-5, "{ours} {leaf}");
                spread = spread.max(leaf.abs());
                leaves += 1;
            }
        }
        assert!(leaves > 200 && spread > 0.3, "{leaves} {spread}");
    }

    /// Pitfall 4: what is carried over promises its solved value, less what
    /// the opponent gave away to get there.
    #[test]
    fn carried_groups_promise_what_was_solved() {
        let (mut chair, _) = Chair::new("foglight:worlds=16,floor=off").after(MOVES);
        let old = chair.old.take().expect("a search before");
        let how = Carrying {
            regrets: 1.0,
            freeze: false,
            most: 16,
        };
        let carried = carry(&old, chair.key, how);
        let gate = Gate::gadget(carried.groups, chair.settings.prior);
        let solver = Solver::new(carried.tree, gate, chair.settings.solver);
        let (mut kept, mut given) = (0, 0);
        for group in &solver.gate.groups {
            let solved: f64 = group
                .roots
                .iter()
                .map(|root| root.share * solver.expected(root.node))
                .sum();
            let gift = solved - group.alternative;
            assert!((-1e-5..=2.0).contains(&gift), "{gift}");
            match gift.abs() < 1e-5 {
                true => kept += 1,
                false => given += 1,
            }
        }
        assert!(kept > 0, "{kept} {given}");
    }
}
