//! Belief network weights in floating point, for training and inference, and
//! the forward pass.

use pulp::Arch;

use super::features::{Features, INPUTS, Input, KINDS, LOCAL};

pub const HIDDEN: usize = 128;
/// Outputs: empty or a piece type, for each square.
pub(crate) const OUTPUTS: usize = 64 * KINDS;

#[derive(Clone, Debug, PartialEq)]
pub struct FloatBeliefWeights {
    /// A row of hidden weights for each input, concatenated.
    pub rows: Vec<f32>,
    /// Biases of the hidden units.
    pub bias: Vec<f32>,
    /// A row of hidden weights for each output, concatenated.
    pub output: Vec<f32>,
    /// Biases of the outputs.
    pub offset: Vec<f32>,
    /// From each input of a local plane to the outputs of its own square.
    pub direct: Vec<f32>,
}

/// Hidden units of one example.
pub type Units = [f32; HIDDEN];
/// A number for empty and for each piece type, for each square.
pub type FieldTable = [[f32; KINDS]; 64];

impl FloatBeliefWeights {
    /// All weights zero: the network returns the uniform tensor.
    pub fn zero() -> FloatBeliefWeights {
        FloatBeliefWeights {
            rows: vec![0.0; INPUTS * HIDDEN],
            bias: vec![0.0; HIDDEN],
            output: vec![0.0; OUTPUTS * HIDDEN],
            offset: vec![0.0; OUTPUTS],
            direct: vec![0.0; LOCAL * 64 * KINDS],
        }
    }

    pub const fn count() -> usize {
        (INPUTS + 1) * HIDDEN + OUTPUTS * (HIDDEN + 1) + LOCAL * 64 * KINDS
    }

    /// All weights, part by part.
    pub fn parts(&self) -> [&[f32]; 5] {
        [
            &self.rows,
            &self.bias,
            &self.output,
            &self.offset,
            &self.direct,
        ]
    }

    /// Mutable access to all weights, part by part.
    pub fn parts_mut(&mut self) -> [&mut [f32]; 5] {
        [
            &mut self.rows,
            &mut self.bias,
            &mut self.output,
            &mut self.offset,
            &mut self.direct,
        ]
    }

    /// Probabilities of empty and of each piece type on every hidden square,
    /// which sum to one on each. The result does not depend on the register
    /// width.
    pub fn chances(&self, features: &Features) -> FieldTable {
        let mut units = [0.0; HIDDEN];
        let mut table = features.field.prior();
        Arch::new().dispatch(
            #[inline(always)]
            || {
                units = self.units(&features.inputs);
                self.forward(features, &units, &mut table);
            },
        );
        table
    }

    /// The hidden units of some inputs, before the activation.
    #[inline(always)]
    pub fn units(&self, inputs: &[Input]) -> Units {
        let mut units: Units = std::array::from_fn(|i| self.bias[i]);
        for input in inputs {
            let at = usize::from(input.at) * HIDDEN;
            let row = &self.rows[at..at + HIDDEN];
            let each = units.iter_mut().zip(row);
            each.for_each(|(unit, weight)| *unit += input.value * weight);
        }
        units
    }

    /// Computes probabilities from hidden units and the uniform
    /// log-probabilities.
    #[inline(always)]
    pub fn forward(&self, features: &Features, units: &Units, table: &mut FieldTable) {
        let clipped = units.map(|unit| unit.max(0.0));
        for input in local(&features.inputs) {
            let at = usize::from(input.at) * KINDS;
            let of = &mut table[usize::from(input.at) % 64];
            let each = of.iter_mut().zip(&self.direct[at..at + KINDS]);
            each.for_each(|(sum, weight)| *sum += input.value * weight);
        }
        for square in features.field.hidden_squares {
            let first = square as usize * KINDS;
            let of = &mut table[square as usize];
            for (kind, sum) in of.iter_mut().enumerate() {
                if sum.is_finite() {
                    *sum += self.offset[first + kind] + dot(&clipped, self.row(first + kind));
                }
            }
            softmax(of);
        }
    }

    /// The hidden weights of an output.
    #[inline(always)]
    pub fn row(&self, output: usize) -> &[f32] {
        &self.output[output * HIDDEN..(output + 1) * HIDDEN]
    }
}

/// The inputs of local planes.
pub fn local(inputs: &[Input]) -> impl Iterator<Item = &Input> {
    let limit = LOCAL * 64;
    inputs.iter().filter(move |i| usize::from(i.at) < limit)
}

/// Lanes of a sum, fixed so that the result does not depend on the registers.
const LANES: usize = 16;

#[inline(always)]
fn dot(units: &Units, weights: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let chunks = units.chunks_exact(LANES).zip(weights.chunks_exact(LANES));
    for (units, weights) in chunks {
        for lane in 0..LANES {
            sums[lane] += units[lane] * weights[lane];
        }
    }
    sums.iter().sum()
}

/// Converts log-odds to probabilities; all zero where nothing is allowed.
#[inline(always)]
fn softmax(odds: &mut [f32; KINDS]) {
    let most = odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !most.is_finite() {
        *odds = [0.0; KINDS];
        return;
    }
    odds.iter_mut().for_each(|odd| *odd = (*odd - most).exp());
    let total: f32 = odds.iter().sum();
    odds.iter_mut().for_each(|odd| *odd /= total);
}
