//! The worlds that are thought about: all that fit what was seen, and among
//! them those in which the opponent let no king stand that it could take.

use foglight_rules::{Bitboard, Observation, Position, Role, attacks};
use rand::Rng as _;

use crate::{
    Rng,
    belief::{Evidence, ExactBelief, Keeper, World},
};

/// The belief of the agent.
#[derive(Clone, Debug)]
pub struct Worlds {
    keeper: Keeper,
    /// A subset: without worlds in which the opponent could have taken our
    /// king and did not. A king that can be taken is always seen.
    sane: Option<ExactBelief>,
    sober: bool,
    cap: usize,
    seed: u64,
}

impl Worlds {
    /// Keeps at most `cap` positions; with `sober` also the subset.
    pub fn new(cap: usize, threads: usize, sober: bool) -> Worlds {
        Worlds {
            keeper: Keeper::new(cap, threads),
            sane: None,
            sober,
            cap,
            seed: 0,
        }
    }

    /// A new game begins.
    pub fn start(&mut self, seed: u64) {
        self.keeper.start(seed);
        (self.sane, self.seed) = (None, seed);
    }

    /// All positions that fit.
    pub fn belief(&self) -> Option<&ExactBelief> {
        self.keeper.belief()
    }

    /// How often boards had to be made up.
    pub fn lost(&self) -> u32 {
        self.keeper.lost()
    }

    /// Those that a sober opponent could have brought about.
    pub fn sane(&self) -> Option<&ExactBelief> {
        self.sane.as_ref().or_else(|| self.keeper.belief())
    }

    /// Learns what is seen.
    pub fn see(&mut self, observation: &Observation) {
        let lost = self.keeper.lost();
        self.keeper.see(observation);
        if !self.sober || observation.outcome().is_some() {
            return;
        }
        let followed = self
            .sane
            .as_mut()
            .is_some_and(|sane| sane.update(observation).is_ok());
        if !followed || self.keeper.lost() > lost {
            self.sane = self.keeper.belief().cloned();
        }
        if observation.news().mine.is_some() {
            self.drop_kings_en_prise();
        }
    }

    /// After our own move: the game goes on only where our king is safe.
    fn drop_kings_en_prise(&mut self) {
        let Some(sane) = &self.sane else {
            return;
        };
        let evidence = *sane.evidence();
        let kept: Vec<World> = sane
            .worlds()
            .iter()
            .filter(|world| !takes_king(&evidence, world))
            .copied()
            .collect();
        if kept.is_empty() || kept.len() == sane.count() {
            return;
        }
        let plies = sane.plies();
        let kept = ExactBelief::from_worlds(evidence, kept, plies);
        self.sane = Some(kept.with_cap(self.cap, self.seed));
    }

    /// Up to `count` positions that are not `known`, each as likely as the
    /// others; first sane ones, then at most `odd` of the others.
    pub fn draw(
        &self,
        count: usize,
        odd: usize,
        known: &mut dyn FnMut(&Position) -> bool,
        rng: &mut Rng,
    ) -> Vec<(Position, bool)> {
        let mut drawn = Vec::new();
        let (Some(all), Some(sane)) = (self.belief(), self.sane()) else {
            return drawn;
        };
        pick(sane, count, known, rng, |position| {
            drawn.push((position, true));
        });
        let left = count.saturating_sub(drawn.len()).min(odd);
        if self.sober && left > 0 && all.count() > sane.count() {
            pick(all, left, known, rng, |position| {
                drawn.push((position, false));
            });
        }
        drawn
    }
}

/// Draws without repetition.
fn pick(
    belief: &ExactBelief,
    count: usize,
    known: &mut dyn FnMut(&Position) -> bool,
    rng: &mut Rng,
    mut take: impl FnMut(Position),
) {
    let worlds = belief.worlds();
    // The beginning of a shuffle, of which only what was moved is kept.
    let mut moved = std::collections::HashMap::new();
    let mut taken = 0;
    for i in 0..worlds.len() {
        if taken >= count {
            return;
        }
        let j = rng.random_range(i..worlds.len());
        let here = *moved.get(&i).unwrap_or(&i);
        let chosen = moved.insert(j, here).unwrap_or(j);
        let position = belief.evidence().position(&worlds[chosen]);
        if !known(&position) {
            taken += 1;
            take(position);
        }
    }
}

/// Can the enemy take the observer's king in this world?
fn takes_king(evidence: &Evidence, world: &World) -> bool {
    let side = evidence.side();
    let Some(king) = evidence.own().king(side) else {
        return false;
    };
    let occupied = evidence.own().occupied() | world.occupied();
    let queens = world.pieces(Role::Queen);
    let hits: Bitboard = (attacks::pawn_attacks(side, king) & world.pieces(Role::Pawn))
        | (attacks::knight_attacks(king) & world.pieces(Role::Knight))
        | (attacks::king_attacks(king) & world.pieces(Role::King))
        | (attacks::bishop_attacks(king, occupied) & (world.pieces(Role::Bishop) | queens))
        | (attacks::rook_attacks(king, occupied) & (world.pieces(Role::Rook) | queens));
    hits.any()
}
