//! How far a Gaussian is from the prior.
//!
//! With `K = L Lᵀ`, `A = L⁻¹ Sigma L⁻ᵀ`, `a = L⁻¹ mu`,
//!
//! ```text
//! KL(N(mu, Sigma) || N(0, K)) = ½ (tr A + aᵀa - n + log |K| - log |Sigma|),   dKL/dK = -½ L⁻ᵀ (A + a aᵀ - I) L⁻¹
//! ```
//!
//! This is the one place that needs `K⁻¹`, which projections on fewer rows do not have.

use super::{Adjoint, Dense, Failure, Prior};
use gpclass_linalg::{
    Mat, cholesky_in_place, lower_solve, solve_lower_in_place, solve_lower_transpose_in_place, vector,
};

/// The divergence of a Gaussian from a prior.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// `KL(q || N(0, K))`.
    pub value: f64,
    /// Of MINUS the divergence (EMEP 14, TAN 18).
    pub adjoint: Adjoint,
}

impl Prior {
    /// `log |K|`. Fails where a pivot of its factorisation is not above `least`.
    pub fn log_det(&self, least: f64) -> Result<f64, Failure> {
        match self {
            Prior::Dense(dense) => {
                let chol = self.cholesky(dense)?;
                if chol.diag().iter().all(|pivot| pivot * pivot > least) {
                    Ok(log_det_of(&chol))
                } else {
                    Err(self.indefinite())
                }
            }
            Prior::Sparse(sparse) => Err(sparse.indefinite()),
        }
    }

    /// The divergence of `N(mean, covariance)` from this prior, given the log-determinant of that covariance.
    pub fn divergence(&self, mean: &[f64], covariance: &Mat, log_det: f64) -> Result<Divergence, Failure> {
        let Prior::Dense(dense) = self else { return Err(self.indefinite()) };
        let n = mean.len();
        let l = self.cholesky(dense)?;
        let mut a = mean.to_vec();
        lower_solve(&l, &mut a);
        let mut middle = covariance.clone();
        solve_lower_in_place(&l, &mut middle);
        let mut middle = middle.transposed();
        solve_lower_in_place(&l, &mut middle); // A
        let trace: f64 = middle.diag().iter().sum();
        let value = 0.5 * (trace + vector::dot(&a, &a) - n as f64 + log_det_of(&l) - log_det);
        for j in 0..n {
            vector::add_scaled(middle.col_mut(j), a[j], &a);
            middle[(j, j)] -= 1.0;
        }
        solve_lower_transpose_in_place(&l, &mut middle);
        let mut adjoint = middle.transposed();
        solve_lower_transpose_in_place(&l, &mut adjoint);
        adjoint.as_mut_slice().iter_mut().for_each(|v| *v *= 0.5);
        Ok(Divergence { value, adjoint: Adjoint::Dense(adjoint) })
    }

    fn cholesky(&self, dense: &Dense) -> Result<Mat, Failure> {
        let mut chol = dense.k().clone();
        cholesky_in_place(&mut chol).map_err(|_| self.indefinite())?;
        Ok(chol)
    }
}

fn log_det_of(chol: &Mat) -> f64 {
    2.0 * chol.diag().iter().map(|d| d.ln()).sum::<f64>()
}
