//! The belief of the agent: all worlds consistent with the observations. Worlds in
//! which the opponent declined to capture our king are marked as implausible.

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

    /// Draws up to `count` positions that are not `known`, with their odds:
    /// plausible ones first, then at most `odd` implausible ones, whose odds are
    /// `DOUBT`. At least the share `attacked` of the plausible ones has our king
    /// attacked, if there are as many; the odds make up for the uneven draw.
    pub fn draw(
        &self,
        count: usize,
        attacked: f64,
        odd: usize,
        known: &mut dyn FnMut(&Position) -> bool,
        rng: &mut Rng,
    ) -> Vec<(Position, f64)> {
        let mut drawn = Vec::new();
        let Some(belief) = self.belief() else {
            return drawn;
        };
        let (evidence, sane) = (belief.evidence(), belief.plausible());
        let hit = |world: &World| attacked > 0.0 && takes_king(evidence, world);
        let hits: Vec<World> = sane.iter().copied().filter(hit).collect();
        let most = count.min(sane.len()) as f64;
        let even = most * hits.len() as f64 / sane.len().max(1) as f64;
        let wanted = even.max(attacked * most).round() as usize;
        let never = |_: &World| false;
        let found = pick(evidence, &hits, wanted, never, known, rng);
        drawn.extend(with_odds(found, even));
        let found = pick(evidence, sane, count - drawn.len(), hit, known, rng);
        drawn.extend(with_odds(found, most - even));
        let left = count.saturating_sub(drawn.len()).min(odd);
        let doubted = &belief.worlds()[sane.len()..];
        let found = pick(evidence, doubted, left, never, known, rng);
        drawn.extend(found.into_iter().map(|position| (position, DOUBT)));
        drawn
    }
}

/// Odds of a world in which the opponent declined to capture our king.
const DOUBT: f64 = 0.05;

/// The positions with equal odds that sum to `total`.
fn with_odds(positions: Vec<Position>, total: f64) -> impl Iterator<Item = (Position, f64)> {
    let odds = total / positions.len() as f64;
    positions.into_iter().map(move |position| (position, odds))
}

/// Draws up to `count` positions that are neither `skipped` nor `known`.
fn pick(
    evidence: &Evidence,
    worlds: &[World],
    count: usize,
    skipped: impl Fn(&World) -> bool,
    known: &mut dyn FnMut(&Position) -> bool,
    rng: &mut Rng,
) -> Vec<Position> {
    // A partial Fisher-Yates shuffle that stores only the displaced indices.
    let mut moved = std::collections::HashMap::new();
    let mut taken = Vec::new();
    for i in 0..worlds.len() {
        if taken.len() >= count {
            break;
        }
        let j = rng.random_range(i..worlds.len());
        let here = *moved.get(&i).unwrap_or(&i);
        let chosen = moved.insert(j, here).unwrap_or(j);
        if skipped(&worlds[chosen]) {
            continue;
        }
        let position = evidence.position(&worlds[chosen]);
        if !known(&position) {
            taken.push(position);
        }
    }
    taken
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
    use foglight_rules::{Action, Color, Game, State};

    use super::*;
    use foglight_play::seeded;

    /// White's belief after these moves.
    fn after(moves: &str) -> (State, Worlds) {
        let mut state = State::start(Game::fog());
        let mut worlds = Worlds::new(1_000_000, 1, true);
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
        let mut known = std::collections::HashSet::new();
        let drawn = worlds.draw(
            count,
            0.0,
            count,
            &mut |p| !known.insert(p.hash()),
            &mut seeded(1),
        );
        assert_eq!(drawn.len(), count);
        let few = worlds.draw(5, 0.0, 1, &mut |_| false, &mut seeded(1));
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
        let drawn = worlds.draw(40, 0.25, 0, &mut |_| false, &mut seeded(1));
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
}
