//! The factorised pair of prior covariance and site precisions.

use super::negative::NegativeSites;
use gpclass_linalg::{
    Mat, NotPositiveDefinite, Op, cholesky_in_place, inverse_from_lower_inverse, invert_lower, lower_mul, lower_solve,
    lower_transpose_mul, lower_transpose_solve, multiply_add, solve_lower_in_place, symmetric_mul, vector,
};

/// Below this value of `tau_i Sigma_ii` the quick formula for the variance loses more than five digits.
const WEAK: f64 = 1e-5;
/// A site with `tau_i K_ii` below this takes part in solves through `K`, not by dividing by the root of `tau_i`.
const NEGLIGIBLE: f64 = 1e-12;
/// Columns of `K` handled at once where a few variances need them: bounds the memory.
const BLOCK: usize = 128;

/// `K` and `T` factorised: `B = I + S K S = L Lᵀ` with `S = max(T, 0)^½`, and the negative sites as a low-rank
/// correction of it (math 3).
#[derive(Clone, Debug, Default)]
pub struct SiteFactor {
    tau: Vec<f64>,
    root: Vec<f64>,
    chol: Mat,
    /// `L⁻¹`, if it was asked for.
    inverse: Option<Mat>,
    negative: Option<NegativeSites>,
    log_det: f64,
}

/// Posterior variances `v_i = Sigma_ii` with what a cavity needs of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    pub var: Vec<f64>,
    /// `1 - tau_i v_i`, free of cancellation: the cavity variance of a whole site is `v_i / slack_i`.
    pub slack: Vec<f64>,
}

impl Marginals {
    /// `1 - tau_i v_i / c`: one of `c` tied copies of site `i` taken out of its marginal.
    pub fn gap(&self, i: usize, tau: f64, copies: f64) -> f64 {
        if copies == 1.0 { self.slack[i] } else { 1.0 - tau * self.var[i] / copies }
    }
}

impl SiteFactor {
    /// Factorises. Fails when the sites leave no proper posterior (negative ones too strong), or when `K` is so far
    /// from positive semi-definite that rounding shows.
    ///
    /// `recycled` lends its memory.
    pub fn new(k: &Mat, tau: &[f64], recycled: Option<SiteFactor>) -> Result<Self, NotPositiveDefinite> {
        let n = k.rows();
        let root: Vec<f64> = tau.iter().map(|&t| t.max(0.0).sqrt()).collect();
        let (mut chol, spare) = match recycled {
            Some(old) if old.chol.rows() == n => (old.chol, old.inverse),
            _ => (Mat::zeros(n, n), None),
        };
        for j in 0..n {
            let (rj, column) = (root[j], &k.col(j)[j..]);
            for ((b, k), ri) in chol.col_mut(j)[j..].iter_mut().zip(column).zip(&root[j..]) {
                *b = k * (ri * rj);
            }
            chol[(j, j)] += 1.0;
        }
        cholesky_in_place(&mut chol)?;
        let log_det = 2.0 * (0..n).map(|i| chol[(i, i)].ln()).sum::<f64>();
        let mut factor = SiteFactor { tau: tau.to_vec(), root, chol, inverse: spare, negative: None, log_det };
        let rows: Vec<usize> = (0..n).filter(|&i| tau[i] < 0.0).collect();
        if !rows.is_empty() {
            let negative = NegativeSites::new(k, &factor, rows)?;
            factor.log_det += negative.log_det;
            factor.negative = Some(negative);
        }
        factor.inverse = factor.inverse.take().map(|spare| lower_inverse(&factor.chol, spare));
        Ok(factor)
    }

    /// Computes `L⁻¹` once, for [`marginals`](Self::marginals) and quick repeated solves.
    pub fn with_inverse(mut self) -> Self {
        let n = self.chol.rows();
        if self.inverse.is_none() {
            self.inverse = Some(lower_inverse(&self.chol, Mat::zeros(n, n)));
        }
        self
    }

    /// Gives the memory of `L⁻¹` back.
    pub fn without_inverse(mut self) -> Self {
        self.inverse = None;
        self
    }

    /// `log |I + K T|`.
    pub fn log_det(&self) -> f64 {
        self.log_det
    }

    pub(super) fn chol(&self) -> &Mat {
        &self.chol
    }

    pub(super) fn inverse(&self) -> Option<&Mat> {
        self.inverse.as_ref()
    }

    pub(super) fn root(&self) -> &[f64] {
        &self.root
    }

    pub(super) fn tau(&self) -> &[f64] {
        &self.tau
    }

    pub(super) fn negative(&self) -> Option<&NegativeSites> {
        self.negative.as_ref()
    }

    /// `m <- S m`.
    pub(super) fn scale_rows(&self, m: &mut Mat) {
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

    /// `(I + T K)⁻¹ x = x - R K x`.
    pub fn damp(&self, k: &Mat, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        // (I + T K)⁻¹ = S B⁻¹ S⁻¹ needs no product with K where tau_i is not negligible.
        let direct: Vec<bool> = (0..n).map(|i| self.tau[i] * k[(i, i)] > NEGLIGIBLE).collect();
        let mut rhs: Vec<f64> = (0..n).map(|i| if direct[i] { x[i] / self.root[i] } else { 0.0 }).collect();
        if direct.iter().any(|d| !d) {
            let rest: Vec<f64> = (0..n).map(|i| if direct[i] { 0.0 } else { x[i] }).collect();
            for ((r, kx), s) in rhs.iter_mut().zip(symmetric_mul(k, &rest)).zip(&self.root) {
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

    /// Posterior variances. Panics without [`with_inverse`](Self::with_inverse).
    pub fn marginals(&self, k: &Mat) -> Marginals {
        let n = self.tau.len();
        let inverse = self.inverse.as_ref().expect("marginals need the inverse factor");
        let mut slack = vector::lower_column_norms(inverse); // diag(B⁻¹) = 1 - tau Sigma_ii
        let mut var: Vec<f64> = (0..n).map(|i| (1.0 - slack[i]) / self.tau[i]).collect();
        let weak: Vec<usize> = (0..n).filter(|&i| self.tau[i] <= 0.0 || 1.0 - slack[i] < WEAK).collect();
        for block in weak.chunks(BLOCK) {
            let mut columns = k.select_columns(block);
            self.scale_rows(&mut columns);
            solve_lower_in_place(&self.chol, &mut columns);
            for (&i, c) in block.iter().zip(columns.columns()) {
                var[i] = (k[(i, i)] - vector::dot(c, c)).max(k[(i, i)] * f64::EPSILON);
                slack[i] = 1.0 - self.tau[i] * var[i];
            }
        }
        if let Some(neg) = &self.negative {
            for column in neg.spread.columns() {
                for i in 0..n {
                    let widened = column[i] * column[i];
                    var[i] += widened;
                    slack[i] -= self.tau[i] * widened;
                }
            }
        }
        Marginals { var, slack }
    }

    /// `R = S B⁻¹ S - F Fᵀ`, never formed as `T - T Sigma T`, which cancels.
    pub fn information(&self) -> Mat {
        let n = self.tau.len();
        let computed;
        let inverse = match &self.inverse {
            Some(inverse) => inverse,
            None => {
                computed = lower_inverse(&self.chol, Mat::zeros(n, n));
                &computed
            }
        };
        let mut r = inverse_from_lower_inverse(inverse);
        self.scale_rows(&mut r);
        for j in 0..n {
            let s = self.root[j];
            r.col_mut(j).iter_mut().for_each(|v| *v *= s);
        }
        if let Some(neg) = &self.negative {
            multiply_add(&mut r, -1.0, &neg.gain, Op::Plain, &neg.gain, Op::Transpose);
            gpclass_linalg::mirror_lower(&mut r);
        }
        r
    }
}

fn lower_inverse(chol: &Mat, mut memory: Mat) -> Mat {
    invert_lower(chol, &mut memory);
    memory
}
