//! The numbers of a network, and their file.

use super::kernel::Vector;

/// Inputs of one view: own and enemy, six kinds, 64 squares.
pub const INPUTS: usize = 768;
/// Hidden units of one view.
pub const HIDDEN: usize = 128;
/// A hidden unit of 1.0.
pub const ONE: i16 = 255;
/// An output weight of 1.0.
const OUTPUT_ONE: i32 = 64;
/// The largest output weight, so that it fits sixteen bits times [`ONE`].
pub const OUTPUT_MOST: f32 = 126.0 / OUTPUT_ONE as f32;
/// Centipawns of one unit of natural log-odds: 400 are ten to one.
pub const CENTIPAWNS: f32 = 400.0 / std::f32::consts::LN_10;
/// The start of every file, with the layout's version.
const MAGIC: &[u8; 8] = b"FOGNET01";

/// The quantised numbers.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// A row of hidden weights for each input.
    pub rows: Vec<Vector>,
    /// What the hidden units start from.
    pub bias: Vector,
    /// Weights of the output, of the side to move and of the other.
    pub output: [Vector; 2],
    /// What the output starts from, in the output's unit.
    pub offset: i32,
}

/// Why bytes are not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// Another kind of file.
    #[error("this is no network; expected a file that begins with FOGNET01")]
    Kind,
    /// Cut off, or too long.
    #[error("a network of {found} bytes; expected {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
}

/// The same numbers before they are quantised: what training works on.
#[derive(Clone, Debug, PartialEq)]
pub struct Floats {
    /// A row of hidden weights for each input, one after the other.
    pub rows: Vec<f32>,
    /// What the hidden units start from.
    pub bias: Vec<f32>,
    /// Weights of the output: the side to move, then the other.
    pub output: Vec<f32>,
    /// What the output starts from.
    pub offset: f32,
}

impl Weights {
    /// Rounds trained numbers.
    pub fn quantised(floats: &Floats) -> Weights {
        let vector = |values: &[f32], one: f32| -> Vector {
            std::array::from_fn(|i| (values[i] * one).round() as i16)
        };
        let hidden = |values: &[f32]| vector(values, f32::from(ONE));
        let output = |values: &[f32]| vector(values, OUTPUT_ONE as f32);
        Weights {
            rows: floats.rows.chunks_exact(HIDDEN).map(hidden).collect(),
            bias: hidden(&floats.bias),
            output: [
                output(&floats.output[..HIDDEN]),
                output(&floats.output[HIDDEN..]),
            ],
            offset: (floats.offset * f32::from(ONE) * OUTPUT_ONE as f32).round() as i32,
        }
    }

    /// Centipawns of the output layer's sum.
    #[inline]
    pub fn centipawns(&self, sum: i32) -> i32 {
        let one = f32::from(ONE) * OUTPUT_ONE as f32;
        let odds = (sum / i32::from(ONE) + self.offset) as f32 / one;
        (odds * CENTIPAWNS) as i32
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let vectors = self.rows.iter().chain([&self.bias]).chain(&self.output);
        for vector in vectors {
            bytes.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(self.offset.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(WeightsError::Kind);
        };
        let expected = (INPUTS + 3) * HIDDEN * 2 + 4;
        if rest.len() != expected {
            return Err(WeightsError::Length {
                found: bytes.len(),
                expected: expected + MAGIC.len(),
            });
        }
        let (vectors, offset) = rest.split_at(expected - 4);
        let mut vectors = vectors.chunks_exact(HIDDEN * 2).map(vector_of);
        let mut next = || vectors.next().expect("as many as were counted");
        Ok(Weights {
            rows: (0..INPUTS).map(|_| next()).collect(),
            bias: next(),
            output: [next(), next()],
            offset: i32::from_le_bytes(offset.try_into().expect("four bytes")),
        })
    }
}

fn vector_of(bytes: &[u8]) -> Vector {
    std::array::from_fn(|i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}
