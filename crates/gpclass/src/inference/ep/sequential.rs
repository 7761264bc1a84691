//! Sequential EP: one site at a time, the whole posterior updated after each.
//!
//! Slow and plain, it is the reference for the fast schedule, the last resort behind it, and, stopped after one
//! pass, assumed-density filtering. Rank-one changes of the covariance are collected and applied in blocks.

use super::options::EpOptions;
use super::state::State;
use super::two_level::{Attempt, PROGRESS};
use crate::inference::Reason;
use crate::inference::problem::Problem;
use crate::likelihood::Gaussian;
use crate::posterior::Sites;
use crate::prior::Failure;
use gpclass_linalg::{Mat, Op, multiply_add, vector};

/// Rank-one changes collected before they are applied.
const BLOCK: usize = 32;

/// Sweeps from `start` until the residual meets the tolerance, the sweep limit or the end of progress. States on the
/// way may have improper cavities; the state returned has none.
pub(super) fn run(
    problem: Problem<'_>,
    start: &Sites,
    damping: f64,
    max_sweeps: usize,
    options: &EpOptions,
) -> Result<Attempt, Failure> {
    let none = Sites::none(problem.len());
    let mut damping = damping;
    let mut sites = start.clone();
    let mut factor = match problem.factorise(&sites.tau, None) {
        Err(failure) if failure.is_indefinite() => {
            sites = none.clone();
            problem.factorise(&sites.tau, None)?
        }
        factor => factor?,
    };
    let mut best: Option<State> = None;
    let mut record = f64::INFINITY;
    let mut since_progress = 0;
    let mut stopped = Some(Reason::SweepLimit);
    let mut sweeps = 0;
    while sweeps < max_sweeps {
        sweeps += 1;
        let (_, mu) = problem.site_means(&factor, &sites.nu);
        let after = sweep(problem, factor.covariance(), mu, sites.clone(), damping)?;
        let next = match problem.factorise(&after.tau, None) {
            // Rounding in a long chain of updates hid an improper posterior: take shorter steps.
            Err(failure) if failure.is_indefinite() => {
                damping *= 0.5;
                continue;
            }
            next => next?,
        };
        (sites, factor) = (after, next);
        let means = problem.site_means(&factor, &sites.nu);
        let state = match State::with_factor(problem, sites.tau.clone(), means, factor.clone()) {
            Err(failure) if failure.is_indefinite() => None,
            state => Some(state?),
        };
        let residual = state.as_ref().map_or(f64::INFINITY, |s| s.mismatch(problem.observations).residual());
        since_progress = if residual < PROGRESS * record { 0 } else { since_progress + 1 };
        if residual < record {
            (record, best) = (residual, state);
        }
        if residual <= options.tolerance {
            stopped = None;
            break;
        }
        if since_progress >= options.patience {
            stopped = Some(Reason::NoProgress);
            break;
        }
    }
    let state = best.map_or_else(|| State::at_sites(problem, &none), Ok)?;
    let mismatch = state.mismatch(problem.observations);
    Ok(Attempt { state, mismatch, sweeps, stopped })
}

/// One pass over all sites. Updates that would leave no proper posterior are passed over.
fn sweep(
    problem: Problem<'_>,
    mut sigma: Mat,
    mut mu: Vec<f64>,
    mut sites: Sites,
    damping: f64,
) -> Result<Sites, Failure> {
    let (n, observations) = (mu.len(), problem.observations);
    let mut var = sigma.diag();
    let mut pending = Pending::new(n);
    for i in 0..n {
        let c = observations.copies(i);
        let (tau, nu) = (sites.tau[i] / c, sites.nu[i] / c);
        let precision = 1.0 / var[i] - tau;
        if precision.is_nan() || precision <= 0.0 {
            continue;
        }
        let s = 1.0 / precision;
        let cavity = Gaussian { mean: s * (mu[i] / var[i] - nu), var: s }; // math 3
        let m = observations.moments(i, cavity);
        let goal = (-m.d2 / m.shrink, (m.d1 - m.d2 * cavity.mean) / m.shrink);
        let change = (c * damping * (goal.0 - tau), c * damping * (goal.1 - nu));
        let spread = 1.0 + change.0 * var[i];
        if !(spread > 0.0 && spread.is_finite() && change.1.is_finite()) {
            continue;
        }
        sites.tau[i] += change.0;
        sites.nu[i] += change.1;
        let column = pending.column(&sigma, i);
        let shift = (change.1 - change.0 * mu[i]) / spread;
        vector::add_scaled(&mut mu, shift, &column);
        let weight = change.0 / spread; // Sigma <- Sigma - weight * column columnᵀ
        var.iter_mut().zip(&column).for_each(|(v, c)| *v -= weight * c * c);
        pending.push(column, weight);
        if pending.weights.len() == BLOCK {
            problem.interrupt.check()?;
            pending.apply(&mut sigma);
        }
    }
    Ok(sites)
}

/// Rank-one changes `- w_k u_k u_kᵀ` not yet applied.
struct Pending {
    columns: Vec<f64>,
    weights: Vec<f64>,
    n: usize,
}

impl Pending {
    fn new(n: usize) -> Self {
        Pending { columns: Vec::with_capacity(n * BLOCK), weights: Vec::with_capacity(BLOCK), n }
    }

    /// Column `i` of the covariance with the changes.
    fn column(&self, sigma: &Mat, i: usize) -> Vec<f64> {
        let mut column = sigma.col(i).to_vec();
        for (u, w) in self.columns.chunks_exact(self.n).zip(&self.weights) {
            vector::add_scaled(&mut column, -w * u[i], u);
        }
        column
    }

    fn push(&mut self, column: Vec<f64>, weight: f64) {
        self.columns.extend(column);
        self.weights.push(weight);
    }

    fn apply(&mut self, sigma: &mut Mat) {
        let count = self.weights.len();
        let u = Mat::from_columns(self.n, count, std::mem::take(&mut self.columns));
        let mut weighted = u.clone();
        for (k, w) in self.weights.iter().enumerate() {
            weighted.col_mut(k).iter_mut().for_each(|v| *v *= -w);
        }
        multiply_add(sigma, 1.0, &weighted, Op::Plain, &u, Op::Transpose);
        self.weights.clear();
    }
}
