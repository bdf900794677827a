//! The belief of the agent: all worlds consistent with the observations. Worlds in
//! which the opponent declined to capture our king are marked as implausible.

use std::collections::BinaryHeap;

use foglight_rules::{Bitboard, Observation, Position, Role, attacks};
use rand::Rng as _;

use crate::belief::{BeliefSet, BeliefTracker, Evidence, Keeping, World};
use foglight_play::Rng;

/// The belief of the agent. Implausible are worlds in which the opponent could
/// have captured our king and did not, since it sees a king that it attacks.
#[derive(Clone, Debug)]
pub struct Worlds {
    keeper: BeliefTracker,
    sober: bool,
}

impl Worlds {
    /// A belief of at most `cap` positions; `sober` turns the marking of
    /// implausible worlds on.
    pub fn new(cap: usize, threads: usize, sober: bool) -> Worlds {
        let keeper = BeliefTracker::new(cap, threads);
        Worlds { keeper, sober }
    }

    /// Sets how a full belief keeps positions, and whether it follows dropped
    /// ones again.
    #[must_use]
    pub fn keeping(mut self, keeping: Keeping, backlog: bool) -> Worlds {
        self.keeper = self.keeper.keeping(keeping);
        if backlog {
            self.keeper = self.keeper.with_backlog();
        }
        self
    }

    /// Resets the belief for a new game.
    pub fn start(&mut self, seed: u64) {
        self.keeper.start(seed);
    }

    /// Limits the belief to `cap` positions from the next observation on.
    pub fn keep(&mut self, cap: usize) {
        self.keeper.keep(cap);
    }

    /// All positions consistent with the observations.
    pub fn belief(&self) -> Option<&BeliefSet> {
        self.keeper.belief()
    }

    /// Number of times the belief became empty and was reinitialised.
    pub(crate) fn resets(&self) -> u32 {
        self.keeper.resets()
    }

    /// The worlds that are not marked as implausible.
    pub fn plausible(&self) -> &[World] {
        self.belief().map_or(&[], BeliefSet::plausible)
    }

    /// Updates the belief with an observation.
    pub fn see(&mut self, observation: &Observation) {
        self.keeper.see(observation);
        let moved = observation.news().own_move.is_some() && observation.outcome().is_none();
        if self.sober && moved {
            self.keeper.mark_implausible(takes_king);
        }
    }

    /// The weight of each of these positions in the belief, nought if it does not
    /// hold the position.
    pub fn weights_of(&self, positions: &[Position]) -> Vec<f64> {
        let mut weights = vec![0.0; positions.len()];
        let Some(belief) = self.belief() else {
            return weights;
        };
        let mut wanted: Vec<(World, usize)> = Vec::with_capacity(positions.len());
        for (i, position) in positions.iter().enumerate() {
            wanted.extend(belief.evidence().world_of(position).map(|world| (world, i)));
        }
        wanted.sort_unstable();
        for (place, world) in belief.worlds().iter().enumerate() {
            let from = wanted.partition_point(|(other, _)| other < world);
            let same = wanted[from..]
                .iter()
                .take_while(|(other, _)| other == world);
            // A position that stands at the root more than once shares its weight.
            let count = same.clone().count() as f64;
            for &(_, i) in same {
                weights[i] = f64::from(belief.weight(place)) / count;
            }
        }
        weights
    }

    /// Draws up to `count` positions that are not `known`, with their odds:
    /// plausible ones first, then at most `odd` implausible ones, whose odds are
    /// `DOUBT`. The odds make up for what is drawn more often than it is likely.
    pub fn draw(
        &self,
        count: usize,
        bias: RootBias,
        odd: usize,
        known: &mut dyn FnMut(&Position) -> bool,
        rng: &mut Rng,
    ) -> Vec<(Position, f64)> {
        let mut drawn = Vec::new();
        let Some(belief) = self.belief() else {
            return drawn;
        };
        let (worlds, sane) = (belief.worlds(), belief.plausible().len());
        let likely = |place: usize| {
            let weight = f64::from(belief.weight(place));
            bias.weights * weight + (1.0 - bias.weights)
        };
        let hit = |place: &usize| takes_king(belief.evidence(), &worlds[*place]);
        let (hits, others): (Vec<usize>, Vec<usize>) = match bias.attacked > 0.0 {
            true => (0..sane).partition(hit),
            false => (Vec::new(), (0..sane).collect()),
        };
        let total = |places: &[usize]| places.iter().map(|&place| likely(place)).sum::<f64>();
        let (of_hits, all) = (total(&hits), total(&hits) + total(&others));
        let most = count.min(sane) as f64;
        let even = most * of_hits / all.max(f64::MIN_POSITIVE);
        let wanted = even.max(bias.attacked * most).round() as usize;
        let mut pick = |places: &[usize], count| pick(belief, places, count, likely, known, rng);
        drawn.extend(scaled(pick(&hits, wanted), even));
        drawn.extend(scaled(pick(&others, count - drawn.len()), most - even));
        let left = count.saturating_sub(drawn.len()).min(odd);
        let doubted: Vec<usize> = (sane..worlds.len()).collect();
        let found = pick(&doubted, left).into_iter();
        drawn.extend(found.map(|(position, _)| (position, DOUBT)));
        drawn
    }
}

/// What is drawn more often than an even draw would.
#[derive(Clone, Copy, Debug, Default)]
pub struct RootBias {
    /// Least share of positions in which our king is attacked, if there are as many.
    pub attacked: f64,
    /// Share of the odds of a position that is its weight in the belief; the rest is
    /// the same for all.
    pub weights: f64,
}

/// Odds of a world in which the opponent declined to capture our king.
const DOUBT: f64 = 0.05;

/// The positions with their odds scaled to this sum.
fn scaled(drawn: Vec<(Position, f64)>, sum: f64) -> impl Iterator<Item = (Position, f64)> {
    let all: f64 = drawn.iter().map(|(_, odds)| odds).sum();
    let scale = sum / all.max(f64::MIN_POSITIVE);
    let drawn = drawn.into_iter();
    drawn.map(move |(position, odds)| (position, odds * scale))
}

/// Draws up to `count` of the positions at these places that are not `known`, by
/// priority sampling as in [`crate::belief::Keeping`]: with odds that estimate
/// those of all.
fn pick(
    belief: &BeliefSet,
    places: &[usize],
    count: usize,
    odds: impl Fn(usize) -> f64,
    known: &mut dyn FnMut(&Position) -> bool,
    rng: &mut Rng,
) -> Vec<(Position, f64)> {
    if count == 0 {
        return Vec::new();
    }
    // Positive floats are in the order of their bits.
    let priority = |&place: &usize| {
        let priority = odds(place) / (1.0 - rng.random::<f64>());
        (priority.to_bits(), place)
    };
    let mut queue: BinaryHeap<(u64, usize)> = places.iter().map(priority).collect();
    let mut taken = Vec::new();
    let mut threshold = 0.0;
    while let Some((priority, place)) = queue.pop() {
        if taken.len() == count {
            threshold = f64::from_bits(priority);
            break;
        }
        let position = belief.evidence().position(&belief.worlds()[place]);
        if !known(&position) {
            taken.push((position, place));
        }
    }
    let taken = taken.into_iter();
    taken
        .map(|(position, place)| (position, odds(place).max(threshold)))
        .collect()
}

/// Whether the enemy can capture the observer's king in this world.
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use foglight_rules::{Action, Color, Game, State};

    use super::*;
    use foglight_play::seeded;

    /// White's belief after these moves.
    fn after(moves: &str) -> (State, Worlds) {
        follow(Worlds::new(1_000_000, 1, true), moves)
    }

    fn follow(mut worlds: Worlds, moves: &str) -> (State, Worlds) {
        let mut state = State::start(Game::fog());
        worlds.start(1);
        worlds.see(&state.observe(Color::White));
        for text in moves.split(' ') {
            let action = state.parse_action(text).expect("a legal move");
            let Action::Move(_) = action else { continue };
            state.play_unchecked(action);
            worlds.see(&state.observe(Color::White));
        }
        (state, worlds)
    }

    #[test]
    fn an_opponent_that_lets_our_king_stand_could_not_take_it() {
        // The diagonal from a5 to e1 is open, and Black has had a move to put its
        // queen on it where White does not see it.
        let (state, worlds) = after("d2d4 c7c6 h2h3 e7e6 g1f3 g7g6");
        let (all, sane) = (worlds.belief().expect("all"), worlds.plausible());
        assert!(sane.len() < all.count(), "{} {}", sane.len(), all.count());
        let truth = World::of(state.position(), Color::Black);
        assert!(all.contains(state.position()) && sane.contains(&truth));
    }

    #[test]
    fn an_opponent_that_did_not_take_it_is_believed_in_the_end() {
        // Bb4 attacks the king, hidden from White, and Black does not capture.
        let (state, worlds) = after("d2d4 e7e6 a2a4 f8b4 h2h3 h7h6 g2g3 b4c3 b2c3");
        let all = worlds.belief().expect("all");
        assert!(
            all.contains(state.position()),
            "the exact belief keeps the truth"
        );
        assert!(!worlds.plausible().is_empty());
    }

    #[test]
    fn worlds_are_drawn_once_each() {
        let (_, worlds) = after("d2d4 e7e6 a2a3 a7a6");
        let count = worlds.belief().expect("all").count();
        let mut known = HashSet::new();
        let drawn = worlds.draw(
            count,
            RootBias::default(),
            count,
            &mut |p| !known.insert(p.hash()),
            &mut seeded(1),
        );
        assert_eq!(drawn.len(), count);
        let few = worlds.draw(5, RootBias::default(), 1, &mut |_| false, &mut seeded(1));
        assert_eq!(few.len(), 5);
    }

    /// Rare worlds in which our king is attacked are drawn, with the odds that they
    /// have among all.
    #[test]
    fn attacks_on_our_king_are_drawn_with_their_odds() {
        let (_, worlds) = after("d2d4 c7c6 h2h3 e7e6 g2g3 g7g6");
        let belief = worlds.belief().expect("all");
        let sane = worlds.plausible();
        let hits = sane
            .iter()
            .filter(|world| takes_king(belief.evidence(), world));
        let share = hits.count() as f64 / sane.len() as f64;
        assert!(0.0 < share && share < 0.1, "{share}");
        let attacked = |position: &Position| position.king_attackers(Color::Black).any();
        let drawn = worlds.draw(40, attacks(0.25), 0, &mut |_| false, &mut seeded(1));
        let odds = |hit: bool| -> Vec<f64> {
            let mut odds = Vec::new();
            for (position, odd) in &drawn {
                if attacked(position) == hit {
                    odds.push(*odd);
                }
            }
            odds
        };
        assert_eq!((odds(true).len(), odds(false).len()), (10, 30));
        let total: f64 = odds(true).iter().sum();
        assert!((total - 40.0 * share).abs() < 1e-9, "{total}");
        let rest: f64 = odds(false).iter().sum();
        assert!((total + rest - 40.0).abs() < 1e-9, "{rest}");
    }
    fn attacks(attacked: f64) -> RootBias {
        RootBias {
            attacked,
            ..RootBias::default()
        }
    }

    /// Drawn by weight, a position stands at the root as often as the model of the
    /// opponent's moves expects it; a belief that is drawn whole has the same odds.
    #[test]
    fn positions_are_drawn_by_their_weight() {
        let keeper = Worlds::new(1_000_000, 1, false).keeping(Keeping::weighted(), false);
        let (_, worlds) = follow(keeper, "d2d4 c7c6 h2h3 e7e6 g2g3 g7g6");
        let belief = worlds.belief().expect("all");
        let weights: Vec<f64> = (0..belief.count())
            .map(|place| f64::from(belief.weight(place)))
            .collect();
        let likely: HashSet<u64> = (belief.positions().zip(&weights))
            .filter(|(_, weight)| **weight > 1.0)
            .map(|(position, _)| position.hash())
            .collect();
        let heavy: f64 = weights.iter().filter(|weight| **weight > 1.0).sum();
        let (share, even) = (
            heavy / weights.iter().sum::<f64>(),
            likely.len() as f64 / weights.len() as f64,
        );
        assert!(share > even + 0.2, "{share} {even}");
        let drawn = |count: usize, weights: f64, seed: u64| -> f64 {
            let bias = RootBias {
                attacked: 0.0,
                weights,
            };
            let drawn = worlds.draw(count, bias, 0, &mut |_| false, &mut seeded(seed));
            let total: f64 = drawn.iter().map(|(_, odds)| odds).sum();
            let heavy = drawn.iter().filter(|(p, _)| likely.contains(&p.hash()));
            heavy.map(|(_, odds)| odds).sum::<f64>() / total
        };
        let mean =
            |weights: f64| (0..200).map(|seed| drawn(20, weights, seed)).sum::<f64>() / 200.0;
        assert!((mean(1.0) - share).abs() < 0.03, "{} {share}", mean(1.0));
        assert!((mean(0.0) - even).abs() < 0.03, "{} {even}", mean(0.0));
        assert!((drawn(belief.count(), 1.0, 1) - share).abs() < 1e-3);
    }
}
