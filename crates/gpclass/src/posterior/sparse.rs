//! Projections and sites factorised: `B = I + A T Aᵀ = L_B L_Bᵀ`, whose Cholesky factor exists exactly when the posterior is
//! proper, whatever the signs of the sites (scale 3).

use super::{Marginals, Spare};
use crate::prior::{Failure, SiteSums, Sparse, SparseAdjoint};
use gpclass_linalg::{
    Mat, Op, add_lower_of_product, cholesky_in_place, inverse_from_lower_inverse, invert_lower, lower_solve,
    lower_transpose_solve, mirror_lower, multiply, self_product, solve_lower_in_place, vector,
};

/// A prior by inducing rows and the precisions of its sites, factorised.
#[derive(Clone, Debug)]
pub struct SparseFactor {
    prior: Sparse,
    tau: Vec<f64>,
    /// `L_B`.
    chol: Mat,
    /// `log |I + Q T|`.
    log_det: f64,
}

impl SparseFactor {
    pub(super) fn new(prior: &Sparse, tau: &[f64]) -> Result<Self, Failure> {
        let mut chol = weighted_square(prior, tau);
        if let Some(others) = prior.others() {
            vector::add_scaled(chol.as_mut_slice(), 1.0, others.precision().as_slice());
        }
        (0..chol.rows()).for_each(|k| chol[(k, k)] += 1.0);
        cholesky_in_place(&mut chol).map_err(|_| prior.indefinite())?;
        let log_det = 2.0 * chol.diag().iter().map(|d| d.ln()).sum::<f64>();
        let log_det = log_det - prior.given().map_or(0.0, |given| given.log_det);
        Ok(SparseFactor { prior: prior.clone(), tau: tau.to_vec(), chol, log_det })
    }

    /// The prior that was factorised.
    pub fn prior(&self) -> &Sparse {
        &self.prior
    }

    /// `L_B`.
    pub(crate) fn chol(&self) -> &Mat {
        &self.chol
    }

    pub(super) fn take_spare(&mut self) -> Spare {
        Spare { chol: std::mem::take(&mut self.chol), inverse: None }
    }

    pub(super) fn log_det(&self) -> f64 {
        self.log_det
    }

    /// Of the projections.
    pub(super) fn marginals(&self) -> Marginals {
        let var = self.prior.projections().each(|_, a| {
            let mut c = a.clone();
            solve_lower_in_place(&self.chol, &mut c);
            c.columns().map(|c| vector::dot(c, c)).collect()
        });
        let slack = var.iter().zip(&self.tau).map(|(v, tau)| 1.0 - tau * v).collect();
        Marginals { var, slack }
    }

    /// `(I + T Q)⁻¹ x = x - T Aᵀ B⁻¹ A x`.
    pub(super) fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        let mut w = self.prior.projections().times(x);
        lower_solve(&self.chol, &mut w);
        lower_transpose_solve(&self.chol, &mut w);
        let shift = self.prior.projections().transposed_times(&w);
        x.iter().zip(&self.tau).zip(shift).map(|((x, tau), shift)| x - tau * shift).collect()
    }

    /// `(I - B⁻¹) y`.
    pub(super) fn information_times(&self, y: &[f64]) -> Vec<f64> {
        let mut solved = y.to_vec();
        lower_solve(&self.chol, &mut solved);
        lower_transpose_solve(&self.chol, &mut solved);
        y.iter().zip(solved).map(|(y, solved)| y - solved).collect()
    }

    /// `A alpha`: the weights of the inducing rows' coordinates in a predicted mean; with rows elsewhere `P⁻¹ (h + A alpha)`.
    pub(super) fn weights(&self, alpha: &[f64]) -> Vec<f64> {
        let mut weights = self.prior.given_others(self.prior.projections().times(alpha));
        if let Some(given) = self.prior.given() {
            vector::add_scaled(&mut weights, 1.0, &given.mean);
        }
        weights
    }

    /// The sites of the rows that are here, summed.
    pub(crate) fn site_sums(&self, nu: &[f64]) -> SiteSums {
        SiteSums::new(weighted_square(&self.prior, &self.tau), self.prior.projections().times(nu))
    }

    /// `|a|² - |L_B⁻¹ a|²` of each column.
    pub(super) fn explained(&self, mut a: Mat) -> Vec<f64> {
        let before: Vec<f64> = a.columns().map(|a| vector::dot(a, a)).collect();
        solve_lower_in_place(&self.chol, &mut a);
        before.into_iter().zip(a.columns()).map(|(before, c)| before - vector::dot(c, c)).collect()
    }

    /// That of the projections.
    pub(super) fn covariance(&self) -> Mat {
        let mut c = self.prior.projections().all();
        solve_lower_in_place(&self.chol, &mut c);
        self_product(&c, Op::Transpose)
    }

    /// The same for some rows.
    pub(super) fn covariance_of(&self, rows: &[usize]) -> Mat {
        let mut c = self.prior.projections().of_rows(rows);
        solve_lower_in_place(&self.chol, &mut c);
        self_product(&c, Op::Transpose)
    }

    pub(super) fn information(&self) -> Mat {
        let mut out = self.covariance();
        for j in 0..self.tau.len() {
            let scale = -self.tau[j];
            out.col_mut(j).iter_mut().zip(&self.tau).for_each(|(v, tau)| *v *= scale * tau);
            out[(j, j)] += self.tau[j];
        }
        out
    }

    /// The derivatives of the evidence at fixed sites; `residual` is the one in each row's own variance.
    pub(super) fn adjoint(&self, alpha: &[f64], residual: Vec<f64>) -> SparseAdjoint {
        let m = self.chol.rows();
        let inverse_of = |chol: &Mat| {
            let mut inverse = Mat::zeros(m, m);
            invert_lower(chol, &mut inverse);
            inverse
        };
        let by_residual = inverse_of(self.prior.chol()).transposed(); // L⁻ᵀ
        let b_inverse = inverse_from_lower_inverse(&inverse_of(&self.chol));
        let mut level = self.weights(alpha);
        lower_transpose_solve(self.prior.chol(), &mut level);
        // ½ (I - B⁻¹) + A diag(h) Aᵀ
        let mut middle = weighted_square(&self.prior, &residual);
        mirror_lower(&mut middle);
        vector::add_scaled(middle.as_mut_slice(), -0.5, b_inverse.as_slice());
        (0..m).for_each(|k| middle[(k, k)] += 0.5);
        let half = multiply(&by_residual, Op::Plain, &middle, Op::Plain);
        let mut inducing = multiply(&half, Op::Plain, &by_residual, Op::Transpose);
        for j in 0..m {
            vector::add_scaled(inducing.col_mut(j), -0.5 * level[j], &level);
        }
        let by_tau = multiply(&by_residual, Op::Plain, &b_inverse, Op::Plain);
        SparseAdjoint { inducing, level, by_tau, by_residual, alpha: alpha.to_vec(), tau: self.tau.clone(), residual }
    }
}

/// The lower triangle of `A diag(weights) Aᵀ`.
fn weighted_square(prior: &Sparse, weights: &[f64]) -> Mat {
    let m = prior.chol().rows();
    prior.projections().weighted_sum(weights, m, m, |sum, weights, a| {
        let mut weighted = a.clone();
        for (j, w) in weights.iter().enumerate() {
            weighted.col_mut(j).iter_mut().for_each(|v| *v *= w);
        }
        add_lower_of_product(sum, &weighted, a);
    })
}
