//! The posterior of several latent functions whose sites couple the functions of one row (multiclass 2).
//!
//! Functions `f_c ~ N(0, K_c)` are independent before the labels. Row `i` has the site
//! `exp(-½ fᵀ T_i f + nu_iᵀ f)` with `T_i = diag(pi_i) - pi_i pi_iᵀ / s_i`, `s_i = Σ_c pi_ic`: a hub of flat prior, tied to
//! every function with precision `pi_ic`. With `D_c = diag(pi_·c)`,
//!
//! ```text
//! E_c = (K_c + D_c⁻¹)⁻¹,   P = Σ_c E_c = L Lᵀ,   R_cd = [c = d] E_c - E_c P⁻¹ E_d,   Sigma = K - K R K
//! log |I + K T| = Σ_c log |I + K_c D_c| + log |P| - Σ_i log s_i
//! ```
//!
//! `E_c` is what a [`Factor`](super::Factor) calls `R` for the precisions `pi_·c` alone, so negative precisions need nothing new: where
//! the posterior is proper and every `s_i` positive, each `K_c⁻¹ + D_c` is positive definite (it exceeds a block of
//! `K⁻¹ + T`) and so is `P`, a Schur complement of hub and functions together.

use crate::prior::{Adjoint, Failure, Prior};
use gpclass_linalg::{
    Mat, Op, PackedSymmetric, cholesky_in_place, invert_lower, lower_solve, lower_transpose_solve, multiply_add,
    solve_lower_in_place, vector,
};

/// Where `|pi_i K_ii|` is below this, `E K` comes from the product itself and not from `I - E D⁻¹`, which cancels.
const WEAK: f64 = 1e-8;
/// Rounds of refinement of a mean solve. At a prior variance of 1e6 the first answer is wrong in its fourth digit, and
/// three rounds bring all digits there are (multiclass 2.2).
const REFINEMENTS: usize = 3;
/// Columns of `G_c` made at once for all functions, where the covariances within rows are wanted: bounds the memory.
const BLOCK: usize = 128;

/// Sites that leave no proper posterior.
pub(crate) const IMPROPER: Failure = Failure::NotPositiveDefinite { jitter: 0.0 };

/// Priors of the functions: one for all, or one each.
#[derive(Clone, Debug)]
pub struct FunctionPriors {
    each: Vec<Prior>,
    count: usize,
}

impl FunctionPriors {
    /// One prior for `count` functions.
    pub fn shared(prior: Prior, count: usize) -> Self {
        FunctionPriors { each: vec![prior], count }
    }

    /// A prior for every function; there is at least one.
    pub fn own(each: Vec<Prior>) -> Self {
        assert!(!each.is_empty(), "at least one function");
        FunctionPriors { count: each.len(), each }
    }

    /// The prior of function `c`.
    pub fn of(&self, c: usize) -> &Prior {
        &self.each[if self.is_shared() { 0 } else { c }]
    }

    /// Whether all functions have the same one.
    pub fn is_shared(&self) -> bool {
        self.each.len() == 1
    }

    /// The number of functions.
    pub fn functions(&self) -> usize {
        self.count
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.each[0].rows()
    }

    /// A covariance that is not finite, with its two rows, the earlier first.
    pub fn overflow(&self) -> Option<(usize, usize, f64)> {
        self.each.iter().find_map(Prior::overflow)
    }

    /// The same priors with another jitter.
    #[must_use]
    pub fn shifted(self, jitter: f64) -> Self {
        FunctionPriors { each: self.each.into_iter().map(|prior| prior.shifted(jitter)).collect(), ..self }
    }

    /// `K_c x_c` for every function: `x` is rows x functions.
    pub fn times(&self, x: &Mat) -> Mat {
        by_function(self.count, |c| self.of(c).times(x.col(c)))
    }
}

/// Rows x functions, from a column for each function.
fn by_function(count: usize, column: impl Fn(usize) -> Vec<f64>) -> Mat {
    let columns: Vec<Vec<f64>> = (0..count).map(column).collect();
    let rows = columns.first().map_or(0, Vec::len);
    Mat::from_columns(rows, count, columns.concat())
}

/// The factorised posterior covariance.
#[derive(Clone, Debug)]
pub struct CoupledFactor {
    prior: FunctionPriors,
    /// Rows x functions; a row of zeros has no site.
    pi: Mat,
    /// `s`; one where a row has no site.
    total: Vec<f64>,
    /// `E_c`.
    information: Vec<PackedSymmetric>,
    /// `diag(K_c - K_c E_c K_c)`, rows x functions: the variances that each function would have with its hub held.
    held: Mat,
    /// `L`.
    chol: Mat,
    /// `Σ_c log |I + K_c D_c| + log |P|`.
    log_det: f64,
}

/// What sweeps need of the rows' covariances: rows x functions each.
#[derive(Clone, Debug)]
pub struct RowMarginals {
    /// `Sigma_i,cc`.
    pub var: Mat,
    /// `(Sigma_i pi_i)_c`.
    pub times_pi: Mat,
}

impl CoupledFactor {
    /// Factorises. Fails where the sites leave no proper posterior. `recycled` lends its memory.
    pub fn new(prior: &FunctionPriors, pi: &Mat, recycled: Option<CoupledFactor>) -> Result<Self, Failure> {
        let (n, functions) = (prior.rows(), prior.functions());
        assert_eq!((pi.rows(), pi.cols()), (n, functions), "a precision for every row and function");
        let (mut spare, mut sum) = match recycled {
            Some(old) if old.total.len() == n => (old.information, old.chol),
            _ => (Vec::new(), Mat::zeros(n, n)),
        };
        sum.as_mut_slice().fill(0.0);
        let (mut information, mut held) = (Vec::with_capacity(functions), Mat::zeros(n, functions));
        let mut log_det = 0.0;
        let mut memory = None;
        for c in 0..functions {
            let (own, marginals) = prior.of(c).factorise(pi.col(c), memory.take())?.with_marginals()?;
            held.col_mut(c).copy_from_slice(&marginals.var);
            log_det += own.log_det();
            let e = own.information();
            vector::add_scaled(sum.as_mut_slice(), 1.0, e.as_slice());
            information.push(PackedSymmetric::from_lower(&e, spare.pop()));
            memory = Some(own.into_spare());
        }
        let total: Vec<f64> = (0..n).map(|i| row_total(pi, i)).collect();
        if total.iter().any(|s| *s <= 0.0) {
            return Err(IMPROPER);
        }
        // A row without a site is in no E_c; a one on its diagonal leaves it alone.
        (0..n).filter(|&i| is_empty(pi, i)).for_each(|i| sum[(i, i)] = 1.0);
        cholesky_in_place(&mut sum).map_err(|_| IMPROPER)?;
        log_det += 2.0 * (0..n).map(|i| sum[(i, i)].ln()).sum::<f64>();
        Ok(CoupledFactor { prior: prior.clone(), pi: pi.clone(), total, information, held, chol: sum, log_det })
    }

    /// The prior covariances.
    pub fn prior(&self) -> &FunctionPriors {
        &self.prior
    }

    /// `Σ_c log |I + K_c D_c| + log |P|`, which is `log |I + K T| + Σ_i log s_i`.
    pub fn log_det(&self) -> f64 {
        self.log_det
    }

    /// `s_i`.
    pub fn totals(&self) -> &[f64] {
        &self.total
    }

    /// `alpha = nu - T mu` and `mu = Sigma nu = K alpha`, rows x functions (multiclass 2.2).
    pub fn solve(&self, nu: &Mat) -> (Mat, Mat) {
        let mut alpha = self.without_prior(nu);
        let mut mu = self.prior.times(&alpha);
        for _ in 0..REFINEMENTS {
            let mut lacking = self.site_times(&mu);
            for ((value, nu), alpha) in lacking.as_mut_slice().iter_mut().zip(nu.as_slice()).zip(alpha.as_slice()) {
                *value = nu - *value - alpha;
            }
            let step = self.without_prior(&lacking);
            vector::add_scaled(alpha.as_mut_slice(), 1.0, step.as_slice());
            mu = self.prior.times(&alpha);
        }
        (alpha, mu)
    }

    /// `x - R K x`, to the digits that one pass gives.
    pub fn without_prior(&self, x: &Mat) -> Mat {
        let kx = self.prior.times(x);
        let ekx = by_function(self.pi.cols(), |c| self.information[c].mul(kx.col(c)));
        let mut shared = vec![0.0; self.total.len()];
        ekx.columns().for_each(|column| vector::add_scaled(&mut shared, 1.0, column));
        lower_solve(&self.chol, &mut shared);
        lower_transpose_solve(&self.chol, &mut shared);
        by_function(self.pi.cols(), |c| {
            let mut out = self.information[c].mul(&shared);
            out.iter_mut().zip(x.col(c)).zip(ekx.col(c)).for_each(|((out, x), e)| *out += x - e);
            out
        })
    }

    /// `R x`, rows x functions.
    pub fn information_times(&self, x: &Mat) -> Mat {
        let ex = by_function(self.pi.cols(), |c| self.information[c].mul(x.col(c)));
        let mut shared = vec![0.0; self.total.len()];
        ex.columns().for_each(|column| vector::add_scaled(&mut shared, 1.0, column));
        lower_solve(&self.chol, &mut shared);
        lower_transpose_solve(&self.chol, &mut shared);
        by_function(self.pi.cols(), |c| {
            let mut out = self.information[c].mul(&shared);
            out.iter_mut().zip(ex.col(c)).for_each(|(out, e)| *out = e - *out);
            out
        })
    }

    /// `T x` for every row.
    pub fn site_times(&self, x: &Mat) -> Mat {
        let mut out = Mat::from_fn(x.rows(), x.cols(), |i, c| self.pi[(i, c)] * x[(i, c)]);
        for i in 0..x.rows() {
            let mean = (0..x.cols()).map(|c| out[(i, c)]).sum::<f64>() / self.total[i];
            (0..x.cols()).for_each(|c| out[(i, c)] -= self.pi[(i, c)] * mean);
        }
        out
    }

    /// Variances within the rows, one function at a time and never all of them (multiclass 2.3).
    pub fn marginals(&self) -> RowMarginals {
        let n = self.total.len();
        let hub = self.hub();
        let (mut var, mut times_pi) = (self.held.clone(), Mat::zeros(n, self.pi.cols()));
        let mut g = Mat::zeros(n, n);
        for c in 0..self.pi.cols() {
            self.response(c, &mut g);
            for i in 0..n {
                var[(i, c)] += vector::dot(g.col(i), g.col(i));
                times_pi[(i, c)] = self.held[(i, c)] * self.pi[(i, c)] + vector::dot(hub.col(i), g.col(i));
            }
        }
        RowMarginals { var, times_pi }
    }

    /// `Σ_d G_d D_d = L⁻¹ S - Lᵀ`, known without the functions.
    fn hub(&self) -> Mat {
        let n = self.total.len();
        let mut hub = Mat::zeros(n, n);
        invert_lower(&self.chol, &mut hub);
        for (j, s) in self.total.iter().enumerate() {
            let column = hub.col_mut(j);
            column.iter_mut().for_each(|value| *value *= s);
            for (i, value) in column[..=j].iter_mut().enumerate() {
                *value -= self.chol[(j, i)];
            }
        }
        hub
    }

    /// `G_c = L⁻¹ E_c K_c`, written to `out`.
    fn response(&self, c: usize, out: &mut Mat) {
        self.information[c].unpack(out);
        self.finish_response(c, 0, out);
    }

    /// The columns `first..` of `E_c`, made into those of `L⁻¹ E_c K_c`. `E K = I - E D⁻¹`, since `E (K + D⁻¹) = I`.
    fn finish_response(&self, c: usize, first: usize, columns: &mut Mat) {
        let k = self.prior.of(c).covariance();
        for local in 0..columns.cols() {
            let (j, pi) = (first + local, self.pi[(first + local, c)]);
            if (pi * k[(j, j)]).abs() < WEAK {
                let product = self.information[c].mul(k.col(j));
                columns.col_mut(local).copy_from_slice(&product);
            } else {
                columns.col_mut(local).iter_mut().for_each(|value| *value /= -pi);
                columns[(j, local)] += 1.0;
            }
        }
        solve_lower_in_place(&self.chol, columns);
    }

    /// The covariance of the functions within each row, functions x functions.
    pub fn row_covariances(&self) -> Vec<Mat> {
        let (n, functions) = (self.total.len(), self.pi.cols());
        let mut out = Vec::with_capacity(n);
        for first in (0..n).step_by(BLOCK) {
            let block = first..(first + BLOCK).min(n);
            let responses: Vec<Mat> = (0..functions)
                .map(|c| {
                    let mut columns = self.information[c].columns(block.clone());
                    self.finish_response(c, first, &mut columns);
                    columns
                })
                .collect();
            for (local, i) in block.enumerate() {
                out.push(Mat::from_fn(functions, functions, |c, d| {
                    let own = if c == d { self.held[(i, c)] } else { 0.0 };
                    own + vector::dot(responses[c].col(local), responses[d].col(local))
                }));
            }
        }
        out
    }

    /// Means and covariances of the functions at test rows: `cross` holds their covariances with the training rows
    /// (training x test) for each prior that differs, `prior_var` their variances (test x functions).
    pub fn predict(&self, alpha: &Mat, cross: &[Mat], prior_var: &Mat) -> (Mat, Vec<Mat>) {
        let functions = self.pi.cols();
        let of = |c: usize| &cross[if cross.len() == 1 { 0 } else { c }];
        let mean = by_function(functions, |c| of(c).transpose_mul_vec(alpha.col(c)));
        let explained: Vec<(Vec<f64>, Mat)> = (0..functions)
            .map(|c| {
                let mut e = Mat::from_columns(
                    self.total.len(),
                    of(c).cols(),
                    of(c).columns().flat_map(|k| self.information[c].mul(k)).collect(),
                );
                let own = e.columns().zip(of(c).columns()).map(|(e, k)| vector::dot(e, k)).collect();
                solve_lower_in_place(&self.chol, &mut e);
                (own, e)
            })
            .collect();
        let covariance = |t: usize| {
            Mat::from_fn(functions, functions, |c, d| {
                let own = if c == d { (prior_var[(t, c)] - explained[c].0[t]).max(0.0) } else { 0.0 };
                own + vector::dot(explained[c].1.col(t), explained[d].1.col(t))
            })
        };
        let rows = mean.rows();
        (mean, (0..rows).map(covariance).collect())
    }

    /// `½ Σ_c (alpha_c alpha_cᵀ - R_cc) + ½ Σ_c (w_c alpha_cᵀ + alpha_c w_cᵀ)`, the lower triangle: summed over all functions
    /// where they share their prior, else for each (multiclass 3, 5).
    pub fn adjoints(&self, alpha: &Mat, implicit: Option<&Mat>) -> Vec<Adjoint> {
        let n = self.total.len();
        let functions = self.pi.cols();
        let mut out: Vec<Mat> = Vec::new();
        for c in 0..functions {
            let mut e = Mat::zeros(n, n);
            self.information[c].unpack(&mut e);
            if !self.prior.is_shared() || c == 0 {
                out.push(Mat::zeros(n, n));
            }
            let adjoint = out.last_mut().expect("one was pushed for the first function");
            vector::add_scaled(adjoint.as_mut_slice(), -0.5, e.as_slice());
            solve_lower_in_place(&self.chol, &mut e); // L⁻¹ E_c
            multiply_add(adjoint, 0.5, &e, Op::Transpose, &e, Op::Plain);
            add_outer(adjoint, alpha.col(c), implicit.map(|w| w.col(c)));
        }
        out.into_iter().map(Adjoint::Dense).collect()
    }
}

/// `out += ½ a aᵀ + ½ (w aᵀ + a wᵀ)`, the lower triangle.
fn add_outer(out: &mut Mat, a: &[f64], w: Option<&[f64]>) {
    for j in 0..a.len() {
        let (aj, wj) = (0.5 * a[j], w.map_or(0.0, |w| 0.5 * w[j]));
        let column = &mut out.col_mut(j)[j..];
        vector::add_scaled(column, aj + wj, &a[j..]);
        if let Some(w) = w {
            vector::add_scaled(column, aj, &w[j..]);
        }
    }
}

fn is_empty(pi: &Mat, i: usize) -> bool {
    (0..pi.cols()).all(|c| pi[(i, c)] == 0.0)
}

/// `Σ_c pi_ic`, one where there is no site.
fn row_total(pi: &Mat, i: usize) -> f64 {
    if is_empty(pi, i) { 1.0 } else { (0..pi.cols()).map(|c| pi[(i, c)]).sum() }
}
