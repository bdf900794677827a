//! Forward and backward pass of the network, one example at a time.

use pulp::Arch;

use foglight_engine::eval::network::weights::{FloatNetworkWeights, HEADS, HIDDEN, head_of};

use super::example::NetworkExample;

/// The sum of the gradients of some examples, and of their losses.
#[derive(Clone, Debug)]
pub struct NetworkGradient {
    /// The derivative by each weight.
    pub floats: FloatNetworkWeights,
    /// The sum of losses.
    pub loss: f64,
    inputs: Vec<(u16, u16)>,
}

/// Hidden units of one perspective, before they are clipped.
type Hidden = [f32; HIDDEN];

impl NetworkGradient {
    /// A zero gradient of a network with this number of inputs.
    pub fn zero(inputs: usize) -> NetworkGradient {
        NetworkGradient {
            floats: FloatNetworkWeights {
                rows: vec![0.0; inputs * HIDDEN],
                bias: vec![0.0; HIDDEN],
                output: vec![0.0; HEADS * 2 * HIDDEN],
                offset: vec![0.0; HEADS],
            },
            loss: 0.0,
            inputs: Vec::with_capacity(64),
        }
    }

    pub fn add(&mut self, other: &NetworkGradient) {
        let add = |into: &mut [f32], from: &[f32]| {
            into.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        };
        add(&mut self.floats.rows, &other.floats.rows);
        add(&mut self.floats.bias, &other.floats.bias);
        add(&mut self.floats.output, &other.floats.output);
        add(&mut self.floats.offset, &other.floats.offset);
        self.loss += other.loss;
    }

    /// Resets the sums for reuse.
    pub fn clear(&mut self) {
        self.floats.rows.fill(0.0);
        self.floats.bias.fill(0.0);
        self.floats.output.fill(0.0);
        self.floats.offset.fill(0.0);
        self.loss = 0.0;
    }

    /// Adds the gradients of some examples: of the squared error of the win
    /// probability. The sums do not depend on the register width.
    pub fn learn(
        &mut self,
        floats: &FloatNetworkWeights,
        examples: &mut dyn Iterator<Item = &NetworkExample>,
        result: f32,
    ) {
        let mut inputs = std::mem::take(&mut self.inputs);
        let arch = Arch::new();
        for example in examples {
            inputs.clear();
            let men = example.inputs(floats.inputs(), &mut inputs);
            let target = example.target(result);
            arch.dispatch(
                #[inline(always)]
                || self.learn_one(floats, &inputs, head_of(men), target),
            );
        }
        self.inputs = inputs;
    }

    #[inline(always)]
    fn learn_one(
        &mut self,
        floats: &FloatNetworkWeights,
        inputs: &[(u16, u16)],
        head: usize,
        target: f32,
    ) {
        let own = hidden(floats, inputs.iter().map(|pair| pair.0));
        let other = hidden(floats, inputs.iter().map(|pair| pair.1));
        let weights = head * 2 * HIDDEN..(head + 1) * 2 * HIDDEN;
        let (first, second) = floats.output[weights.clone()].split_at(HIDDEN);
        let odds = floats.offset[head] + dot(&own, first) + dot(&other, second);
        let chance = 1.0 / (1.0 + (-odds).exp());
        let error = chance - target;
        self.loss += f64::from(error * error);
        let slope = 2.0 * error * chance * (1.0 - chance);
        self.floats.offset[head] += slope;
        let (own_out, other_out) = self.floats.output[weights].split_at_mut(HIDDEN);
        let own = back(&own, first, own_out, slope);
        let other = back(&other, second, other_out, slope);
        for ((sum, a), b) in self.floats.bias.iter_mut().zip(&own).zip(&other) {
            *sum += a + b;
        }
        for &(a, b) in inputs {
            self.spread(a, &own);
            self.spread(b, &other);
        }
    }

    #[inline(always)]
    fn spread(&mut self, input: u16, slopes: &Hidden) {
        let at = usize::from(input) * HIDDEN;
        let row = &mut self.floats.rows[at..at + HIDDEN];
        row.iter_mut().zip(slopes).for_each(|(sum, s)| *sum += s);
    }
}

/// The hidden units of some inputs.
#[inline(always)]
fn hidden(floats: &FloatNetworkWeights, inputs: impl Iterator<Item = u16>) -> Hidden {
    let mut sums: Hidden = std::array::from_fn(|i| floats.bias[i]);
    for input in inputs {
        let at = usize::from(input) * HIDDEN;
        let row = &floats.rows[at..at + HIDDEN];
        sums.iter_mut().zip(row).for_each(|(sum, w)| *sum += w);
    }
    sums
}

/// Lanes of a sum, fixed so that the result does not depend on the registers.
const LANES: usize = 16;

#[inline(always)]
fn dot(units: &Hidden, weights: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let chunks = units.chunks_exact(LANES).zip(weights.chunks_exact(LANES));
    for (units, weights) in chunks {
        for lane in 0..LANES {
            let clipped = units[lane].clamp(0.0, 1.0);
            sums[lane] += clipped * clipped * weights[lane];
        }
    }
    sums.iter().sum()
}

/// Adds the derivatives of the output weights; returns those of the hidden
/// units.
#[inline(always)]
fn back(units: &Hidden, weights: &[f32], output: &mut [f32], slope: f32) -> Hidden {
    let mut slopes = [0.0; HIDDEN];
    for i in 0..HIDDEN {
        let clipped = units[i].clamp(0.0, 1.0);
        output[i] += slope * clipped * clipped;
        let inside = units[i] > 0.0 && units[i] < 1.0;
        slopes[i] = if inside {
            slope * weights[i] * 2.0 * clipped
        } else {
            0.0
        };
    }
    slopes
}
