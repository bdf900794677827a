//! The numbers of a network, and their file.

use super::kernel::Vector;

/// Inputs of one view: own and enemy, six kinds, 64 squares. A network that
/// looks at what is seen has as many again.
pub const INPUTS: usize = 768;
/// Hidden units of one view.
pub const HIDDEN: usize = 256;
/// Outputs, one for every four men on the board: what a pawn or a rook is worth
/// depends on how much is left.
pub const HEADS: usize = 8;
/// A hidden unit of 1.0.
pub(crate) const ONE: i16 = 255;
/// An output weight of 1.0.
const OUTPUT_ONE: i32 = 64;
/// The largest output weight, so that it fits sixteen bits times [`ONE`].
pub const OUTPUT_MOST: f32 = 126.0 / OUTPUT_ONE as f32;
/// Centipawns of one unit of natural log-odds: 400 are ten to one.
pub(crate) const CENTIPAWNS: f32 = 400.0 / std::f32::consts::LN_10;
/// The start of every file, with the layout's version.
const MAGIC: &[u8; 8] = b"FOGNET03";

#[derive(Clone, PartialEq, Eq)]
pub struct NetworkWeights {
    /// A row of hidden weights for each input.
    pub rows: Vec<Vector>,
    /// What the hidden units start from.
    pub bias: Vector,
    pub(crate) heads: Vec<Head>,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// Weights of the side to move and of the other.
    pub weights: [Vector; 2],
    /// What the sum starts from, in the output's unit.
    pub offset: i32,
}

/// The output that judges a board with so many men.
#[inline]
pub fn head_of(men: usize) -> usize {
    (men.saturating_sub(1) / 4).min(HEADS - 1)
}

/// Why bytes are not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkWeightsError {
    /// Another kind of file.
    #[error("this is no network; expected a file that begins with FOGNET03")]
    Kind,
    /// Cut off, or too long.
    #[error("a network of {found} bytes; expected {plain}, or {sighted} with inputs for sight")]
    Length {
        found: usize,
        /// Bytes there should be.
        plain: usize,
        /// Bytes there should be with inputs for what is seen.
        sighted: usize,
    },
}

/// The same numbers before they are quantised: what training works on.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetworkWeights {
    /// A row of hidden weights for each input, one after the other.
    pub rows: Vec<f32>,
    /// What the hidden units start from.
    pub bias: Vec<f32>,
    /// Weights of each output: the side to move, then the other.
    pub output: Vec<f32>,
    /// What each output starts from.
    pub offset: Vec<f32>,
}

impl Head {
    /// Centipawns of the weighed sum.
    #[inline]
    pub fn centipawns(&self, sum: i32) -> i32 {
        let one = f32::from(ONE) * OUTPUT_ONE as f32;
        let odds = (sum / i32::from(ONE) + self.offset) as f32 / one;
        (odds * CENTIPAWNS) as i32
    }
}

impl FloatNetworkWeights {
    /// Inputs of one view.
    pub fn inputs(&self) -> usize {
        self.rows.len() / HIDDEN
    }

    /// The same network with inputs for what is seen, which do nothing yet.
    pub fn with_sight(mut self) -> FloatNetworkWeights {
        self.rows.resize(2 * INPUTS * HIDDEN, 0.0);
        self
    }
}

/// The bytes of a file with so many inputs.
const fn length(inputs: usize) -> usize {
    MAGIC.len() + (inputs + 1 + 2 * HEADS) * HIDDEN * 2 + 4 * HEADS
}

impl NetworkWeights {
    /// Does it look at what each side sees?
    #[inline]
    pub(crate) fn has_sight(&self) -> bool {
        self.rows.len() > INPUTS
    }

    pub fn quantised(floats: &FloatNetworkWeights) -> NetworkWeights {
        let vector = |values: &[f32], one: f32| -> Vector {
            std::array::from_fn(|i| (values[i] * one).round() as i16)
        };
        let hidden = |values: &[f32]| vector(values, f32::from(ONE));
        let output = |values: &[f32]| vector(values, OUTPUT_ONE as f32);
        NetworkWeights {
            rows: floats.rows.chunks_exact(HIDDEN).map(hidden).collect(),
            bias: hidden(&floats.bias),
            heads: (floats.output.chunks_exact(2 * HIDDEN).zip(&floats.offset))
                .map(|(values, offset)| Head {
                    weights: [output(&values[..HIDDEN]), output(&values[HIDDEN..])],
                    offset: (offset * f32::from(ONE) * OUTPUT_ONE as f32).round() as i32,
                })
                .collect(),
        }
    }

    /// The numbers before they were rounded, as far as they can be told.
    pub fn floats(&self) -> FloatNetworkWeights {
        let scaled = |vector: &Vector, one: f32| vector.map(|value| f32::from(value) / one);
        let hidden = |vector| scaled(vector, f32::from(ONE));
        let outputs = self.heads.iter().flat_map(|head| &head.weights);
        let unit = f32::from(ONE) * OUTPUT_ONE as f32;
        FloatNetworkWeights {
            rows: self.rows.iter().flat_map(hidden).collect(),
            bias: hidden(&self.bias).to_vec(),
            output: outputs
                .flat_map(|vector| scaled(vector, OUTPUT_ONE as f32))
                .collect(),
            offset: (self.heads.iter())
                .map(|head| head.offset as f32 / unit)
                .collect(),
        }
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let outputs = self.heads.iter().flat_map(|head| &head.weights);
        let vectors = self.rows.iter().chain([&self.bias]).chain(outputs);
        for vector in vectors {
            bytes.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
        }
        let offsets = self.heads.iter().map(|head| head.offset);
        bytes.extend(offsets.flat_map(i32::to_le_bytes));
        bytes
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<NetworkWeights, NetworkWeightsError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(NetworkWeightsError::Kind);
        };
        let mut shapes = [INPUTS, 2 * INPUTS].into_iter();
        let Some(inputs) = shapes.find(|inputs| bytes.len() == length(*inputs)) else {
            return Err(NetworkWeightsError::Length {
                found: bytes.len(),
                plain: length(INPUTS),
                sighted: length(2 * INPUTS),
            });
        };
        let (vectors, offsets) = rest.split_at(rest.len() - 4 * HEADS);
        let mut vectors = vectors.chunks_exact(HIDDEN * 2).map(vector_of);
        let mut next = || vectors.next().expect("as many as were counted");
        Ok(NetworkWeights {
            rows: (0..inputs).map(|_| next()).collect(),
            bias: next(),
            heads: (offsets.chunks_exact(4))
                .map(|four| Head {
                    weights: [next(), next()],
                    offset: i32::from_le_bytes(four.try_into().expect("four bytes")),
                })
                .collect(),
        })
    }
}

fn vector_of(bytes: &[u8]) -> Vector {
    std::array::from_fn(|i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}
