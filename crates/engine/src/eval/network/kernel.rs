//! The two loops that take the time, compiled for wider registers where the
//! machine has them. The arithmetic is of whole numbers, so that every path
//! gives the same bits.

use pulp::Arch;

use super::weights::{HIDDEN, ONE};

/// Hidden units of one side's view.
pub type Vector = [i16; HIDDEN];

/// Which code is run.
#[derive(Clone, Copy, Debug)]
pub enum Speed {
    /// What every machine can do.
    Portable,
    /// What this machine can do.
    Wide(Arch),
}

impl Speed {
    /// The best that this machine can do.
    pub fn detect() -> Speed {
        match Arch::new() {
            Arch::Scalar => Speed::Portable,
            arch => Speed::Wide(arch),
        }
    }

    /// Adds or subtracts the row of one input.
    #[inline]
    pub fn change(self, sums: &mut Vector, row: &Vector, add: bool) {
        match self {
            Speed::Portable => change(sums, row, add),
            Speed::Wide(arch) => arch.dispatch(
                #[inline(always)]
                || change(sums, row, add),
            ),
        }
    }

    /// The output layer over both views.
    #[inline]
    pub fn output(self, own: &Vector, other: &Vector, weights: &[Vector; 2]) -> i32 {
        match self {
            Speed::Portable => output(own, other, weights),
            Speed::Wide(arch) => arch.dispatch(
                #[inline(always)]
                || output(own, other, weights),
            ),
        }
    }
}

#[inline(always)]
fn change(sums: &mut Vector, row: &Vector, add: bool) {
    if add {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(*weight);
        }
    } else {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

#[inline(always)]
fn output(own: &Vector, other: &Vector, weights: &[Vector; 2]) -> i32 {
    half(own, &weights[0]).wrapping_add(half(other, &weights[1]))
}

/// The sum of clipped squares times weights. A weight times a clipped unit fits
/// sixteen bits, which lets the compiler multiply and add in pairs.
#[inline(always)]
fn half(units: &Vector, weights: &Vector) -> i32 {
    let mut sum = 0i32;
    for (&unit, &weight) in units.iter().zip(weights) {
        let clipped = unit.clamp(0, ONE);
        let scaled = clipped.wrapping_mul(weight);
        sum = sum.wrapping_add(i32::from(scaled) * i32::from(clipped));
    }
    sum
}
