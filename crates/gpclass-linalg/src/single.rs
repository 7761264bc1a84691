//! One matrix in single precision, inverted: half the time, for the early steps of an iteration that forgets their errors.

use crate::vector::vectorised;
use crate::{NotPositiveDefinite, SingleMat};

/// Lanes of the partial sums in a reduction.
const LANES: usize = 8;

/// `L⁻¹` of a symmetric matrix `L Lᵀ`, in single precision.
#[derive(Clone, Debug)]
pub struct SingleInverse {
    /// What is above the diagonal is of no use.
    inverse: SingleMat,
    n: usize,
}

impl SingleInverse {
    /// From the lower triangle, given as what `column` writes of each column from the diagonal down.
    pub fn new(n: usize, column: impl Fn(usize, &mut [f32])) -> Result<Self, NotPositiveDefinite> {
        let (mut chol, mut inverse) = (SingleMat::zeros(n), SingleMat::zeros(n));
        (0..n).for_each(|j| column(j, chol.lower_mut(j)));
        chol.cholesky_in_place()?;
        chol.invert_lower(&mut inverse);
        Ok(SingleInverse { inverse, n })
    }

    /// From the lower triangle of `L⁻¹` itself, given as what `column` writes of each column from the diagonal down.
    pub fn known(n: usize, column: impl Fn(usize, &mut [f32])) -> Self {
        let mut inverse = SingleMat::zeros(n);
        (0..n).for_each(|j| column(j, inverse.lower_mut(j)));
        SingleInverse { inverse, n }
    }

    fn column(&self, j: usize) -> &[f32] {
        self.inverse.lower(j)
    }

    /// The inverse of the matrix, its lower triangle.
    pub fn whole(&self) -> SingleMat {
        let mut whole = SingleMat::zeros(self.n);
        self.inverse.lower_gram(&mut whole);
        whole
    }

    /// The diagonal of the inverse of the matrix.
    pub fn diagonal(&self) -> Vec<f64> {
        vectorised(
            #[inline(always)]
            || (0..self.n).map(|j| squared_norm(self.column(j))).collect(),
        )
    }

    /// The inverse of the matrix times `x`.
    pub fn solve(&self, x: &[f64]) -> Vec<f64> {
        let x = self.half_solve(x);
        vectorised(
            #[inline(always)]
            || (0..self.n).map(|j| f64::from(dot(self.column(j), &x[j..]))).collect(),
        )
    }

    /// `L⁻¹ x`, whose squared norm is `x` times the inverse of the matrix times `x`.
    pub fn half_solve(&self, x: &[f64]) -> Vec<f32> {
        assert_eq!(x.len(), self.n);
        let mut y = vec![0.0_f32; self.n];
        vectorised(
            #[inline(always)]
            || {
                for (j, x) in x.iter().enumerate() {
                    let x = *x as f32;
                    for (y, l) in y[j..].iter_mut().zip(self.column(j)) {
                        *y += l * x;
                    }
                }
            },
        );
        y
    }
}

/// The squared norm, summed in double precision.
#[inline(always)]
pub fn squared_norm(x: &[f32]) -> f64 {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for k in 0..LANES {
            lanes[k] += f64::from(chunk[k]) * f64::from(chunk[k]);
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>()
}

#[inline(always)]
fn dot(x: &[f32], y: &[f32]) -> f32 {
    let ((xs, rest_x), (ys, rest_y)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut lanes = [0.0; LANES];
    for (x, y) in xs.iter().zip(ys) {
        for k in 0..LANES {
            lanes[k] += x[k] * y[k];
        }
    }
    lanes.iter().sum::<f32>() + rest_x.iter().zip(rest_y).map(|(x, y)| x * y).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat, cholesky_in_place, inverse_from_lower_inverse, invert_lower, vector};

    #[test]
    fn it_is_the_inverse_to_six_digits() {
        let n = 77;
        let a = Mat::from_fn(n, n, |i, j| f64::from(i == j) + (-(i as f64 - j as f64).powi(2) / 30.0).exp());
        let single = SingleInverse::new(n, |j, out| {
            out.iter_mut().zip(&a.col(j)[j..]).for_each(|(out, a)| *out = *a as f32);
        })
        .unwrap();
        let (mut l, mut x) = (a.clone(), Mat::zeros(n, n));
        cholesky_in_place(&mut l).unwrap();
        invert_lower(&l, &mut x);
        let whole = inverse_from_lower_inverse(&x);
        let rhs: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let (want, got) = (whole.mul_vec(&rhs), single.solve(&rhs));
        let (diagonal, known) =
            (single.diagonal(), SingleInverse::known(n, |j, out| out.copy_from_slice(single.column(j))));
        let triangle = known.whole();
        for i in 0..n {
            assert!((0..=i).all(|j| (f64::from(triangle.column(j)[i]) - whole[(i, j)]).abs() < 3e-6));
            assert!((got[i] - want[i]).abs() < 3e-6, "{i}: {} {}", got[i], want[i]);
            assert!((diagonal[i] - whole[(i, i)]).abs() < 3e-6);
        }
        let half = squared_norm(&single.half_solve(&rhs));
        assert!((half / vector::dot(&rhs, &want) - 1.0).abs() < 3e-6);
    }

    #[test]
    fn what_has_no_factor_is_refused() {
        let indefinite = |j: usize, out: &mut [f32]| out[0] = if j == 2 { -1.0 } else { 1.0 };
        assert!(SingleInverse::new(5, indefinite).is_err());
        assert!(SingleInverse::new(5, |_, out| out[0] = f32::NAN).is_err());
    }
}
