//! A Gaussian process seen with noise at the training rows: how much of its variance is left elsewhere.

use gpclass_linalg::{Mat, cholesky_in_place, invert_lower, solve_lower_in_place, vector};

/// By how much the noise is raised where rounding leaves a covariance indefinite.
const RAISED: f64 = 10.0;

#[derive(Clone, Debug)]
pub(super) struct Process {
    /// Lower factor of `K + noise I`.
    chol: Mat,
    left_out: Vec<f64>,
}

impl Process {
    /// From the covariance of the training rows, which is finite, and the variance of the noise, which is positive.
    pub fn new(covariance: Mat, noise: f64) -> Self {
        let mut noise = noise;
        loop {
            let mut chol = covariance.clone();
            (0..chol.rows()).for_each(|i| chol[(i, i)] += noise);
            // Beyond all numbers the noise explains everything, and the loop ends.
            if cholesky_in_place(&mut chol).is_ok() || !noise.is_finite() {
                return Process { left_out: left_out(&chol, noise), chol };
            }
            noise *= RAISED;
        }
    }

    /// What is left of the variance at every training row when that row was not seen.
    pub fn left_out(&self) -> Vec<f64> {
        self.left_out.clone()
    }

    /// What is left at rows, of which `cross` has the covariances with the training rows (a column each) and `variance`
    /// the variances: `k** - k*ᵀ (K + noise I)⁻¹ k*`.
    pub fn left(&self, mut cross: Mat, variance: &[f64]) -> Vec<f64> {
        solve_lower_in_place(&self.chol, &mut cross);
        cross.columns().zip(variance).map(|(c, v)| (v - vector::dot(c, c)).max(0.0)).collect()
    }
}

/// `1 / [(K + noise I)⁻¹]_ii - noise`.
fn left_out(chol: &Mat, noise: f64) -> Vec<f64> {
    let mut inverse = Mat::zeros(chol.rows(), chol.rows());
    invert_lower(chol, &mut inverse);
    vector::lower_column_norms(&inverse).into_iter().map(|precision| (1.0 / precision - noise).max(0.0)).collect()
}
