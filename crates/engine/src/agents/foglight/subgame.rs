//! Construction of the subgame of a move from the reused part of the last tree
//! and newly drawn worlds.

use std::collections::{HashMap, HashSet};

use foglight_rules::{PackedPosition, Position};
use foglight_solver::{
    NodeKind, ReuseSettings, ReusedTree, RootGadget, RootInfoset, RootNode, Side, Solver, mix,
    reuse,
};

use super::{domain::FogSubgame, options::FoglightSettings, worlds::Worlds};
use foglight_play::Rng;

/// A subgame, with statistics of its origin.
pub struct Subgame {
    /// Solver of the tree with its root gadget.
    pub solver: Solver<PackedPosition>,
    /// Number of nodes reused from the last tree.
    pub reused: usize,
    /// Number of root infosets reused from the last tree; they come first.
    pub reused_infosets: usize,
    /// Number of distinct possible positions at the root.
    pub worlds: usize,
    /// Prior probability of the root nodes that we, but not the opponent, know to
    /// be false. `kluss=off` freezes our strategy there.
    pub elsewhere: f64,
}

/// Inputs for building a [`Subgame`].
pub(crate) struct SubgameBuilder<'a> {
    pub fog: &'a mut FogSubgame,
    pub settings: &'a FoglightSettings,
    /// The belief of the agent.
    pub worlds: &'a Worlds,
    pub key: u64,
    /// Our value in the last search, if there was one.
    pub value: Option<f64>,
    /// Plies since the last irreversible move that we know of.
    pub quiet_plies: u16,
}

impl SubgameBuilder<'_> {
    pub fn build(&mut self, old: Option<&Solver<PackedPosition>>, rng: &mut Rng) -> Subgame {
        let settings = self.settings;
        let mut begun = match old {
            Some(old) if settings.reuse_tree => reuse(old, self.key, self.reuse_settings()),
            _ => ReusedTree::default(),
        };
        let (reused, reused_infosets) = (begun.tree.len(), begun.infosets.len());
        self.raise_alternate_values(&mut begun);
        self.weigh_reused(&mut begun);
        let identity = |packed: &PackedPosition| packed.unpack().without_counters().hash();
        let mut known: HashSet<u64> = begun
            .here
            .iter()
            .map(|&node| identity(begun.tree.state(node)))
            .collect();
        let all = self.worlds.belief().map_or(0, |belief| belief.count());
        // A belief no larger than `worlds` is used whole: reused positions are
        // biased by the search that selected them.
        let wanted = settings.worlds.min(all);
        let missing = if all <= settings.worlds {
            all
        } else {
            wanted
                .saturating_sub(known.len())
                .max(wanted / settings.resample_interval)
        };
        let odd = (settings.worlds / 16).max(1);
        let drawn = self.worlds.draw(
            missing,
            settings.bias,
            odd,
            &mut |position| !known.insert(position.hash()),
            rng,
        );
        for (position, odds) in drawn {
            self.add(&mut begun, &position, odds);
        }
        let gadget = RootGadget::subgame(begun.infosets, settings.prior)
            .with_max_resolve(settings.max_resolve)
            .with_trust(settings.min_weight);
        let mut solver = Solver::new(begun.tree, gadget, settings.solver);
        let here: HashSet<u32> = begun.here.into_iter().collect();
        self.conclude_thirds(&mut solver, &here);
        self.expand_roots(&mut solver, &here);
        let elsewhere = elsewhere(solver.gadget(), &here);
        Subgame {
            solver,
            reused,
            reused_infosets,
            worlds: known.len(),
            elsewhere,
        }
    }

    fn reuse_settings(&self) -> ReuseSettings {
        let settings = self.settings;
        ReuseSettings {
            regrets: settings.regret_discount,
            freeze: settings.freeze,
            max_roots: settings.worlds * settings.max_reused,
            root_choice: settings.root_choice,
        }
    }

    /// Raises the alternate values of reused infosets to at least that of a new
    /// world, since values of barely searched infosets are unreliable.
    fn raise_alternate_values(&self, begun: &mut ReusedTree<PackedPosition>) {
        if !self.settings.reused_floor {
            return;
        }
        for infoset in &mut begun.infosets {
            let evaluated = |root: &RootNode| root.prob * f64::from(begun.tree.value(root.node));
            let value: f64 = infoset.roots.iter().map(evaluated).sum();
            let floor = self.value.map_or(value, |before| value.min(before));
            infoset.alternate_value = infoset.alternate_value.max(floor);
        }
    }

    /// Gives reused infosets the odds of their positions in the belief, with mean 1.
    fn weigh_reused(&self, begun: &mut ReusedTree<PackedPosition>) {
        let share = self.settings.bias.weights;
        if share <= 0.0 || begun.infosets.is_empty() {
            return;
        }
        let here: Vec<Position> = (begun.here.iter())
            .map(|&node| begun.tree.state(node).unpack())
            .collect();
        let weights = self.worlds.weights_of(&here);
        let of: HashMap<u32, f64> = begun.here.iter().copied().zip(weights).collect();
        let weigh = |infoset: &RootInfoset| -> f64 {
            let roots = infoset.roots.iter();
            roots.filter_map(|root| of.get(&root.node)).sum()
        };
        let all: f64 = begun.infosets.iter().map(weigh).sum();
        let mean = (all / begun.infosets.len() as f64).max(f64::MIN_POSITIVE);
        let infosets = std::mem::take(&mut begun.infosets).into_iter();
        begun.infosets = infosets
            .map(|infoset| {
                let odds = 1.0 - share + share * weigh(&infoset) / mean;
                infoset.with_odds(odds)
            })
            .collect();
    }

    /// Adds a world as a root infoset of its own: the opponent is assumed to know
    /// the position. It may have moved a pawn unseen; the 50 moves are counted as if
    /// it had not.
    fn add(&mut self, begun: &mut ReusedTree<PackedPosition>, position: &Position, odds: f64) {
        let value = self.fog.leaves.value(&self.fog.game, position);
        let theirs = mix(
            position.hash() ^ 0x1d8e_4e27_c47d_124f,
            self.key ^ 0x5851_f42d,
        );
        let keys = [self.key, theirs];
        let packed = PackedPosition::new(&position.with_counters(self.quiet_plies, 1));
        let node = begun.tree.push_root(packed, Side::Us, keys, value as f32);
        let alternate_value = self.value.map_or(value, |before| value.min(before));
        let roots = vec![RootNode { node, prob: 1.0 }];
        let infoset = RootInfoset::new(roots, alternate_value, 0.0).with_odds(odds);
        begun.infosets.push(infoset);
        begun.here.push(node);
    }

    /// Concludes the draws by repetition among the next two plies of reused trees,
    /// which were grown when their positions had occurred less often.
    fn conclude_thirds(&self, solver: &mut Solver<PackedPosition>, here: &HashSet<u32>) {
        let thirds = &self.fog.thirds;
        if thirds.is_empty() {
            return;
        }
        let tree = &mut solver.tree;
        let moves = here.iter().flat_map(|&root| tree.children(root));
        let moves: Vec<u32> = moves.collect();
        let replies = moves.iter().flat_map(|&at| tree.children(at));
        let replies: Vec<u32> = replies.collect();
        for at in moves.into_iter().chain(replies) {
            let open = tree.kind(at) != NodeKind::Terminal;
            if open && thirds.draws(&tree.state(at).unpack(), tree.value(at)) {
                tree.conclude(at, 0.0);
            }
        }
    }

    /// Expands up to `worlds` of the possible roots, the likeliest first. Our moves
    /// are compared only in expanded roots.
    fn expand_roots(&mut self, solver: &mut Solver<PackedPosition>, here: &HashSet<u32>) {
        let mut open: Vec<(f64, u32)> = Vec::new();
        for infoset in solver.gadget().infosets() {
            for root in &infoset.roots {
                let leaf = solver.tree.kind(root.node) == NodeKind::Leaf;
                if leaf && here.contains(&root.node) {
                    open.push((infoset.prior() * root.prob, root.node));
                }
            }
        }
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, node) in open.into_iter().take(self.settings.worlds) {
            solver.expand(self.fog, node);
        }
    }
}

/// Prior probability of the roots that are not in `here`.
fn elsewhere(gadget: &RootGadget, here: &HashSet<u32>) -> f64 {
    let share = |infoset: &RootInfoset| -> f64 {
        let roots = infoset.roots.iter();
        let others = roots.filter(|root| !here.contains(&root.node));
        infoset.prior() * others.map(|root| root.prob).sum::<f64>()
    };
    // Not `sum`, which returns -0.0 for an empty iterator.
    gadget
        .infosets()
        .iter()
        .map(share)
        .fold(0.0, |all, one| all + one)
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Color, Game, State};
    use foglight_solver::{SolveLimits, extend_infostate_key, run};

    use super::*;
    use crate::agents::foglight::{domain::observation_key, options};
    use foglight_play::{Options, Providers, Spec, seeded};

    /// White's side of a game, with a search before each of its moves.
    struct Chair {
        fog: FogSubgame,
        settings: FoglightSettings,
        worlds: Worlds,
        key: u64,
        value: Option<f64>,
        old: Option<Solver<PackedPosition>>,
    }

    impl Chair {
        fn new(spec: &str) -> Chair {
            let spec: Spec = spec.parse().expect("a spec");
            let options = Options::check(&spec, &options::OPTIONS).expect("options");
            let read = FoglightSettings::read(&options, &Providers::default());
            let (settings, leaves) = read.expect("settings");
            let worlds = Worlds::new(1_000_000, 1, settings.assume_king_capture);
            let mut worlds = worlds.keeping(settings.keeping.clone(), false);
            worlds.start(1);
            Chair {
                fog: FogSubgame {
                    game: Game::fog(),
                    us: Color::White,
                    leaves,
                    horizon: None,
                    plies: 0,
                    thirds: Default::default(),
                },
                settings,
                worlds,
                key: 1,
                value: None,
                old: None,
            }
        }

        fn make(&mut self) -> Subgame {
            let mut maker = SubgameBuilder {
                fog: &mut self.fog,
                settings: &self.settings,
                worlds: &self.worlds,
                key: self.key,
                value: self.value,
                quiet_plies: 0,
            };
            maker.build(self.old.as_ref(), &mut seeded(5))
        }

        /// Plays the moves and returns the unsolved subgame after the last one.
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
            let own = seen.news().own_move.map(|m| m.raw());
            self.key = extend_infostate_key(self.key, own, observation_key(seen.view()));
            self.worlds.see(&seen);
        }

        fn search(&mut self) {
            let mut solver = self.make().solver;
            let (limits, mut rng) = (SolveLimits::nodes(6000), seeded(9));
            run(
                &mut solver,
                &mut self.fog,
                &mut rng,
                &limits,
                || 0.0,
                |_, _| {},
            );
            self.value = Some(solver.gadget().value());
            self.old = Some(solver);
        }
    }

    const MOVES: &str = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5";

    /// Pitfall 1: all possible root positions are in one infoset of ours; in a new
    /// world the opponent knows the position.
    #[test]
    fn all_that_we_may_be_in_is_one_infoset_of_ours() {
        let (chair, subgame) = Chair::new("foglight:worlds=40").after(MOVES);
        let tree = &subgame.solver.tree;
        let ours = tree.infoset_of(Side::Us, chair.key).expect("our infoset");
        let infosets = subgame.solver.gadget().infosets().iter();
        let roots = infosets.flat_map(|infoset| infoset.roots.iter().map(|root| root.node));
        let here: Vec<u32> = roots
            .filter(|node| tree.infostate_key(*node, Side::Us) == chair.key)
            .collect();
        assert!(here.len() >= 10, "{}", here.len());
        for node in &here {
            assert!(tree.infoset(*node).is_none_or(|found| found == ours));
        }
        let theirs: HashSet<u64> = here
            .iter()
            .map(|node| tree.infostate_key(*node, Side::Them))
            .collect();
        assert!(
            theirs.len() > 2,
            "they know more than we do: {}",
            theirs.len()
        );
    }

    /// Pitfall 4: the alternate value of a new world is computed in the same way
    /// as the leaf values below it.
    #[test]
    fn alternate_values_of_new_worlds_are_those_of_leaves() {
        let (mut chair, subgame) = Chair::new("foglight:worlds=40,reuse-tree=off").after(MOVES);
        let tree = &subgame.solver.tree;
        let game = chair.fog.game;
        let (mut leaves, mut spread) = (0, 0.0f64);
        for infoset in subgame.solver.gadget().infosets() {
            let [root] = infoset.roots[..] else {
                panic!("a new world is a root infoset of its own");
            };
            let evaluated = f64::from(tree.value(root.node));
            let before = chair.value.expect("a search before");
            assert!((infoset.alternate_value - evaluated.min(before)).abs() < 1e-6);
            for child in tree.children(root.node) {
                if tree.kind(child) == NodeKind::Terminal {
                    continue;
                }
                let position = tree.state(child).unpack();
                let ours = -chair.fog.leaves.value(&game, &position);
                let leaf = f64::from(tree.value(child));
                assert!((ours - leaf).abs() < 1e-5, "{ours} {leaf}");
                spread = spread.max(leaf.abs());
                leaves += 1;
            }
        }
        assert!(leaves > 200 && spread > 0.3, "{leaves} {spread}");
    }

    /// Pitfall 4: the alternate value of a reused infoset is its solved value less
    /// the opponent's gifts on the path to it.
    #[test]
    fn alternate_values_of_reused_infosets_are_what_was_solved() {
        let (mut chair, _) = Chair::new("foglight:worlds=16,reused-floor=off").after(MOVES);
        let old = chair.old.take().expect("a search before");
        let settings = ReuseSettings {
            max_roots: 16,
            ..ReuseSettings::default()
        };
        let reused = reuse(&old, chair.key, settings);
        let gadget = RootGadget::subgame(reused.infosets, chair.settings.prior);
        let solver = Solver::new(reused.tree, gadget, chair.settings.solver);
        let (mut kept, mut given) = (0, 0);
        for infoset in solver.gadget().infosets() {
            let solved: f64 = infoset
                .roots
                .iter()
                .map(|root| root.prob * solver.expected_value(root.node))
                .sum();
            let gift = solved - infoset.alternate_value;
            assert!((-1e-5..=2.0).contains(&gift), "{gift}");
            match gift.abs() < 1e-5 {
                true => kept += 1,
                false => given += 1,
            }
        }
        assert!(kept > 0, "{kept} {given}");
    }

    /// A reused infoset stands at the root with the odds of the positions in it that
    /// are possible.
    #[test]
    fn reused_infosets_have_the_odds_of_their_positions() {
        let spec = "foglight:worlds=16,root-weights=1,prior=uniform";
        let (chair, subgame) = Chair::new(spec).after(MOVES);
        let tree = &subgame.solver.tree;
        let possible = |root: &&RootNode| tree.infostate_key(root.node, Side::Us) == chair.key;
        let (mut ratios, mut weights) = (Vec::new(), Vec::new());
        for infoset in &subgame.solver.gadget().infosets()[..subgame.reused_infosets] {
            let roots = infoset.roots.iter().filter(possible);
            let here: Vec<Position> = roots.map(|root| tree.state(root.node).unpack()).collect();
            let [weight] = chair.worlds.weights_of(&here)[..] else {
                continue;
            };
            ratios.push(infoset.prior() / weight);
            weights.push(weight);
        }
        assert!(ratios.len() > 4, "{ratios:?}");
        let most = |numbers: &[f64]| numbers.iter().copied().fold(f64::MIN, f64::max);
        let least = |numbers: &[f64]| numbers.iter().copied().fold(f64::MAX, f64::min);
        assert!(most(&weights) > 2.0 * least(&weights), "{weights:?}");
        assert!(most(&ratios) < 1.001 * least(&ratios), "{ratios:?}");
    }
}
