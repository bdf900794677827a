//! Weights of a network and their file format.

use super::kernel::Vector;

/// Inputs of one perspective: own and enemy, six piece types, 64 squares. A
/// network with visibility inputs has twice as many.
pub const INPUTS: usize = 768;
/// Hidden units of one perspective.
pub const HIDDEN: usize = 256;
/// Output heads, one for every four pieces on the board: the value of a pawn or
/// a rook depends on how much is left.
pub const HEADS: usize = 8;
/// Quantised 1.0 of a hidden unit.
pub(crate) const ONE: i16 = 255;
/// Quantised 1.0 of an output weight.
const OUTPUT_ONE: i32 = 64;
/// The largest output weight, so that it fits sixteen bits times [`ONE`].
pub const OUTPUT_MOST: f32 = 126.0 / OUTPUT_ONE as f32;
/// Centipawns of one unit of natural log-odds: 400 are ten to one.
pub(crate) const CENTIPAWNS: f32 = 400.0 / std::f32::consts::LN_10;
/// File signature, with the version of the layout.
const MAGIC: &[u8; 8] = b"FOGNET03";

#[derive(Clone, PartialEq, Eq)]
pub struct NetworkWeights {
    /// A row of hidden weights for each input.
    pub rows: Vec<Vector>,
    /// Biases of the hidden units.
    pub bias: Vector,
    pub(crate) heads: Vec<Head>,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// Weights of the side to move and of the other.
    pub weights: [Vector; 2],
    /// Bias of the output, in the output's unit.
    pub offset: i32,
}

/// The output head for a board with this number of pieces.
#[inline]
pub fn head_of(men: usize) -> usize {
    (men.saturating_sub(1) / 4).min(HEADS - 1)
}

/// Error for bytes that are not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkWeightsError {
    /// The file signature differs.
    #[error("this is no network; expected a file that begins with FOGNET03")]
    Kind,
    /// The file is truncated or too long.
    #[error("a network of {found} bytes; expected {plain}, or {sighted} with inputs for sight")]
    Length {
        found: usize,
        /// Expected length without visibility inputs.
        plain: usize,
        /// Expected length with visibility inputs.
        sighted: usize,
    },
}

/// Unquantised weights, for training.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetworkWeights {
    /// A row of hidden weights for each input, concatenated.
    pub rows: Vec<f32>,
    /// Biases of the hidden units.
    pub bias: Vec<f32>,
    /// Weights of each output: the side to move, then the other.
    pub output: Vec<f32>,
    /// Biases of the outputs.
    pub offset: Vec<f32>,
}

impl Head {
    /// Converts the output sum to centipawns.
    #[inline]
    pub fn centipawns(&self, sum: i32) -> i32 {
        let one = f32::from(ONE) * OUTPUT_ONE as f32;
        let odds = (sum / i32::from(ONE) + self.offset) as f32 / one;
        (odds * CENTIPAWNS) as i32
    }
}

impl FloatNetworkWeights {
    /// Inputs of one perspective.
    pub fn inputs(&self) -> usize {
        self.rows.len() / HIDDEN
    }

    /// Adds visibility inputs with zero weights.
    pub fn with_sight(mut self) -> FloatNetworkWeights {
        self.rows.resize(2 * INPUTS * HIDDEN, 0.0);
        self
    }
}

/// Length of a file with this number of inputs.
const fn length(inputs: usize) -> usize {
    MAGIC.len() + (inputs + 1 + 2 * HEADS) * HIDDEN * 2 + 4 * HEADS
}

impl NetworkWeights {
    /// Whether the network has visibility inputs.
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

    /// The unquantised weights, up to rounding.
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

    /// The contents of a weights file.
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

    /// Parses the contents of a weights file.
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
