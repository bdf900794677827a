//! Dense linear algebra for small symmetric systems.

/// Square matrix in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Adds a value to an element.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// `self + scale * other`.
    pub fn plus(&self, scale: f64, other: &Self) -> Self {
        let sum = |(a, b): (&f64, &f64)| a + scale * b;
        Self {
            size: self.size,
            cells: self.cells.iter().zip(&other.cells).map(sum).collect(),
        }
    }

    /// Sum of the diagonal of `self * other`, both symmetric.
    pub fn trace_of_product(&self, other: &Self) -> f64 {
        self.cells
            .iter()
            .zip(&other.cells)
            .map(|(a, b)| a * b)
            .sum()
    }

    /// Sum of the diagonal.
    pub fn trace(&self) -> f64 {
        (0..self.size).map(|i| self.at(i, i)).sum()
    }

    /// Lower Cholesky factor, or `None` unless positive definite.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = Self::zero(n);
        for row in 0..n {
            for column in 0..=row {
                let done: f64 = (0..column)
                    .map(|k| lower.at(row, k) * lower.at(column, k))
                    .sum();
                let rest = self.at(row, column) - done;
                let value = if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.at(column, column)
                };
                lower.add(row, column, value);
            }
        }
        Some(Cholesky { lower })
    }
}

/// The factor `L` of `A = L Lᵀ`.
pub struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// Solves `A x = b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.lower.size;
        let mut x = b.to_vec();
        for row in 0..n {
            let done: f64 = (0..row).map(|k| self.lower.at(row, k) * x[k]).sum();
            x[row] = (x[row] - done) / self.lower.at(row, row);
        }
        for row in (0..n).rev() {
            let done: f64 = (row + 1..n).map(|k| self.lower.at(k, row) * x[k]).sum();
            x[row] = (x[row] - done) / self.lower.at(row, row);
        }
        x
    }

    /// The inverse of `A`.
    pub fn inverse(&self) -> Matrix {
        let n = self.lower.size;
        let mut inverse = Matrix::zero(n);
        for column in 0..n {
            let mut unit = vec![0.0; n];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_near;

    /// The textbook factorisation: [[4, 12, -16], [12, 37, -43],
    /// [-16, -43, 98]] has the factor [[2], [6, 1], [-8, 5, 3]].
    #[test]
    fn textbook_factor() {
        let mut a = Matrix::zero(3);
        for (row, line) in [
            [4.0, 12.0, -16.0],
            [12.0, 37.0, -43.0],
            [-16.0, -43.0, 98.0],
        ]
        .iter()
        .enumerate()
        {
            for (column, &value) in line.iter().enumerate() {
                a.add(row, column, value);
            }
        }
        let factor = a.cholesky().unwrap();
        assert_eq!(
            factor.lower.cells,
            [2.0, 0.0, 0.0, 6.0, 1.0, 0.0, -8.0, 5.0, 3.0]
        );
        let x = factor.solve(&[0.0, 6.0, 39.0]);
        for (got, expected) in x.iter().zip([1.0, 1.0, 1.0]) {
            assert_near(*got, expected, 1e-9);
        }
        assert_near(factor.inverse().trace_of_product(&a), 3.0, 1e-9);
        assert!(Matrix::zero(2).cholesky().is_none());
    }
}
