//! Observation history of one side: where each enemy piece was last seen, and
//! when each square was.

use foglight_rules::{Observation, Role, Square};

use crate::belief::{Evidence, World, tracker::known_start};

/// History of one side, built from observations only.
#[derive(Clone, Debug)]
pub struct ObservationHistory {
    /// The enemy piece on a square when its content was last known.
    last: [Option<Role>; 64],
    /// The ply at which the content of a square was last known.
    known: [u32; 64],
    /// The ply at which a piece was lost here to an unseen enemy piece.
    lost: [Option<u32>; 64],
    /// Plies seen so far; `None` before the first observation.
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
    /// The history of a side that knows the enemy's start squares.
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

    /// Adds an observation. A second call for the same ply has no effect.
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

    /// Records the enemy's pieces at the start of a game, which are known.
    fn begin(&mut self, observation: &Observation) {
        if let Some(start) = known_start(observation) {
            *self = ObservationHistory::of_start(&World::of(&start, !observation.side()));
        }
    }

    /// Plies seen so far.
    pub fn plies(&self) -> u32 {
        self.plies.unwrap_or(0)
    }

    /// The enemy piece that was last seen on a square.
    pub fn last(&self, square: Square) -> Option<Role> {
        self.last[square as usize]
    }

    /// Plies since the content of a square was known.
    pub fn age(&self, square: Square) -> u32 {
        self.plies() - self.known[square as usize]
    }

    /// Plies since an unseen enemy piece captured on a square that has not been
    /// visible since.
    pub fn since_loss(&self, square: Square) -> Option<u32> {
        self.lost[square as usize].map(|then| self.plies() - then)
    }
}
