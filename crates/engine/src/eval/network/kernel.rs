//! The two loops that take the time, compiled for wider registers where the
//! machine has them. The arithmetic is of whole numbers, so that every path
//! gives the same bits.

use pulp::Arch;

use super::weights::{HIDDEN, ONE};

/// Hidden units of one side's view.
pub type Vector = [i16; HIDDEN];

/// An input that is turned on or off: its rows for both views.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// White's row, then Black's.
    pub rows: [&'a Vector; 2],
    /// On, or off.
    pub add: bool,
}

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

    /// Adds and subtracts the rows of some inputs, in both views.
    #[inline]
    pub fn change(self, sums: [&mut Vector; 2], changes: &[Change]) {
        match self {
            Speed::Portable => change(sums, changes),
            Speed::Wide(arch) => arch.dispatch(
                #[inline(always)]
                || change(sums, changes),
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
fn change(sums: [&mut Vector; 2], changes: &[Change]) {
    for (view, sums) in sums.into_iter().enumerate() {
        for change in changes {
            let each = sums.iter_mut().zip(change.rows[view]);
            if change.add {
                each.for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            } else {
                each.for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
            }
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
