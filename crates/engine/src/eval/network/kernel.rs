//! The two hot loops, compiled for wider registers where the machine has them.
//! Integer arithmetic makes every code path give the same bits.

use pulp::Arch;

use super::weights::{HIDDEN, ONE};

/// Hidden units of one perspective.
pub(crate) type Vector = [i16; HIDDEN];

/// The rows of an input: White's perspective, then Black's.
pub type Rows<'a> = [&'a Vector; 2];

/// Instruction set of the code path.
#[derive(Clone, Copy, Debug)]
pub enum Speed {
    /// Instructions that every machine has.
    Portable,
    /// The widest registers of this machine.
    Wide(Arch),
}

impl Speed {
    /// The fastest code path of this machine.
    pub fn detect() -> Speed {
        match Arch::new() {
            Arch::Scalar => Speed::Portable,
            arch => Speed::Wide(arch),
        }
    }

    #[inline]
    pub fn add(self, sums: &mut Vector, row: &Vector) {
        match self {
            Speed::Portable => add(sums, row),
            Speed::Wide(arch) => arch.dispatch(
                #[inline(always)]
                || add(sums, row),
            ),
        }
    }

    /// Subtracts one or two rows from the sums and adds another, in both
    /// perspectives.
    #[inline]
    pub fn shift(self, sums: [&mut Vector; 2], gone: Rows, come: Rows, victim: Option<Rows>) {
        match self {
            Speed::Portable => shift(sums, gone, come, victim),
            Speed::Wide(arch) => arch.dispatch(
                #[inline(always)]
                || shift(sums, gone, come, victim),
            ),
        }
    }

    /// The output layer over both perspectives.
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
fn add(sums: &mut Vector, row: &Vector) {
    let each = sums.iter_mut().zip(row);
    each.for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
}

#[inline(always)]
fn shift(sums: [&mut Vector; 2], gone: Rows, come: Rows, victim: Option<Rows>) {
    for (view, sums) in sums.into_iter().enumerate() {
        let rows = gone[view].iter().zip(come[view]);
        let each = sums.iter_mut().zip(rows);
        match victim {
            None => {
                for (sum, (gone, come)) in each {
                    *sum = sum.wrapping_sub(*gone).wrapping_add(*come);
                }
            }
            Some(victim) => {
                for ((sum, (gone, come)), taken) in each.zip(victim[view]) {
                    let stayed = sum.wrapping_sub(*gone).wrapping_sub(*taken);
                    *sum = stayed.wrapping_add(*come);
                }
            }
        }
    }
}

#[inline(always)]
fn output(own: &Vector, other: &Vector, weights: &[Vector; 2]) -> i32 {
    half(own, &weights[0]).wrapping_add(half(other, &weights[1]))
}

/// The sum of squared clipped units times weights. A weight times a clipped
/// unit fits sixteen bits, which lets the compiler multiply and add in pairs.
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
