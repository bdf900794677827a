//! Forward and backward pass of the belief network, one view at a time.

use pulp::Arch;

use super::BeliefExample;
use foglight_engine::belief::network::{
    features::KINDS,
    floats::{FieldTable, FloatBeliefWeights, HIDDEN, Units, local},
};

/// The sum of the gradients of some examples, and of their losses.
#[derive(Clone, Debug)]
pub struct BeliefGradient {
    /// The derivative by each weight.
    pub floats: FloatBeliefWeights,
    /// The sum of losses over all squares that count.
    pub loss: f64,
    /// Number of hidden squares that count: those whose true content is
    /// possible by the material. A pawn that promoted unseen is not.
    pub squares: u64,
}

impl BeliefGradient {
    pub fn zero() -> BeliefGradient {
        BeliefGradient {
            floats: FloatBeliefWeights::zero(),
            loss: 0.0,
            squares: 0,
        }
    }

    pub fn add(&mut self, other: &BeliefGradient) {
        let parts = self.floats.parts_mut().into_iter();
        for (into, from) in parts.zip(other.floats.parts()) {
            into.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        }
        self.loss += other.loss;
        self.squares += other.squares;
    }

    /// Resets the sums for reuse.
    pub fn clear(&mut self) {
        let parts = self.floats.parts_mut().into_iter();
        parts.for_each(|part| part.fill(0.0));
        (self.loss, self.squares) = (0.0, 0);
    }

    /// Adds the gradient of an example: of the negative log-probability of the
    /// true contents, over all hidden squares. The sums do not depend on the
    /// register width.
    pub fn learn(&mut self, floats: &FloatBeliefWeights, example: &BeliefExample) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.learn_one(floats, example),
        );
    }

    #[inline(always)]
    fn learn_one(&mut self, floats: &FloatBeliefWeights, example: &BeliefExample) {
        let features = &example.features;
        let prior = features.field.prior();
        let units = floats.units(&features.inputs);
        let mut table = prior;
        floats.forward(features, &units, &mut table);
        self.errors(example, &prior, &mut table);
        let mut slopes = self.back(floats, example, &units, &table);
        for input in local(&features.inputs) {
            let at = usize::from(input.at) * KINDS;
            let errors = &table[usize::from(input.at) % 64];
            let into = &mut self.floats.direct[at..at + KINDS];
            let each = into.iter_mut().zip(errors);
            each.for_each(|(sum, error)| *sum += input.value * error);
        }
        for (slope, unit) in slopes.iter_mut().zip(&units) {
            *slope = if *unit > 0.0 { *slope } else { 0.0 };
        }
        add(&mut self.floats.bias, &slopes, 1.0);
        for input in &features.inputs {
            let at = usize::from(input.at) * HIDDEN;
            add(&mut self.floats.rows[at..at + HIDDEN], &slopes, input.value);
        }
    }

    /// Converts probabilities to derivatives of the loss by the log-odds: zero
    /// on squares that do not count.
    #[inline(always)]
    fn errors(&mut self, example: &BeliefExample, prior: &FieldTable, table: &mut FieldTable) {
        let dark = example.features.field.hidden_squares;
        for square in dark {
            let at = square as usize;
            let truth = usize::from(example.truth[at]);
            if !prior[at][truth].is_finite() {
                table[at] = [0.0; KINDS];
                continue;
            }
            self.loss -= f64::from(table[at][truth].max(f32::MIN_POSITIVE)).ln();
            self.squares += 1;
            table[at][truth] -= 1.0;
        }
        for square in !dark {
            table[square as usize] = [0.0; KINDS];
        }
    }

    /// Adds the derivatives of the outputs; returns those of the clipped hidden
    /// units.
    #[inline(always)]
    fn back(
        &mut self,
        floats: &FloatBeliefWeights,
        example: &BeliefExample,
        units: &Units,
        errors: &FieldTable,
    ) -> Units {
        let clipped = units.map(|unit| unit.max(0.0));
        let mut slopes = [0.0; HIDDEN];
        for square in example.features.field.hidden_squares {
            for (kind, &error) in errors[square as usize].iter().enumerate() {
                if error == 0.0 {
                    continue;
                }
                let output = square as usize * KINDS + kind;
                self.floats.offset[output] += error;
                let at = output * HIDDEN;
                add(&mut self.floats.output[at..at + HIDDEN], &clipped, error);
                add(&mut slopes, floats.row(output), error);
            }
        }
        slopes
    }
}

#[inline(always)]
fn add(into: &mut [f32], from: &[f32], times: f32) {
    let each = into.iter_mut().zip(from);
    each.for_each(|(sum, value)| *sum += times * value);
}
