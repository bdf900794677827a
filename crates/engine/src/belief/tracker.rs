//! Belief tracking for players. It always provides positions, even if the start
//! is unknown or a cap has removed the true position.

use foglight_rules::{Observation, Position, View};
use rand::seq::IndexedRandom;

use super::{
    backlog::Backlog, evidence::Evidence, keeping::Keeping, material::EnemyMaterial,
    network::BeliefNetworkTracker, placing::sample_placement, set::BeliefSet, world::World,
};
use foglight_play::{Rng, seeded};

/// Positions sampled when the belief becomes empty.
const MADE_UP: usize = 500;

/// A belief smaller than its cap by this factor takes positions from the backlog.
const LOW: usize = 4;

/// Belief and enemy material of a player through a game.
#[derive(Clone, Debug)]
pub struct BeliefTracker {
    cap: usize,
    threads: usize,
    keeping: Keeping,
    backlog: bool,
    seed: u64,
    rng: Rng,
    kept: Option<TrackedBelief>,
}

#[derive(Clone, Debug)]
struct TrackedBelief {
    belief: BeliefSet,
    backlog: Backlog,
    material: EnemyMaterial,
    /// Plies seen so far.
    plies: u32,
    /// Number of times the belief was reinitialised.
    lost: u32,
}

impl BeliefTracker {
    /// Tracks only the enemy's material; the belief stays that of the start.
    pub(crate) fn of_material() -> BeliefTracker {
        BeliefTracker::new(0, 1)
    }

    /// A tracker whose belief holds at most `cap` positions.
    pub fn new(cap: usize, threads: usize) -> BeliefTracker {
        BeliefTracker {
            cap,
            threads,
            keeping: Keeping::default(),
            backlog: false,
            seed: 0,
            rng: seeded(0),
            kept: None,
        }
    }

    /// Follows positions that the cap dropped again when few are left.
    #[must_use]
    pub fn with_backlog(mut self) -> BeliefTracker {
        self.backlog = true;
        self
    }

    /// Sets how positions beyond the cap are chosen, from the next game on.
    #[must_use]
    pub fn keeping(mut self, keeping: Keeping) -> BeliefTracker {
        self.keeping = keeping;
        self
    }

    /// Sets the cap from the next observation on.
    pub fn keep(&mut self, cap: usize) {
        self.cap = cap;
        if let Some(kept) = &mut self.kept {
            kept.belief.keep(cap);
        }
    }

    /// Resets the tracker for a new game.
    pub fn start(&mut self, seed: u64) {
        (self.seed, self.rng, self.kept) = (seed, seeded(seed), None);
    }

    /// The belief, once there was an observation.
    pub fn belief(&self) -> Option<&BeliefSet> {
        self.kept.as_ref().map(|kept| &kept.belief)
    }

    /// Marks worlds as implausible, see [`BeliefSet::mark_implausible`].
    pub fn mark_implausible(&mut self, odd: impl Fn(&Evidence, &World) -> bool) {
        if let Some(kept) = &mut self.kept {
            kept.belief.mark_implausible(odd);
        }
    }

    /// The enemy's material, once there was an observation.
    pub fn material(&self) -> Option<&EnemyMaterial> {
        self.kept.as_ref().map(|kept| &kept.material)
    }

    /// Number of times the belief became empty and was resampled from the view.
    pub fn resets(&self) -> u32 {
        self.kept.as_ref().map_or(0, |kept| kept.lost)
    }

    /// Adds an observation. A second call for the same ply has no effect.
    pub fn see(&mut self, observation: &Observation) {
        let Some(kept) = &mut self.kept else {
            self.kept = Some(self.begin(observation));
            return;
        };
        if observation.plies() == kept.plies {
            return;
        }
        kept.plies = observation.plies();
        kept.material.update(&observation.news());
        if self.cap == 0 {
            return;
        }
        let updated = kept.belief.update(observation).is_ok();
        let dropped = kept.belief.take_dropped();
        kept.backlog.note(observation, dropped.filter(|_| updated));
        if updated && (kept.belief.is_exact() || kept.belief.count() >= self.cap / LOW) {
            return;
        }
        match kept.backlog.regrow() {
            Some(regrown) if updated => kept.belief.absorb(&regrown),
            Some(regrown) => kept.belief = regrown.sparing(self.cap),
            None if updated => {}
            None => {
                kept.lost += 1;
                let made = made_up(observation, &kept.material, &mut self.rng);
                kept.belief = made
                    .with_cap(self.cap, self.seed)
                    .with_keeping(self.keeping.clone())
                    .sparing(if self.backlog { self.cap } else { 0 })
                    .with_threads(self.threads);
            }
        }
    }

    fn begin(&mut self, observation: &Observation) -> TrackedBelief {
        let side = observation.side();
        let (belief, roster) = match known_start(observation) {
            Some(start) => {
                let roster = EnemyMaterial::new(&World::of(&start, !side), !side);
                (BeliefSet::new(observation.game(), side, &start), roster)
            }
            None => {
                let roster = guessed_roster(observation);
                (made_up(observation, &roster, &mut self.rng), roster)
            }
        };
        TrackedBelief {
            belief: belief
                .with_cap(self.cap, self.seed)
                .with_keeping(self.keeping.clone())
                .sparing(if self.backlog { self.cap } else { 0 })
                .with_threads(self.threads),
            backlog: Backlog::default(),
            material: roster,
            plies: observation.plies(),
            lost: 0,
        }
    }

    /// Samples `count` positions with repetition, or returns all if there are
    /// no more than that.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<Position> {
        let Some(belief) = self.belief() else {
            return Vec::new();
        };
        if belief.count() <= count {
            return belief.positions().collect();
        }
        (0..count)
            .filter_map(|_| belief.worlds().choose(rng))
            .map(|world| belief.evidence().position(world))
            .collect()
    }

    /// Samples positions with repetition by the weights of a network.
    pub(crate) fn sample_weighed(
        &self,
        seer: &BeliefNetworkTracker,
        roster: &EnemyMaterial,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Position> {
        let Some(belief) = self.belief() else {
            return Vec::new();
        };
        let weighed = seer.weigh(belief, roster);
        (0..count)
            .filter_map(|_| weighed.draw(rng))
            .map(|place| belief.evidence().position(&belief.worlds()[place]))
            .collect()
    }
}

/// The start of the game: the one announced to both sides, or the usual start
/// if only its view is known.
pub(crate) fn known_start(observation: &Observation) -> Option<Position> {
    let (game, side) = (observation.game(), observation.side());
    let usual = || {
        let start = game.start();
        let looks = *observation.view() == View::new(game, &start, side);
        (looks && observation.plies() == 0).then_some(start)
    };
    observation.start().copied().or_else(usual)
}

/// A belief sampled from the view and the material. If no placement is
/// possible, it holds the shown pieces only.
fn made_up(observation: &Observation, roster: &EnemyMaterial, rng: &mut Rng) -> BeliefSet {
    let evidence = Evidence::new(observation.game(), observation.view());
    let mut worlds: Vec<World> = match observation.position() {
        Some(position) => vec![World::of(position, !evidence.side())],
        None => (0..MADE_UP)
            .filter_map(|_| sample_placement(roster, &evidence, None, rng))
            .collect(),
    };
    worlds.sort_unstable();
    worlds.dedup();
    if worlds.is_empty() {
        worlds.push(*evidence.shown());
    }
    BeliefSet::from_worlds(evidence, worlds, observation.plies())
}

/// Material for an unknown start: the same as the observer's.
fn guessed_roster(observation: &Observation) -> EnemyMaterial {
    let view = observation.view();
    let mut world = World::from_board(&Default::default(), !view.side);
    for (square, piece) in view.board.masked(view.own()).iter() {
        world.put(view.size.mirror(square), piece.role);
    }
    EnemyMaterial::new(&world, !view.side)
}
