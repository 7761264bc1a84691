//! Several sites taken out of the posterior at once (NOTATION, leave-group-out).
//!
//! With `S = Sigma_GG` of the rows `G` and the precisions `T_G` of their sites, what the other rows say of `G` is
//! `C = (S⁻¹ - T_G)⁻¹`, `m = mu_G - C alpha_G`. Negative precisions are taken out first, which only narrows `S`; then, with
//! `r = max(T_G, 0)^½` and `M = I - r S r`, `C = S + S r M⁻¹ r S`. `M` comes from the factor without cancellation.

use super::{Factor, Posterior};
use crate::likelihood::Gaussian;
use crate::prior::Failure;
use gpclass_linalg::{Mat, Op, add_self_product, cholesky_in_place, mirror_lower, self_product, solve_lower_in_place};

/// The posterior of some rows.
pub(super) struct Block {
    /// `S`, both triangles.
    pub covariance: Mat,
    /// `I - r S r`, both triangles.
    pub slack: Mat,
}

impl Posterior {
    /// The latent distribution of each of these training rows with the sites of all of them taken out. Where that leaves no
    /// proper posterior, for negative sites elsewhere rested on these, the rows of such sites are left out with them; where
    /// rounding prevents even that, nothing is known of the rows but their prior.
    pub(crate) fn without(&self, rows: &[usize]) -> Vec<Gaussian> {
        let tau: Vec<f64> = rows.iter().map(|&row| self.sites.tau[row]).collect();
        let (covariance, mean) = match take_out(self.factor.block(rows, &tau), &tau) {
            Some(covariance) => {
                let alpha: Vec<f64> = rows.iter().map(|&row| self.alpha[row]).collect();
                let shift = covariance.mul_vec(&alpha);
                (covariance, rows.iter().zip(shift).map(|(&row, shift)| self.mean[row] - shift).collect())
            }
            None => match self.refactored_without(rows) {
                Ok(found) => found,
                Err(_) => return self.prior_of(rows),
            },
        };
        let residual = |row: usize| self.residual().map_or(0.0, |residual| residual[row]);
        let latent =
            |(k, &row): (usize, &usize)| Gaussian { mean: mean[k], var: covariance[(k, k)].max(0.0) + residual(row) };
        rows.iter().enumerate().map(latent).collect()
    }

    fn prior_of(&self, rows: &[usize]) -> Vec<Gaussian> {
        let var = self.factor.prior().diag();
        rows.iter().map(|&row| Gaussian { mean: 0.0, var: var[row] }).collect()
    }

    /// Covariance and means without these rows and without all negative sites, by a factor of its own.
    fn refactored_without(&self, rows: &[usize]) -> Result<(Mat, Vec<f64>), Failure> {
        let kept = |row: usize| self.sites.tau[row] >= 0.0 && !rows.contains(&row);
        let only = |values: &[f64]| -> Vec<f64> {
            values.iter().enumerate().map(|(row, value)| if kept(row) { *value } else { 0.0 }).collect()
        };
        let factor = self.factor.prior().factorise(&only(&self.sites.tau), None)?;
        let mean = factor.prior().times(&factor.solve_site(&only(&self.sites.nu)));
        let covariance = factor.block(rows, &vec![0.0; rows.len()]).covariance;
        Ok((covariance, rows.iter().map(|&row| mean[row]).collect()))
    }
}

impl Factor {
    fn block(&self, rows: &[usize], tau: &[f64]) -> Block {
        match self {
            Factor::Dense(dense) => dense.block(rows),
            Factor::Sparse(sparse) => {
                let covariance = sparse.covariance_of(rows);
                let slack = minus_scaled(&Mat::identity(rows.len()), &roots(tau), &covariance);
                Block { covariance, slack }
            }
        }
    }
}

/// `C`; nothing where it does not exist.
fn take_out(block: Block, tau: &[f64]) -> Option<Mat> {
    let Block { mut covariance, mut slack } = block;
    let root = roots(tau);
    if tau.iter().any(|tau| *tau < 0.0) {
        let gain = negative_gain(&covariance, tau)?; // Gᵀ G = S d (I + d S d)⁻¹ d S
        add_self_product(&mut covariance, -1.0, &gain, Op::Transpose);
        mirror_lower(&mut covariance);
        add_self_product(&mut slack, 1.0, &columns_scaled(&gain, &root), Op::Transpose);
    }
    cholesky_in_place(&mut slack).ok()?;
    let mut gain = columns_scaled(&covariance, &root).transposed();
    solve_lower_in_place(&slack, &mut gain); // L⁻¹ r S, M = L Lᵀ
    add_self_product(&mut covariance, 1.0, &gain, Op::Transpose);
    mirror_lower(&mut covariance);
    covariance.as_slice().iter().all(|value| value.is_finite()).then_some(covariance)
}

/// `A⁻¹ d S` with `d = max(-T, 0)^½` and `I + d S d = A Aᵀ`.
fn negative_gain(covariance: &Mat, tau: &[f64]) -> Option<Mat> {
    let d = roots(&tau.iter().map(|tau| -tau).collect::<Vec<f64>>());
    let n = d.len();
    let mut a = Mat::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) + d[i] * covariance[(i, j)] * d[j]);
    cholesky_in_place(&mut a).ok()?;
    let mut gain = columns_scaled(covariance, &d).transposed();
    solve_lower_in_place(&a, &mut gain);
    Some(gain)
}

/// `max(x, 0)^½`.
pub(super) fn roots(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x.max(0.0).sqrt()).collect()
}

/// `base - diag(scale) m diag(scale)`.
pub(super) fn minus_scaled(base: &Mat, scale: &[f64], m: &Mat) -> Mat {
    Mat::from_fn(m.rows(), m.cols(), |i, j| base[(i, j)] - scale[i] * m[(i, j)] * scale[j])
}

/// `m diag(scale)`.
fn columns_scaled(m: &Mat, scale: &[f64]) -> Mat {
    Mat::from_fn(m.rows(), m.cols(), |i, j| m[(i, j)] * scale[j])
}

/// `base - mᵀ m`, both triangles.
pub(super) fn minus_square(base: &Mat, m: &Mat) -> Mat {
    let square = self_product(m, Op::Transpose);
    Mat::from_fn(base.rows(), base.cols(), |i, j| base[(i, j)] - square[(i, j)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posterior::{Marginals, Sites};
    use crate::prior::Prior;

    const N: usize = 12;

    fn covariance() -> Mat {
        Mat::from_fn(N, N, |i, j| {
            let d = (i as f64 - j as f64) / 3.0;
            2.0 * (-0.5 * d * d).exp() + f64::from(u8::from(i == j)) * 0.2
        })
    }

    /// The posterior of these precisions, with means that differ from row to row.
    fn posterior(tau: &[f64]) -> Posterior {
        let nu: Vec<f64> = (0..N).map(|i| (1.3 * i as f64).sin()).collect();
        let factor = Prior::from_covariance(covariance()).factorise(tau, None).unwrap();
        let (factor, Marginals { var, slack }) = factor.with_marginals().unwrap();
        let alpha = factor.solve_site(&nu);
        let mean = factor.prior().times(&alpha);
        Posterior::new(Sites { tau: tau.to_vec(), nu }, alpha, mean, Marginals { var, slack }, factor)
    }

    /// The same rows of the posterior of the other sites alone.
    fn of_the_rest(posterior: &Posterior, rows: &[usize]) -> Vec<Gaussian> {
        let rest =
            |values: &[f64]| -> Vec<f64> { (0..N).map(|i| if rows.contains(&i) { 0.0 } else { values[i] }).collect() };
        let Sites { tau, nu } = posterior.sites();
        let factor = Prior::from_covariance(covariance()).factorise(&rest(tau), None).unwrap();
        let (factor, marginals) = factor.with_marginals().unwrap();
        let mean = factor.prior().times(&factor.solve_site(&rest(nu)));
        rows.iter().map(|&i| Gaussian { mean: mean[i], var: marginals.var[i] }).collect()
    }

    #[test]
    fn it_is_the_posterior_of_the_other_sites_whatever_their_signs() {
        let strengths: [[f64; N]; 4] = [
            [0.3, 1.0, 0.2, 4.0, 0.5, 0.1, 2.0, 0.7, 0.3, 0.4, 1.5, 0.2],
            [0.3, -0.05, 0.2, 4.0, 0.5, 0.1, -0.1, 0.7, 0.3, 0.4, 1.5, 0.2],
            [0.0, 1e-20, 0.2, 1e6, 0.5, 0.1, 2.0, 0.0, 0.3, 0.4, 1e3, 0.2],
            [1e7, 2e7, 1e7, 1e7, 1e7, 1e7, 1e7, 1e7, 1e7, 1e7, 1e7, 1e7],
        ];
        for tau in strengths {
            let posterior = posterior(&tau);
            for rows in [&[4][..], &[0, 1, 3], &[6, 2, 10, 1], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]] {
                for (got, want) in posterior.without(rows).iter().zip(of_the_rest(&posterior, rows)) {
                    assert!((got.mean - want.mean).abs() < 1e-6 * (1.0 + want.mean.abs()), "{rows:?} {got:?} {want:?}");
                    assert!((got.var - want.var).abs() < 1e-7 * (1.0 + want.var), "{rows:?} {got:?} {want:?}");
                }
            }
        }
    }

    #[test]
    fn what_would_be_improper_leaves_the_negative_sites_out_too() {
        let mut tau = [0.8; N];
        tau[5] = -1.2;
        let posterior = posterior(&tau);
        let rows: Vec<usize> = (0..N).filter(|&i| i != 5).collect();
        let found = posterior.without(&rows);
        assert!(found.iter().all(|latent| latent.mean == 0.0 && (latent.var - 2.2).abs() < 1e-12), "{found:?}");
    }
}
