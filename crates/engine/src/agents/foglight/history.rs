//! The game before the root, as far as draws by counting depend on it: which
//! positions may have stood twice, and how long nothing irreversible happened.

use std::collections::HashMap;

use foglight_rules::{Move, Observation, Position, Role};

use crate::belief::{BeliefSet, Evidence, World};

/// The moments since the last irreversible move that we know of.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    moments: Vec<Moment>,
    quiet: u16,
}

/// The positions that were possible at one ply.
#[derive(Clone, Debug)]
struct Moment {
    evidence: Evidence,
    worlds: Vec<World>,
}

/// Larger beliefs are not recorded: positions in them rarely stand three times.
const MAX_WORLDS: usize = 5_000;

impl History {
    /// Forgets the last game.
    pub fn clear(&mut self) {
        *self = History::default();
    }

    /// Records the positions that are possible after a ply.
    pub fn see(&mut self, observation: &Observation, belief: Option<&BeliefSet>) {
        if irreversible(observation) {
            self.clear();
        } else if observation.plies() > 0 {
            self.quiet = self.quiet.saturating_add(1);
        }
        let counted = observation.view().counters;
        self.quiet = counted.map_or(self.quiet, |(halfmoves, _)| halfmoves);
        let Some(belief) = belief.filter(|belief| belief.count() <= MAX_WORLDS) else {
            return;
        };
        self.moments.push(Moment {
            evidence: *belief.evidence(),
            worlds: belief.worlds().to_vec(),
        });
    }

    /// Plies since the last capture or pawn move, as far as we know: a pawn move of
    /// the opponent may be unseen.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// The positions whose next occurrence is the third, in some of the games that
    /// are possible.
    pub fn thirds(&self) -> Thirds {
        let mut thirds = Thirds::default();
        for (i, first) in self.moments.iter().enumerate() {
            let same = |moment: &&Moment| moment.evidence.own() == first.evidence.own();
            if self.moments[..i].iter().any(|moment| same(&moment)) {
                continue;
            }
            let moments: Vec<&Moment> = self.moments[i..].iter().filter(same).collect();
            if moments.len() > 1 {
                thirds.add(&moments);
            }
        }
        thirds
    }
}

/// Positions that stood at least twice, in some of the games that are possible; the
/// flag is true if they did for certain.
#[derive(Clone, Debug, Default)]
pub struct Thirds {
    positions: HashMap<u64, bool>,
}

impl Thirds {
    /// Whether no position has stood twice.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether a position counts as a draw; `value` is its estimate for us. A draw
    /// that is only possible counts where we stand better, so that we avoid it.
    pub fn draws(&self, position: &Position, value: f32) -> bool {
        if self.is_empty() {
            return false;
        }
        let third = self.positions.get(&position.hash());
        third.is_some_and(|certain| *certain || value > 0.0)
    }

    /// Adds the positions that are possible at two of these moments.
    fn add(&mut self, moments: &[&Moment]) {
        let mut known: HashMap<u64, (u32, u32)> = HashMap::new();
        for moment in moments {
            let certain = u32::from(moment.worlds.len() == 1);
            for world in &moment.worlds {
                let position = moment.evidence.position(world);
                let counts = known.entry(position.hash()).or_default();
                *counts = (counts.0 + 1, counts.1 + certain);
            }
        }
        let twice = known.into_iter().filter(|(_, counts)| counts.0 > 1);
        let twice = twice.map(|(hash, counts)| (hash, counts.1 > 1));
        self.positions.extend(twice);
    }
}

/// Whether a capture or a move of our own pawn led here.
fn irreversible(observation: &Observation) -> bool {
    let news = observation.news();
    let pawn = |m: Move| {
        m.promotion().is_some() || observation.view().board.role_at(m.to()) == Some(Role::Pawn)
    };
    news.captured.is_some() || news.lost.is_some() || news.own_move.is_some_and(pawn)
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Color, Game, Sight, State};

    use super::*;
    use crate::belief::BeliefTracker;

    /// White's history after these moves, and the state.
    fn after(game: Game, fen: &str, moves: &str) -> (State, History) {
        let start = game.parse_fen(fen).expect("a position");
        let mut state = State::new(game, start);
        let mut belief = BeliefTracker::new(10_000, 1);
        belief.start(1);
        let mut history = History::default();
        let mut see = |state: &State| {
            let seen = state.observe(Color::White);
            belief.see(&seen);
            history.see(&seen, belief.belief());
        };
        see(&state);
        for text in moves.split_whitespace() {
            let action = state.parse_action(text).expect("a legal move");
            state.play_unchecked(action);
            see(&state);
        }
        (state, history)
    }

    const QUEEN: &str = "8/8/8/4k3/8/8/8/QK6 w - - 0 1";

    #[test]
    fn a_position_that_stood_twice_draws_when_it_returns() {
        let game = Game::fog().with_sight(Color::White, Sight::Full);
        let (once, history) = after(game, QUEEN, "a1a2 e5e4 a2a1");
        assert!(history.thirds().is_empty());
        assert_eq!(history.quiet_plies(), 3);
        let (twice, history) = after(game, QUEEN, "a1a2 e5e4 a2a1 e4e5 a1a2 e5e4 a2a1");
        let thirds = history.thirds();
        assert_eq!(twice.repetition_count(), 2);
        assert_eq!(once.position().hash(), twice.position().hash());
        assert!(thirds.draws(twice.position(), -0.5) && thirds.draws(twice.position(), 0.5));
        assert!(!thirds.draws(&game.start(), 0.5));
    }

    /// In fog Black may have moved back or elsewhere: the better side avoids what may
    /// be a third occurrence, the other does not rely on it.
    #[test]
    fn a_repetition_that_is_only_possible_counts_for_the_better_side() {
        let moves = "a1a2 e5e4 a2a1 e4e5 a1a2 e5e4 a2a1";
        let (state, history) = after(Game::fog(), QUEEN, moves);
        let thirds = history.thirds();
        assert!(thirds.draws(state.position(), 0.5));
        assert!(!thirds.draws(state.position(), -0.5));
    }

    #[test]
    fn a_capture_or_pawn_move_ends_what_can_repeat() {
        let fen = "4k3/8/8/8/8/P7/8/QK6 w - - 0 1";
        let moves = "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7d8 a3a4";
        let (_, history) = after(Game::fog(), fen, moves);
        assert!(history.thirds().is_empty());
        assert_eq!(history.quiet_plies(), 0);
    }
}
