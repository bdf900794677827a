//! The rejection particle filter of Gindi et al. (sections III C and D), with
//! the improvements that they propose.

use crate::belief::marginals;
use std::collections::HashMap;

use foglight_rules::{Move, Observation, Role, Square};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    evidence::Evidence,
    material::EnemyMaterial,
    placing::sample_placement,
    replies::{OwnMove, Reply},
    tensor::reply,
    world::World,
};
use foglight_play::Marginals;
use foglight_play::Rng;

/// Method of creating particles when too few are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reinvigoration {
    /// Any placement of the remaining pieces that is consistent with the last
    /// view.
    Uniform,
    /// Particles of the last turn, moved at random until they are consistent.
    Traced,
    /// The whole game replayed from its start, weighted by every view.
    History,
}

/// Method of conditioning particles on an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resample {
    /// Drops inconsistent particles, as in the paper.
    Reject,
    /// Samples a consistent move for each particle, weights it by the share of
    /// consistent moves and resamples (sampling importance resampling).
    Sir,
}

/// Settings of the filter. The paper gives neither number nor threshold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    pub count: usize,
    /// Share of the particles below which new ones are created.
    pub threshold: f64,
    /// Create new particles as soon as too few are left. The paper waits for
    /// the enemy's next move: advance, create, then reject.
    pub early: bool,
    pub reinvigoration: Reinvigoration,
    /// How particles are conditioned on an observation.
    pub resample: Resample,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            count: 1000,
            threshold: 0.1,
            early: true,
            reinvigoration: Reinvigoration::History,
            resample: Resample::Reject,
        }
    }
}

/// One ply as the observer saw it.
#[derive(Clone, Copy, Debug)]
struct Step {
    after: Evidence,
    mine: Option<Move>,
    took: Option<(Square, Role)>,
    lost: Option<(Square, Role)>,
}

/// A multiset of worlds in proportion to their probability. Weights are equal
/// after every step, since a weighting filter also resamples.
#[derive(Clone, Debug)]
pub struct Particles {
    filter: Filter,
    /// Possible starts of the game.
    starts: Vec<World>,
    first: Evidence,
    steps: Vec<Step>,
    material: EnemyMaterial,
    worlds: Vec<World>,
}

/// Random moves that a traced particle may make to become consistent.
const TRACED_MOVES: usize = 4;

impl Particles {
    /// All particles at a known start.
    pub fn new(filter: Filter, start: World, evidence: Evidence) -> Particles {
        Particles {
            filter,
            starts: vec![start],
            first: evidence,
            steps: Vec::new(),
            material: EnemyMaterial::new(&start, !evidence.side()),
            worlds: vec![start; filter.count],
        }
    }

    /// Particles from a start of which only the view and the material are
    /// known.
    pub fn from_view(
        filter: Filter,
        material: EnemyMaterial,
        evidence: Evidence,
        rng: &mut Rng,
    ) -> Particles {
        let worlds =
            (0..filter.count).filter_map(|_| sample_placement(&material, &evidence, None, rng));
        let worlds: Vec<World> = worlds.collect();
        Particles {
            filter,
            starts: worlds.clone(),
            first: evidence,
            steps: Vec::new(),
            material,
            worlds,
        }
    }

    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// Constraints of the last view.
    pub fn evidence(&self) -> &Evidence {
        self.steps.last().map_or(&self.first, |step| &step.after)
    }

    /// The share of each world: step 4 of the paper, "extract a belief".
    pub fn belief(&self) -> HashMap<World, f64> {
        let mut belief = HashMap::new();
        for world in &self.worlds {
            *belief.entry(*world).or_insert(0.0) += 1.0 / self.worlds.len() as f64;
        }
        belief
    }

    /// The probability of each enemy piece on each square.
    pub fn marginals(&self) -> Marginals {
        marginals(&self.worlds)
    }

    /// Updates the particles with the observation after a ply of either side.
    /// Returns whether any particle is left.
    pub fn update(&mut self, observation: &Observation, rng: &mut Rng) -> bool {
        let news = observation.news();
        let before = *self.evidence();
        let step = Step {
            after: Evidence::new(observation.game(), observation.view()),
            mine: news.own_move,
            took: news.captured,
            lost: news.lost,
        };
        self.material.update(&news);
        let last = std::mem::take(&mut self.worlds);
        self.worlds = match self.filter.resample {
            Resample::Reject => advance_and_reject(&last, &before, &step, rng),
            Resample::Sir => resample(&last, &before, &step, self.filter.count, rng),
        };
        self.steps.push(step);
        let few = self.filter.threshold * self.filter.count as f64;
        let scarce = |worlds: &[World]| (worlds.len() as f64) < few.max(1.0);
        let due = match self.filter.early {
            true => scarce(&self.worlds),
            // New particles are consistent with the view, so rejecting before
            // or after creating them is the same; only the time of counting
            // matters.
            false => news.own_move.is_none() && scarce(&last),
        };
        if due || self.worlds.is_empty() {
            self.reinvigorate(&last, &step, rng);
        }
        !self.worlds.is_empty()
    }

    fn reinvigorate(&mut self, last: &[World], step: &Step, rng: &mut Rng) {
        let wanted = self.filter.count;
        match self.filter.reinvigoration {
            Reinvigoration::Uniform => {}
            Reinvigoration::Traced => {
                let pool = if last.is_empty() {
                    &self.starts[..]
                } else {
                    last
                };
                for _ in 0..20 * wanted {
                    if self.worlds.len() >= wanted {
                        break;
                    }
                    self.worlds.extend(traced(pool, &step.after, rng));
                }
            }
            Reinvigoration::History => {
                let fresh = self.replay(4 * wanted, rng);
                let missing = wanted.saturating_sub(self.worlds.len());
                let drawn = (0..missing).filter_map(|_| fresh.choose(rng).copied());
                self.worlds.extend(drawn.collect::<Vec<_>>());
            }
        }
        for _ in 0..2 * wanted {
            if self.worlds.len() >= wanted {
                break;
            }
            self.worlds
                .extend(sample_placement(&self.material, &step.after, None, rng));
        }
    }

    /// Replays the whole game with `count` particles, weighted at every step.
    fn replay(&self, count: usize, rng: &mut Rng) -> Vec<World> {
        let starts = self.starts.iter().cycle();
        let mut worlds: Vec<World> = starts.take(count).copied().collect();
        let mut before = self.first;
        for step in &self.steps {
            worlds = resample(&worlds, &before, step, count, rng);
            before = step.after;
        }
        worlds
    }
}

/// The paper's update for one ply of either side.
fn advance_and_reject(last: &[World], before: &Evidence, step: &Step, rng: &mut Rng) -> Vec<World> {
    let passed = step.after.ep_square();
    match step.mine {
        Some(played) => {
            let own = OwnMove::new(&step.after, played, step.took, None);
            last.iter().filter_map(|world| own.apply(world)).collect()
        }
        None => last
            .iter()
            .filter_map(|world| {
                let mut position = before.position(world);
                let game = before.game();
                let m = *game.legal_moves(&position).choose(rng)?;
                let taken = game.play_unchecked(&mut position, m);
                let told = taken.map(|role| (m.capture_square(), role)) == step.lost;
                let same = position.ep_targets(before.side()).first() == passed;
                let next = World::of(&position, !before.side());
                (told && same && step.after.is_consistent(&next)).then_some(next)
            })
            .collect(),
    }
}

/// Importance resampling: samples a consistent move in each world and weights
/// the world by the share of its moves that are consistent.
fn resample(
    last: &[World],
    before: &Evidence,
    step: &Step,
    count: usize,
    rng: &mut Rng,
) -> Vec<World> {
    if let Some(played) = step.mine {
        let own = OwnMove::new(&step.after, played, step.took, None);
        return last.iter().filter_map(|world| own.apply(world)).collect();
    }
    let expander = Reply::new(before, &step.after, step.lost);
    let mut next = Vec::with_capacity(last.len());
    let mut total = 0.0;
    let mut fitting = Vec::new();
    for world in last {
        fitting.clear();
        expander.expand(world, &mut |_, change| fitting.push(world.after(change)));
        let Some(&choice) = fitting.choose(rng) else {
            continue;
        };
        let moves = before.position(world).count_king_capture_moves();
        total += fitting.len() as f64 / moves.max(1) as f64;
        next.push((choice, total));
    }
    if next.is_empty() {
        return Vec::new();
    }
    // Systematic resampling: one draw sets evenly spaced points along the
    // cumulative weights.
    let gap = total / count as f64;
    let mut mark = rng.random::<f64>() * gap;
    let mut drawn = Vec::with_capacity(count);
    for (world, sum) in next {
        while mark < sum && drawn.len() < count {
            drawn.push(world);
            mark += gap;
        }
    }
    drawn
}

/// A world of the last turn, moved at random until it is consistent.
fn traced(pool: &[World], after: &Evidence, rng: &mut Rng) -> Option<World> {
    let mut world = *pool.choose(rng)?;
    let enemy_to_move = after.with_turn(!after.side());
    for _ in 0..=TRACED_MOVES {
        if after.is_consistent(&world) {
            return Some(world);
        }
        if (world.occupied() & after.own().occupied()).any() {
            return None;
        }
        world.set_passed(None);
        world = reply(&enemy_to_move, &world, 0.0, rng);
    }
    None
}
