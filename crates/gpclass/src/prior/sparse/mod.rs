//! The prior by a few rows that stand for all: `f = p + r` with `p = Aᵀ v`, `v ~ N(0, I)`, and `r_i ~ N(0, D_i)` independent.
//!
//! With `Z` the inducing rows, `K_mm = c(Z, Z) + jitter = L Lᵀ` and `A = L⁻¹ c(Z, X)`, the projections `p` have covariance
//! `Q = AᵀA`, and what is left of each row's variance is `D_i = c(x_i, x_i) - |a_i|²`. A label sees its projection through a
//! likelihood that is wider by `D_i`: this is FITC, which is EP on the projections (scale 3). The noise `v2` of a row is part
//! of its `D_i`. The jitter is part of the model and scales with the signal's variance.

mod adjoint;
mod choice;
mod others;
mod projections;

pub use adjoint::SparseAdjoint;
pub use choice::choose_inducing;
pub use others::SiteSums;

use super::Failure;
use crate::data::Inputs;
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use gpclass_linalg::{Mat, cholesky_in_place, solve_lower_in_place, vector};
use others::Others;
use projections::Projections;
pub(crate) use projections::READY_BYTES;
pub use projections::Storage;
use std::sync::{Arc, OnceLock};

/// A jitter that is not enough is raised by this factor, this often.
const RAISE: f64 = 100.0;
const RAISES: usize = 3;

/// Rows that stand for all.
#[derive(Clone, Debug, PartialEq)]
pub struct Inducing {
    /// Encoded as the training rows are.
    pub rows: Arc<Inputs>,
    /// Added to their variances, relative to the signal's.
    pub jitter: f64,
    /// Which training rows they are, where they are.
    pub training_rows: Option<Arc<[usize]>>,
}

impl Inducing {
    /// Enough for any kernel, and far below what a label can tell (scale 5).
    pub const JITTER: f64 = 1e-8;

    /// Rows of any origin.
    pub fn new(rows: Inputs, jitter: f64) -> Self {
        Inducing { rows: Arc::new(rows), jitter, training_rows: None }
    }

    /// Some of the training rows.
    pub fn of_training(inputs: &Inputs, which: Vec<usize>) -> Self {
        let rows = Arc::new(inputs.select_rows(&which));
        Inducing { rows, jitter: Self::JITTER, training_rows: Some(which.into()) }
    }
}

/// The prior of projections on inducing rows, and what is known of rows elsewhere. Clones share it.
#[derive(Clone, Debug)]
pub struct Sparse(Arc<Parts>, Option<Arc<Others>>);

#[derive(Debug)]
struct Parts {
    inducing: Inducing,
    /// In the units of the covariance.
    jitter: f64,
    /// `L`.
    chol: Mat,
    /// `A`.
    projections: Projections,
    /// `|a_i|²`, made when it is first asked for.
    explained: OnceLock<Vec<f64>>,
    /// `D`.
    residual: Vec<f64>,
}

impl Sparse {
    /// The covariance that a kernel gives the rows through the inducing ones, both of which it must have accepted.
    pub(super) fn new(
        kernel: &Kernel,
        inputs: &Inputs,
        inducing: &Inducing,
        storage: Storage,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, Failure> {
        let (chol, jitter, relative) = factorised(kernel, inducing)?;
        let inducing = Inducing { jitter: relative, ..inducing.clone() };
        let projections = Projections::new(kernel, inputs, &inducing.rows, &chol, storage, interrupt)?;
        let explained = projections.each(|_, a| squared_norms(a));
        let variances = kernel.diag(inputs);
        // L has the jitter in it, so that a difference below zero is rounding.
        let residual = variances.iter().zip(&explained).map(|(c, q)| (c - q).max(0.0)).collect();
        let explained = OnceLock::from(explained);
        Ok(Sparse(Arc::new(Parts { inducing, jitter, chol, projections, explained, residual }), None))
    }

    /// The same where `D` is known, so that no row has to be looked at.
    pub(super) fn known(
        kernel: &Kernel,
        inputs: &Inputs,
        inducing: &Inducing,
        residual: Vec<f64>,
        storage: Storage,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, Failure> {
        let (chol, jitter, relative) = factorised(kernel, inducing)?;
        let inducing = Inducing { jitter: relative, ..inducing.clone() };
        let projections = Projections::new(kernel, inputs, &inducing.rows, &chol, storage, interrupt)?;
        let explained = OnceLock::new();
        Ok(Sparse(Arc::new(Parts { inducing, jitter, chol, projections, explained, residual }), None))
    }

    /// The rows that stand for all, with the jitter that was needed.
    pub fn inducing(&self) -> &Inducing {
        &self.0.inducing
    }

    /// `D`: what the inducing rows leave of each row's variance.
    pub fn residual(&self) -> &[f64] {
        &self.0.residual
    }

    /// `|a_i|²`, the variance of each projection, or what rows elsewhere leave of it.
    pub(super) fn diag(&self) -> Vec<f64> {
        match self.given() {
            None => self.0.explained.get_or_init(|| self.projections().each(|_, a| squared_norms(a))).clone(),
            Some(_) => self.projections().each(|_, a| squared_norms(&self.whitened(a))),
        }
    }

    pub(super) fn jitter(&self) -> f64 {
        self.0.jitter
    }

    pub(crate) fn projections(&self) -> &Projections {
        &self.0.projections
    }

    /// `L`.
    pub(crate) fn chol(&self) -> &Mat {
        &self.0.chol
    }

    pub(crate) fn rows(&self) -> usize {
        self.0.residual.len()
    }

    pub(crate) fn indefinite(&self) -> Failure {
        Failure::NotPositiveDefinite { jitter: self.0.jitter }
    }

    /// `Q x`.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        self.projections().transposed_times(&self.given_others(self.projections().times(x)))
    }

    /// `Q X`.
    pub(super) fn times_columns(&self, x: &Mat) -> Mat {
        Mat::from_columns(x.rows(), x.cols(), x.columns().flat_map(|column| self.times(column)).collect())
    }

    pub(super) fn product_errors(&self, x: &[f64]) -> Vec<f64> {
        let sizes = self.projections().sum(self.0.chol.rows(), 1, |sum, rows, a| {
            for (column, x) in a.columns().zip(&x[rows]) {
                sum.col_mut(0).iter_mut().zip(column).for_each(|(sum, a)| *sum += (a * x).abs());
            }
        });
        let error = |column: &[f64]| column.iter().zip(sizes.col(0)).map(|(a, size)| a.abs() * size).sum::<f64>();
        self.projections().each(|_, a| a.columns().map(|column| f64::EPSILON * error(column)).collect())
    }

    /// `Q` in full.
    pub(super) fn covariance(&self) -> Mat {
        let a = self.whitened(&self.projections().all());
        gpclass_linalg::self_product(&a, gpclass_linalg::Op::Transpose)
    }

    pub(super) fn overflow(&self) -> Option<(usize, usize, f64)> {
        let bad = |values: &[f64]| values.iter().position(|v| !v.is_finite()).map(|i| (i, i, values[i]));
        self.0.explained.get().and_then(|explained| bad(explained)).or_else(|| bad(&self.0.residual))
    }

    /// `a` of other rows: a column each.
    pub(crate) fn project(&self, kernel: &Kernel, rows: &Inputs) -> Mat {
        let mut a = kernel.cross(&self.0.inducing.rows, rows);
        solve_lower_in_place(&self.0.chol, &mut a);
        a
    }
}

/// `L` with the jitter in it, absolute and relative: as given or, where that is not enough, more.
fn factorised(kernel: &Kernel, inducing: &Inducing) -> Result<(Mat, f64, f64), Failure> {
    let signal = kernel.mean_signal(&inducing.rows);
    let mut relative = inducing.jitter;
    for _ in 0..=RAISES {
        // Between two sets, so that it has no noise in it.
        let mut chol = kernel.cross(&inducing.rows, &inducing.rows);
        let jitter = relative * signal;
        (0..chol.rows()).for_each(|i| chol[(i, i)] += jitter);
        if cholesky_in_place(&mut chol).is_ok() {
            return Ok((chol, jitter, relative));
        }
        relative = RAISE * relative.max(f64::EPSILON);
    }
    Err(Failure::NotPositiveDefinite { jitter: relative / RAISE * signal })
}

fn squared_norms(a: &Mat) -> Vec<f64> {
    a.columns().map(|column| vector::dot(column, column)).collect()
}
