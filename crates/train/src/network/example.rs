//! Training examples: a position, a score, and the result of its game.

use foglight_rules::{PackedPosition, Position};

use foglight_engine::{
    eval::network::{INPUTS, features},
    search::alphabeta::is_still,
};

/// A labelled position in 40 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkExample {
    pub packed: PackedPosition,
    /// Centipawns for the side to move.
    pub score: i16,
    /// The result for the side to move in half points;
    /// [`NetworkExample::NO_RESULT`] where the game did not go on from here.
    pub result: u8,
    pub flags: u8,
    /// The game that it comes from: whole games are used for training or for
    /// validation.
    pub game: u32,
}

/// Error for bytes that are not examples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExampleError {
    /// The last example is truncated.
    #[error("{0} bytes of training data; expected a multiple of 40")]
    Length(usize),
    #[error("record {0} of the training data is not a position")]
    Position(usize),
}

impl NetworkExample {
    /// Length of an example in bytes.
    pub const BYTES: usize = 40;
    /// The position was not played on: a world of a belief.
    pub const NO_RESULT: u8 = 3;
    /// The score of a captured king.
    pub const WON: i16 = 3000;

    /// Pushes the active inputs in pairs, with visibility inputs if `inputs`
    /// includes them; returns the number of pieces.
    pub fn inputs(&self, inputs: usize, into: &mut Vec<(u16, u16)>) -> usize {
        let position = self.packed.unpack();
        features::active(&position, into);
        let men = into.len();
        if inputs > INPUTS {
            features::active_sight(&position, into);
        }
        men
    }

    /// Whether nothing hangs, no side is in check and no king can be captured.
    /// A quiescence search mostly evaluates such positions.
    pub fn is_still(&self) -> bool {
        let position = self.packed.unpack();
        !position.can_capture_king() && is_still(&position)
    }

    /// The result for the side to move, 1 won and 0 lost, if the position was
    /// on the board.
    pub fn outcome(&self) -> Option<f64> {
        (self.result != NetworkExample::NO_RESULT).then(|| f64::from(self.result) / 2.0)
    }

    /// The target win probability, with this share of the game's result.
    pub fn target(&self, share: f32) -> f32 {
        let score = 1.0 / (1.0 + 10f32.powf(-f32::from(self.score) / 400.0));
        match self.result {
            NetworkExample::NO_RESULT => score,
            half_points => score + share * (f32::from(half_points) / 2.0 - score),
        }
    }

    pub fn new(position: &Position, score: i32, result: u8, game: u32) -> NetworkExample {
        let most = i32::from(NetworkExample::WON);
        NetworkExample {
            packed: PackedPosition::new(&position.without_counters()),
            score: score.clamp(-most, most) as i16,
            result,
            flags: 0,
            game,
        }
    }

    pub fn to_bytes(&self) -> [u8; NetworkExample::BYTES] {
        let mut bytes = [0; NetworkExample::BYTES];
        for (i, word) in self.packed.words().into_iter().enumerate() {
            bytes[8 * i..8 * i + 8].copy_from_slice(&word.to_le_bytes());
        }
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        (bytes[34], bytes[35]) = (self.result, self.flags);
        bytes[36..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    /// Parses and validates many examples.
    pub fn read(bytes: &[u8]) -> Result<Vec<NetworkExample>, ExampleError> {
        if !bytes.len().is_multiple_of(NetworkExample::BYTES) {
            return Err(ExampleError::Length(bytes.len()));
        }
        let each = bytes.chunks_exact(NetworkExample::BYTES).enumerate();
        each.map(|(i, bytes)| {
            let example = NetworkExample::from_bytes(bytes);
            let valid = example.packed.setup().is_some();
            valid.then_some(example).ok_or(ExampleError::Position(i))
        })
        .collect()
    }

    fn from_bytes(bytes: &[u8]) -> NetworkExample {
        let word = |i: usize| {
            let eight = bytes[8 * i..8 * i + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(eight)
        };
        NetworkExample {
            packed: PackedPosition::from_words([word(0), word(1), word(2), word(3)]),
            score: i16::from_le_bytes([bytes[32], bytes[33]]),
            result: bytes[34],
            flags: bytes[35],
            game: u32::from_le_bytes([bytes[36], bytes[37], bytes[38], bytes[39]]),
        }
    }
}
