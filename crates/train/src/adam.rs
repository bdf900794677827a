//! The Adam optimiser (Kingma & Ba 2015).

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Running means of gradients and of their squares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u32,
}

impl Adam {
    /// A fresh state for this number of weights.
    pub fn new(count: usize) -> Adam {
        Adam::resumed(0, vec![0.0; count], vec![0.0; count])
    }

    /// The state restored from its saved moments.
    pub fn resumed(steps: u32, first: Vec<f32>, second: Vec<f32>) -> Adam {
        Adam {
            first,
            second,
            steps,
        }
    }

    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Both running means, concatenated.
    pub fn moments(&self) -> impl Iterator<Item = &f32> {
        self.first.iter().chain(&self.second)
    }

    /// Starts a new step.
    pub fn begin(&mut self) {
        self.steps += 1;
    }

    /// Updates the weights from `at` on by their gradient, scaled by `scale`.
    pub fn step(&mut self, values: &mut [f32], gradient: &[f32], at: usize, scale: f32, rate: f32) {
        let steps = self.steps as i32;
        let rate = rate * (1.0 - SECOND.powi(steps)).sqrt() / (1.0 - FIRST.powi(steps));
        let first = &mut self.first[at..at + gradient.len()];
        let second = &mut self.second[at..at + gradient.len()];
        let each = values.iter_mut().zip(gradient).zip(first).zip(second);
        for (((value, &gradient), first), second) in each {
            let g = gradient * scale;
            *first = FIRST * *first + (1.0 - FIRST) * g;
            *second = SECOND * *second + (1.0 - SECOND) * g * g;
            *value -= rate * *first / (second.sqrt() + EPSILON);
        }
    }
}
