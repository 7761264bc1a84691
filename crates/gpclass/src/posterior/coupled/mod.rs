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
//!
//! Functions are worked on a few at once, each in two matrices of its own; what is kept of each is `E_c` in half a matrix.

mod adjoint;
mod block;
mod difference;
mod held;
mod memory;
mod priors;
mod rough;
mod rows;
mod solve;

pub(crate) use difference::Differences;
pub(crate) use held::Held;
pub use priors::FunctionPriors;
pub use rows::RowMarginals;

use super::Spare;
use crate::interrupt::Interrupt;
use crate::prior::Failure;
use gpclass_linalg::{Mat, PackedSymmetric, cholesky_in_place, map_tasks, vector};
use memory::{Shelf, for_functions};

/// A precision below this is taken for none where it is divided by: `E_c e_i / pi_i` keeps its digits down to the smallest
/// numbers there are, because column `i` of `E_c` has the size of `pi_i`, but not below.
const VANISHING: f64 = 1e-150;
/// Rows from which the products of several functions are worth threads.
const THREADED_FROM: usize = 400;
/// What is added to the diagonal of `P`, in units of its rounding, where it has no factor: see [`factor_of_hubs`].
const RIDGES: [f64; 4] = [0.0, 1.0, 1e2, 1e4];

/// Sites that leave no proper posterior.
pub(crate) const IMPROPER: Failure = Failure::NotPositiveDefinite { jitter: 0.0 };

/// The factorised posterior covariance, in double precision unless it says otherwise.
#[derive(Clone, Debug)]
pub struct CoupledFactor<E: Held = PackedSymmetric> {
    prior: FunctionPriors,
    /// Rows x functions; a row of zeros has no site.
    pi: Mat,
    /// `s`; one where a row has no site.
    total: Vec<f64>,
    /// `E_c`.
    information: Vec<E>,
    /// `diag(K_c - K_c E_c K_c)`, rows x functions: the variances that each function would have with its hub held.
    held: Mat,
    /// The diagonal of `P`.
    hub: Vec<f64>,
    /// `L`.
    chol: E::Square,
    /// `Σ_c log |I + K_c D_c| + log |P|`.
    log_det: f64,
    /// The lower triangle of `Σ_c E_c P⁻¹ E_c`, where it was had by the way.
    square: Option<Mat>,
    spare: Shelf<E::Square>,
}

impl CoupledFactor {
    /// Factorises. Fails where the sites leave no proper posterior. `recycled` lends its memory.
    pub fn new(prior: &FunctionPriors, pi: &Mat, recycled: Option<CoupledFactor>) -> Result<Self, Failure> {
        CoupledFactor::watched(prior, pi, recycled, Interrupt::default())
    }

    /// As [`new`](Self::new), ended between two functions where it is interrupted.
    pub(crate) fn watched(
        prior: &FunctionPriors,
        pi: &Mat,
        recycled: Option<CoupledFactor>,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, Failure> {
        let (n, functions) = (prior.rows(), prior.functions());
        assert_eq!((pi.rows(), pi.cols()), (n, functions), "a precision for every row and function");
        let total: Vec<f64> = (0..n).map(|i| row_total(pi, i)).collect();
        if total.iter().any(|s| *s <= 0.0) {
            return Err(IMPROPER);
        }
        let (packed, mut chol, spare) = match recycled {
            Some(old) if old.total.len() == n => {
                old.square.into_iter().for_each(|matrix| old.spare.put(matrix));
                (old.information, old.chol, old.spare)
            }
            _ => (Vec::new(), Mat::default(), Shelf::default()),
        };
        let packed: Vec<_> = packed.into_iter().map(|old| std::sync::Mutex::new(Some(old))).collect();
        let each = for_functions(functions, |c| {
            interrupt.check()?;
            let lent = packed.get(c).and_then(|old| old.lock().ok()?.take());
            let matrices = Spare { chol: spare.take(n)?, inverse: Some(spare.take(n)?) };
            let (own, marginals) = prior.of(c).factorise(pi.col(c), Some(matrices))?.with_marginals()?;
            let log_det = own.log_det();
            let (information, matrices) = own.into_information(lent)?;
            matrices.into_matrices().for_each(|matrix| spare.put(matrix));
            Ok((information, marginals.var, log_det))
        })?;
        let log_dets: f64 = each.iter().map(|(_, _, log_det)| log_det).sum();
        let mut held = Mat::zeros(n, functions);
        each.iter().enumerate().for_each(|(c, (_, var, _))| held.col_mut(c).copy_from_slice(var));
        let information: Vec<PackedSymmetric> = each.into_iter().map(|(information, _, _)| information).collect();
        if chol.rows() != n {
            chol = spare.take(n)?;
        }
        interrupt.check()?;
        let hub = factor_of_hubs(&information, pi, &mut chol)?;
        let log_det = log_dets + 2.0 * (0..n).map(|i| chol[(i, i)].ln()).sum::<f64>();
        let (prior, pi) = (prior.clone(), pi.clone());
        Ok(CoupledFactor { prior, pi, total, information, held, hub, chol, log_det, square: None, spare })
    }
}

impl<E: Held> CoupledFactor<E> {
    /// Itself without the memory it keeps for the next one.
    pub(crate) fn lean(self) -> Self {
        self.free_spare();
        self
    }

    /// Frees the memory it keeps for what comes next.
    pub(crate) fn free_spare(&self) {
        self.spare.clear();
    }

    /// Itself with `Σ_c E_c P⁻¹ E_c`.
    pub(crate) fn with_square(self, square: Mat) -> Self {
        CoupledFactor { square: Some(square), ..self }
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

    fn rows(&self) -> usize {
        self.total.len()
    }

    fn functions(&self) -> usize {
        self.pi.cols()
    }

    /// `(E_c)_ii`.
    fn information_diagonal(&self, i: usize, c: usize) -> f64 {
        self.information[c].diagonal(i)
    }
}

/// `P = Σ_c E_c = L Lᵀ`, `L` written to `chol`; returns the diagonal of `P`.
///
/// What all functions have in common meets no site, so `P` is as small in its direction as the inverse of a prior variance, and where
/// that is ten orders of magnitude above the sites' rounding hides it. A ridge of the size of the rounding then stands for it: the
/// common part is as good as unknown either way, and nothing that is observed depends on it.
fn factor_of_hubs(information: &[PackedSymmetric], pi: &Mat, chol: &mut Mat) -> Result<Vec<f64>, Failure> {
    let n = pi.rows();
    let diagonal = |i: usize| information.iter().map(|e| e.column(i)[0]).sum::<f64>();
    // A row without a site is in no E_c; a one on its diagonal leaves it alone.
    let hub: Vec<f64> = (0..n).map(|i| if is_empty(pi, i) { 1.0 } else { diagonal(i) }).collect();
    let negative = pi.as_slice().iter().any(|pi| *pi < 0.0);
    for ridge in RIDGES {
        for j in 0..n {
            chol.col_mut(j)[j..].fill(0.0);
        }
        information.iter().for_each(|e| e.add_to_lower(1.0, chol));
        (0..n).for_each(|i| chol[(i, i)] = hub[i] * (1.0 + ridge * n as f64 * f64::EPSILON));
        match cholesky_in_place(chol) {
            Ok(()) => return Ok(hub),
            // Negative precisions can leave no proper posterior, which a ridge would only hide.
            Err(_) if negative => break,
            Err(_) => {}
        }
    }
    Err(IMPROPER)
}

/// Rows x functions, from what a function of each column of `x` gives.
fn by_function(x: &Mat, column: impl Fn(usize, &[f64]) -> Vec<f64> + Sync) -> Mat {
    let columns: Vec<Vec<f64>> = if x.rows() < THREADED_FROM {
        (0..x.cols()).map(|c| column(c, x.col(c))).collect()
    } else {
        map_tasks(x.cols(), |c| column(c, x.col(c)))
    };
    Mat::from_columns(x.rows(), x.cols(), columns.concat())
}

fn is_empty(pi: &Mat, i: usize) -> bool {
    (0..pi.cols()).all(|c| pi[(i, c)] == 0.0)
}

/// `Σ_c pi_ic`, one where there is no site.
fn row_total(pi: &Mat, i: usize) -> f64 {
    if is_empty(pi, i) { 1.0 } else { (0..pi.cols()).map(|c| pi[(i, c)]).sum() }
}

/// The Euclidean norm of all entries.
fn norm(x: &Mat) -> f64 {
    vector::dot(x.as_slice(), x.as_slice()).sqrt()
}
