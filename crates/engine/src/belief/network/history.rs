//! What a side remembers of the game: where each enemy man was last seen, and
//! when each square was.

use foglight_rules::{Observation, Role, Square};

use crate::belief::{Evidence, World, tracker::known_start};

/// What one side remembers. It is made of observations and of nothing else.
#[derive(Clone, Debug)]
pub struct ObservationHistory {
    /// The enemy man that stood on a square when it was last known.
    last: [Option<Role>; 64],
    /// The ply at which it was last known what stands on a square.
    known: [u32; 64],
    /// The ply at which a man was lost here to an enemy that was not seen.
    lost: [Option<u32>; 64],
    /// Single moves seen so far; none before the first look.
    plies: Option<u32>,
}

impl Default for ObservationHistory {
    fn default() -> ObservationHistory {
        ObservationHistory {
            last: [None; 64],
            known: [0; 64],
            lost: [None; 64],
            plies: None,
        }
    }
}

impl ObservationHistory {
    /// Of a side that knows from where the enemy's men begin.
    pub fn of_start(enemy: &World) -> ObservationHistory {
        let mut memory = ObservationHistory {
            plies: Some(0),
            ..ObservationHistory::default()
        };
        for (square, role) in enemy.iter() {
            memory.last[square as usize] = Some(role);
        }
        memory
    }

    /// Learns what is seen. Called twice for one ply, it learns once.
    pub fn see(&mut self, observation: &Observation) {
        if self.plies == Some(observation.plies()) {
            return;
        }
        if self.plies.is_none() {
            self.begin(observation);
        }
        let now = observation.plies();
        self.plies = Some(now);
        if let Some((square, _)) = observation.news().lost {
            self.last[square as usize] = None;
            self.lost[square as usize] = Some(now);
        }
        let evidence = Evidence::new(observation.game(), observation.view());
        for square in evidence.size().mask() & !evidence.hidden_squares() {
            let at = square as usize;
            self.last[at] = evidence.shown().role_at(square);
            self.known[at] = now;
            self.lost[at] = None;
        }
    }

    /// At the start of a game it is known where the enemy's men are.
    fn begin(&mut self, observation: &Observation) {
        if let Some(start) = known_start(observation) {
            *self = ObservationHistory::of_start(&World::of(&start, !observation.side()));
        }
    }

    /// Single moves seen so far.
    pub fn plies(&self) -> u32 {
        self.plies.unwrap_or(0)
    }

    /// The enemy man that was last seen on a square.
    pub fn last(&self, square: Square) -> Option<Role> {
        self.last[square as usize]
    }

    /// Single moves since it was known what stands on a square.
    pub fn age(&self, square: Square) -> u32 {
        self.plies() - self.known[square as usize]
    }

    /// Single moves since an unseen enemy took something on a square that was
    /// not seen again.
    pub fn since_loss(&self, square: Square) -> Option<u32> {
        self.lost[square as usize].map(|then| self.plies() - then)
    }
}
