//! The worlds that are thought about: all that fit what was seen, and among
//! them those in which the opponent let no king stand that it could take.

use foglight_rules::{Bitboard, Observation, Position, Role, attacks};
use rand::Rng as _;

use crate::belief::{BeliefSet, BeliefTracker, Evidence, World};
use foglight_play::Rng;

/// The belief of the agent. Doubted in it are worlds in which the opponent
/// could have taken our king and did not: a king that can be taken is seen.
#[derive(Clone, Debug)]
pub struct Worlds {
    keeper: BeliefTracker,
    sober: bool,
}

impl Worlds {
    /// Keeps at most `cap` positions; with `sober` some of them are doubted.
    pub fn new(cap: usize, threads: usize, sober: bool) -> Worlds {
        let keeper = BeliefTracker::new(cap, threads);
        Worlds { keeper, sober }
    }

    /// A new game begins.
    pub fn start(&mut self, seed: u64) {
        self.keeper.start(seed);
    }

    /// From now on at most `cap` positions are kept.
    pub fn keep(&mut self, cap: usize) {
        self.keeper.keep(cap);
    }

    /// All positions that fit.
    pub fn belief(&self) -> Option<&BeliefSet> {
        self.keeper.belief()
    }

    /// How often boards had to be made up.
    pub(crate) fn resets(&self) -> u32 {
        self.keeper.resets()
    }

    /// Those that a sober opponent could have brought about.
    pub fn plausible(&self) -> &[World] {
        self.belief().map_or(&[], BeliefSet::plausible)
    }

    /// Learns what is seen.
    pub fn see(&mut self, observation: &Observation) {
        self.keeper.see(observation);
        let moved = observation.news().own_move.is_some() && observation.outcome().is_none();
        if self.sober && moved {
            self.keeper.mark_implausible(takes_king);
        }
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
        let Some(belief) = self.belief() else {
            return drawn;
        };
        let (evidence, sane) = (belief.evidence(), belief.plausible());
        pick(evidence, sane, count, known, rng, |position| {
            drawn.push((position, true));
        });
        let left = count.saturating_sub(drawn.len()).min(odd);
        let doubted = &belief.worlds()[sane.len()..];
        pick(evidence, doubted, left, known, rng, |position| {
            drawn.push((position, false));
        });
        drawn
    }
}

fn pick(
    evidence: &Evidence,
    worlds: &[World],
    count: usize,
    known: &mut dyn FnMut(&Position) -> bool,
    rng: &mut Rng,
    mut take: impl FnMut(Position),
) {
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
        let position = evidence.position(&worlds[chosen]);
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

#[cfg(test)]
mod tests {
    use foglight_rules::{Action, Color, Game, State};

    use super::*;
    use foglight_play::seeded;

    /// What White believes after these moves.
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
        // The diagonal from a5 to e1 is open, and Black has had a move to put
        // its queen there, where White does not see it.
        let (state, worlds) = after("d2d4 c7c6 h2h3 e7e6 g1f3 g7g6");
        let (all, sane) = (worlds.belief().expect("all"), worlds.plausible());
        assert!(sane.len() < all.count(), "{} {}", sane.len(), all.count());
        let truth = World::of(state.position(), Color::Black);
        assert!(all.contains(state.position()) && sane.contains(&truth));
    }

    #[test]
    fn an_opponent_that_did_not_take_it_is_believed_in_the_end() {
        // Bb4 attacks the king; White does not see it, and Black does not take.
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
            count,
            &mut |p| !known.insert(p.hash()),
            &mut seeded(1),
        );
        assert_eq!(drawn.len(), count);
        let few = worlds.draw(5, 1, &mut |_| false, &mut seeded(1));
        assert_eq!(few.len(), 5);
    }
}
