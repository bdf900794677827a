//! File format of a belief network: eight bits per weight and a scale for each
//! row.

use super::{
    features::{INPUTS, KINDS, LOCAL},
    floats::{FloatBeliefWeights, HIDDEN, OUTPUTS},
};

/// File signature, with the version of the layout.
const MAGIC: &[u8; 8] = b"FOGBEL01";
/// Quantised value of the largest weight of a row.
const MAX_WEIGHT: f32 = 127.0;
/// Rows of eight-bit weights, each with its scale.
const ROWS: usize = INPUTS + OUTPUTS;
/// Number of weights stored unquantised.
const WHOLE: usize = HIDDEN + OUTPUTS + LOCAL * 64 * KINDS;
/// Length of a file in bytes.
const BYTES: usize = MAGIC.len() + ROWS * (4 + HIDDEN) + 4 * WHOLE;

#[derive(Clone, PartialEq, Debug)]
pub struct BeliefWeights {
    /// Hidden weights of the inputs, then of the outputs.
    rows: Vec<Row>,
    bias: Vec<f32>,
    offset: Vec<f32>,
    direct: Vec<f32>,
}

#[derive(Clone, PartialEq, Debug)]
struct Row {
    scale: f32,
    weights: [i8; HIDDEN],
}

/// Error for bytes that are not a belief network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BeliefWeightsError {
    /// The file signature differs.
    #[error("this is no belief network; expected a file that begins with FOGBEL01")]
    Kind,
    /// The file is truncated or too long.
    #[error("a belief network of {0} bytes; expected {BYTES}")]
    Length(usize),
    /// A weight or scale is not finite.
    #[error("a belief network with a number that is not finite; expected finite ones")]
    Number,
}

impl Row {
    fn of(values: &[f32]) -> Row {
        let most = values.iter().fold(0.0f32, |most, v| most.max(v.abs()));
        let scale = most / MAX_WEIGHT;
        let small = |value: f32| match scale > 0.0 {
            true => (value / scale).round() as i8,
            false => 0,
        };
        Row {
            scale,
            weights: std::array::from_fn(|i| small(values[i])),
        }
    }

    fn floats(&self) -> impl Iterator<Item = f32> {
        self.weights.iter().map(|&w| f32::from(w) * self.scale)
    }
}

impl BeliefWeights {
    pub fn quantised(floats: &FloatBeliefWeights) -> BeliefWeights {
        let rows = floats.rows.chunks_exact(HIDDEN);
        let rows = rows.chain(floats.output.chunks_exact(HIDDEN));
        BeliefWeights {
            rows: rows.map(Row::of).collect(),
            bias: floats.bias.clone(),
            offset: floats.offset.clone(),
            direct: floats.direct.clone(),
        }
    }

    /// The weights in floating point, for inference.
    pub fn floats(&self) -> FloatBeliefWeights {
        let (rows, output) = self.rows.split_at(INPUTS);
        FloatBeliefWeights {
            rows: rows.iter().flat_map(Row::floats).collect(),
            bias: self.bias.clone(),
            output: output.iter().flat_map(Row::floats).collect(),
            offset: self.offset.clone(),
            direct: self.direct.clone(),
        }
    }

    /// The contents of a weights file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for row in &self.rows {
            bytes.extend(row.scale.to_le_bytes());
            bytes.extend(row.weights.iter().map(|&weight| weight as u8));
        }
        let whole = [&self.bias, &self.offset, &self.direct];
        let whole = whole.into_iter().flatten();
        bytes.extend(whole.flat_map(|value| value.to_le_bytes()));
        bytes
    }

    /// Parses the contents of a weights file.
    pub fn from_bytes(bytes: &[u8]) -> Result<BeliefWeights, BeliefWeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(BeliefWeightsError::Kind)?;
        if bytes.len() != BYTES {
            return Err(BeliefWeightsError::Length(bytes.len()));
        }
        let (rows, whole) = rest.split_at(ROWS * (4 + HIDDEN));
        let rows = rows.chunks_exact(4 + HIDDEN).map(|row| Row {
            scale: float(row),
            weights: std::array::from_fn(|i| row[4 + i] as i8),
        });
        let mut whole = whole.chunks_exact(4).map(float);
        let mut take = |n: usize| -> Vec<f32> { whole.by_ref().take(n).collect() };
        let weights = BeliefWeights {
            rows: rows.collect(),
            bias: take(HIDDEN),
            offset: take(OUTPUTS),
            direct: take(LOCAL * 64 * KINDS),
        };
        match weights.is_finite() {
            true => Ok(weights),
            false => Err(BeliefWeightsError::Number),
        }
    }

    fn is_finite(&self) -> bool {
        let whole = [&self.bias, &self.offset, &self.direct];
        let scales = self.rows.iter().map(|row| &row.scale);
        let mut all = whole.into_iter().flatten().chain(scales);
        all.all(|value| value.is_finite())
    }
}

fn float(bytes: &[u8]) -> f32 {
    f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
