//! Expectation propagation for several classes: the multinomial probit, with or without label error (multiclass 3, 6).

mod rows;
mod search;
mod state;

pub use rows::ClassObservations;
pub use search::PairSites;

use super::ep::EpOptions;
use super::{InferenceError, Outcome, Report};
use crate::posterior::{CoupledFactor, FunctionPriors};
use crate::prior::Failure;
use gpclass_linalg::Mat;
use search::{Attempt, Search};

/// The posterior of several latent functions. Matrices are rows x classes.
#[derive(Clone, Debug)]
pub struct CoupledInferred {
    /// Pair sites of one copy of each row, to start a similar search from.
    pub sites: PairSites,
    /// Site precisions `pi`, those of a row's copies together.
    pub pi: Mat,
    /// Linear terms `nu` of the row sites; each row sums to zero.
    pub nu: Mat,
    /// `K⁻¹ mu`.
    pub alpha: Mat,
    /// Posterior means.
    pub mean: Mat,
    /// The factorised posterior covariance.
    pub factor: CoupledFactor,
    /// Log evidence.
    pub log_z: f64,
    /// Derivative of `log_z` in the label error at fixed cavities.
    pub by_label_error: f64,
    /// How the search went.
    pub report: Report,
}

/// Runs EP: from `start` where there is one, else from the prior. With label error the posterior without it is the start, and
/// where precisions that turn negative keep the search from settling, one with precisions kept from it comes first.
pub fn infer(
    prior: &FunctionPriors,
    observations: &ClassObservations<'_>,
    start: Option<&PairSites>,
    options: &EpOptions,
) -> Result<CoupledInferred, InferenceError> {
    run(prior, observations, start, options).map_err(InferenceError::from)
}

fn run(
    prior: &FunctionPriors,
    observations: &ClassObservations<'_>,
    start: Option<&PairSites>,
    options: &EpOptions,
) -> Result<CoupledInferred, Failure> {
    let search = |clamped| Search { prior, observations, options, clamped };
    let finish = |attempt, sweeps| Ok(inferred(attempt, observations, options, sweeps));
    if observations.label_error == 0.0 {
        let attempt = search(false).run(start, 1.0)?;
        let sweeps = attempt.sweeps;
        return finish(attempt, sweeps);
    }
    let clean;
    let (start, mut sweeps) = match start {
        Some(start) => (start, 0),
        None => {
            let without = ClassObservations { label_error: 0.0, ..*observations };
            let attempt = Search { prior, observations: &without, options, clamped: false }.run(None, 1.0)?;
            clean = PairSites { tau: attempt.state.tau, beta: attempt.state.beta };
            (&clean, attempt.sweeps)
        }
    };
    let first = search(false).run(Some(start), options.damping)?;
    sweeps += first.sweeps;
    if first.stopped.is_none() {
        return finish(first, sweeps);
    }
    let clamped = search(true).run(Some(start), options.damping)?;
    sweeps += clamped.sweeps;
    let from = PairSites { tau: clamped.state.tau.clone(), beta: clamped.state.beta.clone() };
    let polished = search(false).run(Some(&from), 0.5 * options.damping)?;
    sweeps += polished.sweeps;
    let best = if polished.stopped.is_none() || polished.mismatch.residual() < first.mismatch.residual() {
        polished
    } else {
        first
    };
    finish(best, sweeps)
}

fn inferred(
    attempt: Attempt,
    observations: &ClassObservations<'_>,
    options: &EpOptions,
    sweeps: usize,
) -> CoupledInferred {
    let Attempt { state, mismatch, stopped, .. } = attempt;
    let residual = mismatch.residual();
    let outcome = match stopped {
        None => Outcome::Converged,
        Some(_) if residual <= options.acceptable => Outcome::Converged,
        Some(reason) => Outcome::NotConverged(reason),
    };
    let (n, count) = (observations.len(), observations.count);
    let log_z = state.log_z(observations, &mismatch);
    let by_label_error = (0..n)
        .map(|i| {
            let (row, c, rho) = (&mismatch.rows[i], count as f64, observations.label_error);
            // (1 - C Π Phi) / (rho + (1 - C rho) Π Phi)
            let product = row.log_product.exp();
            observations.copies(i) * (1.0 - c * product) / (rho + (1.0 - c * rho) * product)
        })
        .sum();
    let negative_sites = state.tau.as_slice().iter().filter(|&&t| t < 0.0).count();
    let pi = Mat::from_fn(n, count, |i, c| observations.copies(i) * state.tau[(i, c)]);
    let mut nu = state.factor.site_times(&state.means.mu);
    nu.as_mut_slice().iter_mut().zip(state.means.alpha.as_slice()).for_each(|(nu, alpha)| *nu += alpha);
    CoupledInferred {
        pi,
        nu,
        alpha: state.means.alpha,
        mean: state.means.mu,
        sites: PairSites { tau: state.tau, beta: state.beta },
        factor: state.factor,
        log_z,
        by_label_error,
        report: Report { outcome, sweeps, residual, jitter: 0.0, negative_sites },
    }
}

/// A Gaussian over the functions at one row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGaussian {
    /// Means, one per function.
    pub mean: Vec<f64>,
    /// Covariances, functions x functions.
    pub cov: Mat,
}

impl CoupledInferred {
    /// Every row with one copy of its site taken out (multiclass 4).
    pub fn cavities(&self, observations: &ClassObservations<'_>) -> Vec<RowGaussian> {
        let covariances = self.factor.row_covariances();
        covariances.iter().enumerate().map(|(i, sigma)| self.cavity(observations, i, sigma)).collect()
    }

    /// `S = (I - Sigma T)⁻¹ Sigma`, `m = (I - Sigma T)⁻¹ (mu - Sigma nu)` with the site of one copy.
    fn cavity(&self, observations: &ClassObservations<'_>, i: usize, sigma: &Mat) -> RowGaussian {
        let count = observations.count;
        let copies = observations.copies(i);
        let mean: Vec<f64> = (0..count).map(|c| self.mean[(i, c)]).collect();
        if copies == 0.0 {
            return RowGaussian { mean, cov: sigma.clone() };
        }
        let pi: Vec<f64> = (0..count).map(|c| self.pi[(i, c)] / copies).collect();
        let s: f64 = pi.iter().sum();
        let nu: Vec<f64> = (0..count).map(|c| self.nu[(i, c)] / copies).collect();
        let site = |c: usize, d: usize| if c == d { pi[c] } else { 0.0 } - pi[c] * pi[d] / s;
        let sigma_nu = sigma.mul_vec(&nu);
        // Right-hand sides: Sigma, and mu - Sigma nu as a last column.
        let mut rhs =
            Mat::from_fn(count, count + 1, |c, d| if d < count { sigma[(c, d)] } else { mean[c] - sigma_nu[c] });
        let mut a = Mat::from_fn(count, count, |c, d| {
            let product: f64 = (0..count).map(|k| sigma[(c, k)] * site(k, d)).sum();
            f64::from(c == d) - product
        });
        eliminate(&mut a, &mut rhs);
        let cov = Mat::from_fn(count, count, |c, d| 0.5 * (rhs[(c, d)] + rhs[(d, c)]));
        RowGaussian { mean: rhs.col(count).to_vec(), cov }
    }
}

/// `rhs <- a⁻¹ rhs` by elimination with row pivots, for a small matrix.
fn eliminate(a: &mut Mat, rhs: &mut Mat) {
    let n = a.rows();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[(i, k)].abs().total_cmp(&a[(j, k)].abs())).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| swap(a, (k, j), (pivot, j)));
            (0..rhs.cols()).for_each(|j| swap(rhs, (k, j), (pivot, j)));
        }
        for i in 0..n {
            if i != k {
                let factor = a[(i, k)] / a[(k, k)];
                (k..n).for_each(|j| a[(i, j)] -= factor * a[(k, j)]);
                (0..rhs.cols()).for_each(|j| rhs[(i, j)] -= factor * rhs[(k, j)]);
            }
        }
    }
    for i in 0..n {
        (0..rhs.cols()).for_each(|j| rhs[(i, j)] /= a[(i, i)]);
    }
}

fn swap(m: &mut Mat, a: (usize, usize), b: (usize, usize)) {
    (m[a], m[b]) = (m[b], m[a]);
}
