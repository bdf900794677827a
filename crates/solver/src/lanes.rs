//! Sums in a fixed number of lanes: the compiler can vectorise them, and every
//! machine gets the same bits.

/// Number of partial sums.
const LANES: usize = 8;

/// Partial sums of one total.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lanes([f32; LANES]);

impl Lanes {
    /// Adds `term` of each pair, which may modify the first element.
    #[inline(always)]
    pub(crate) fn each(
        &mut self,
        a: &mut [f32],
        b: &[f32],
        mut term: impl FnMut(&mut f32, f32) -> f32,
    ) {
        let (a, a_rest) = a.as_chunks_mut::<LANES>();
        let (b, b_rest) = b.as_chunks::<LANES>();
        for (a, b) in a.iter_mut().zip(b) {
            for i in 0..LANES {
                self.0[i] += term(&mut a[i], b[i]);
            }
        }
        for (lane, (a, b)) in self.0.iter_mut().zip(a_rest.iter_mut().zip(b_rest)) {
            *lane += term(a, *b);
        }
    }

    /// The sum over all lanes.
    #[inline(always)]
    pub(crate) fn total(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (b + f)) + ((c + g) + (d + h))
    }
}

/// The sum of products.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sum = Lanes::default();
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sum.0[i] += a[i] * b[i];
        }
    }
    for (lane, (a, b)) in sum.0.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *lane += a * b;
    }
    sum.total()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_add_up_whatever_the_length() {
        for length in 0..40u8 {
            let a: Vec<f32> = (0..length).map(f32::from).collect();
            let b: Vec<f32> = (0..length).map(|i| f32::from(i % 3)).collect();
            let plain: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert_eq!(dot(&a, &b), plain);
            let (mut changed, mut sum) = (a.clone(), Lanes::default());
            sum.each(&mut changed, &b, |a, b| {
                *a += 1.0;
                b
            });
            assert_eq!(sum.total(), b.iter().sum::<f32>());
            assert!(changed.iter().zip(&a).all(|(new, old)| *new == old + 1.0));
        }
    }
}
