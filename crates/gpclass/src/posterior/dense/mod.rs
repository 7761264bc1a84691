//! Prior and sites factorised, for a prior that is one matrix.

mod adjoint;
mod block;
mod covariance;
mod marginals;
mod negative;
mod rough;
mod trend;

use super::Spare;
use crate::prior::{Dense, Failure};
use gpclass_linalg::{
    Mat, NotPositiveDefinite, Op, cholesky_in_place, invert_lower, lower_mul, lower_solve, lower_transpose_mul,
    lower_transpose_solve, multiply, solve_lower_in_place, vector,
};
use negative::NegativeSites;
pub(crate) use rough::RoughFactor;
pub(crate) use trend::CavityTrend;

/// A site with `tau_i K_ii` below this takes part in solves through `K`, not by dividing by the root of `tau_i`.
const NEGLIGIBLE: f64 = 1e-12;

/// `K` and `T` factorised: `B = I + S K S = L Lᵀ` with `S = max(T, 0)^½`, and the negative sites as a low-rank
/// correction of it (math 3).
#[derive(Clone, Debug)]
pub struct DenseFactor {
    prior: Dense,
    tau: Vec<f64>,
    root: Vec<f64>,
    chol: Mat,
    /// `L⁻¹`, if it was asked for.
    inverse: Option<Mat>,
    negative: Option<NegativeSites>,
    log_det: f64,
}

impl DenseFactor {
    /// Factorises (see [`Prior::factorise`](crate::prior::Prior::factorise)).
    pub(super) fn new(prior: &Dense, tau: &[f64], spare: Option<Spare>) -> Result<Self, Failure> {
        let (k, n) = (prior.k(), tau.len());
        let root: Vec<f64> = tau.iter().map(|&t| t.max(0.0).sqrt()).collect();
        let (mut chol, inverse) = match spare {
            Some(old) if old.chol.rows() == n => (old.chol, old.inverse),
            _ => (Mat::try_zeros(n, n)?, None),
        };
        for j in 0..n {
            let (rj, column) = (root[j], &k.col(j)[j..]);
            for ((b, k), ri) in chol.col_mut(j)[j..].iter_mut().zip(column).zip(&root[j..]) {
                *b = k * (ri * rj);
            }
            chol[(j, j)] += 1.0;
        }
        cholesky_in_place(&mut chol).map_err(|NotPositiveDefinite| prior.indefinite())?;
        let log_det = 2.0 * (0..n).map(|i| chol[(i, i)].ln()).sum::<f64>();
        let (prior, tau) = (prior.clone(), tau.to_vec());
        let mut factor = DenseFactor { prior, tau, root, chol, inverse, negative: None, log_det };
        let rows: Vec<usize> = (0..n).filter(|&i| factor.tau[i] < 0.0).collect();
        if !rows.is_empty() {
            let negative =
                NegativeSites::new(&factor, rows).map_err(|NotPositiveDefinite| factor.prior.indefinite())?;
            factor.log_det += negative.log_det;
            factor.negative = Some(negative);
        }
        factor.inverse = factor.inverse.take().map(|spare| lower_inverse(&factor.chol, spare));
        Ok(factor)
    }

    pub(super) fn prior(&self) -> &Dense {
        &self.prior
    }

    /// `K`.
    fn k(&self) -> &Mat {
        self.prior.k()
    }

    /// The memory of the matrices, which the factor then lacks.
    pub(super) fn take_spare(&mut self) -> Spare {
        Spare { chol: std::mem::take(&mut self.chol), inverse: self.inverse.take() }
    }

    pub(super) fn log_det(&self) -> f64 {
        self.log_det
    }

    /// `m <- S m`.
    fn scale_rows(&self, m: &mut Mat) {
        for j in 0..m.cols() {
            for (v, r) in m.col_mut(j).iter_mut().zip(&self.root) {
                *v *= r;
            }
        }
    }

    /// `B⁻¹ x`.
    fn solve(&self, x: Vec<f64>) -> Vec<f64> {
        match &self.inverse {
            Some(inverse) => lower_transpose_mul(inverse, &lower_mul(inverse, &x)),
            None => {
                let mut x = x;
                lower_solve(&self.chol, &mut x);
                lower_transpose_solve(&self.chol, &mut x);
                x
            }
        }
    }

    pub(super) fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        let (k, n) = (self.k(), x.len());
        // (I + T K)⁻¹ = S B⁻¹ S⁻¹ needs no product with K where tau_i is not negligible.
        let direct: Vec<bool> = (0..n).map(|i| self.tau[i] * k[(i, i)] > NEGLIGIBLE).collect();
        let mut rhs: Vec<f64> = (0..n).map(|i| if direct[i] { x[i] / self.root[i] } else { 0.0 }).collect();
        if direct.iter().any(|d| !d) {
            let rest: Vec<f64> = (0..n).map(|i| if direct[i] { 0.0 } else { x[i] }).collect();
            for ((r, kx), s) in rhs.iter_mut().zip(self.prior.times(&rest)).zip(&self.root) {
                *r -= s * kx;
            }
        }
        let solved = self.solve(rhs);
        let mut out: Vec<f64> = (0..n).map(|i| self.root[i] * solved[i] + if direct[i] { 0.0 } else { x[i] }).collect();
        if let Some(neg) = &self.negative {
            let shift = neg.gain.mul_vec(&neg.spread.transpose_mul_vec(x));
            vector::add_scaled(&mut out, 1.0, &shift);
        }
        out
    }

    /// `k*ᵀ R k*` for each column of `cross`.
    pub(super) fn explained(&self, mut cross: Mat) -> Vec<f64> {
        let negative = self.negative.as_ref();
        let added = negative.map(|neg| squared_norms(&multiply(&neg.gain, Op::Transpose, &cross, Op::Plain)));
        self.scale_rows(&mut cross);
        solve_lower_in_place(&self.chol, &mut cross);
        let mut explained = squared_norms(&cross);
        for (e, a) in explained.iter_mut().zip(added.into_iter().flatten()) {
            *e -= a;
        }
        explained
    }
}

fn lower_inverse(chol: &Mat, mut memory: Mat) -> Mat {
    invert_lower(chol, &mut memory);
    memory
}

fn squared_norms(m: &Mat) -> Vec<f64> {
    m.columns().map(|c| vector::dot(c, c)).collect()
}
