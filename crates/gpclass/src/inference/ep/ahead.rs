//! A step of all sites to where they would match if the cavity variances followed the precisions to first order.
//!
//! A sweep forgets that every precision it moves changes the cavities of the other rows, and leaves some hundredths of the mismatch. The
//! squared covariances that say how they change cost half a factorisation in single precision and leave about its square.

use super::state::{Mismatch, Solver, State, matching_tau};
use crate::inference::problem::Problem;
use crate::likelihood::{Gaussian, Moments};
use gpclass_linalg::vector;

/// Fewer rows than this are swept over quickly enough as it is.
const ROWS: usize = 300;
/// Largest residual from which such a step is worth its cost: beyond, first order says too little.
const WORTHWHILE: f64 = 1.0;
/// About what it leaves of the square of a residual.
pub(super) const LEFT_OF_SQUARE: f64 = 0.02;
/// Rounds of matching all precisions and one step of all means.
const MOST_ROUNDS: usize = 6;

/// Precisions and `b`.
pub(super) type Sites = (Vec<f64>, Vec<f64>);

/// Where the sites of `state` would match; `None` where the first order does not tell.
pub(super) fn ahead<F: Solver>(
    state: &State<F>,
    problem: Problem<'_>,
    mismatch: &Mismatch,
    tolerance: f64,
) -> Option<Sites> {
    let (observations, residual) = (problem.observations, mismatch.residual());
    if problem.len() < ROWS || residual.is_nan() || residual > WORTHWHILE || !observations.likelihood.is_log_concave() {
        return None;
    }
    let trend = state.factor.trend(&state.marginals)?;
    // The next round would change a few hundredths of what the last one did.
    let enough = tolerance.max(LEFT_OF_SQUARE * residual * residual);
    let (mut b, mut mu) = (state.b.clone(), state.mu.clone());
    let mut tau = state.matching_tau(observations, mismatch);
    for _ in 0..MOST_ROUNDS {
        let whole = trend.at(&tau)?;
        let cavities: Vec<(f64, f64)> = (0..b.len())
            .map(|i| {
                // v = s / (1 + tau s) of the whole site; one of c copies leaves 1 - tau v / c of the precision.
                let (c, v) = (observations.copies(i), whole[i] / (1.0 + tau[i] * whole[i]));
                let gap = if c == 1.0 { 1.0 / (1.0 + tau[i] * whole[i]) } else { 1.0 - tau[i] * v / c };
                (v / gap, gap)
            })
            .collect();
        let moments_at = |b: &[f64], mu: &[f64]| -> Vec<Moments> {
            let mean = |i: usize| mu[i] - cavities[i].0 * b[i] / observations.copies(i);
            (0..b.len()).map(|i| observations.moments(i, Gaussian { mean: mean(i), var: cavities[i].0 })).collect()
        };
        let lacking = moments_at(&b, &mu);
        let lacking = (0..b.len()).map(|i| (observations.copies(i) * lacking[i].d1 - b[i]) / cavities[i].1);
        let db = state.factor.solve_site(&lacking.collect::<Vec<f64>>());
        vector::add_scaled(&mut mu, 1.0, &problem.prior.times(&db));
        vector::add_scaled(&mut b, 1.0, &db);
        let next = matching_tau(observations, &moments_at(&b, &mu));
        if next.iter().any(|t| *t <= 0.0 || !t.is_finite()) {
            return None;
        }
        // As the residual counts them: half the relative change of a variance by its own site, for each of its copies.
        let change = |i: usize| (next[i] - tau[i]) * cavities[i].0 * cavities[i].1 / 2.0;
        let changed = (0..b.len()).map(|i| change(i) * change(i) / observations.copies(i)).sum::<f64>().sqrt();
        tau = next;
        if changed <= enough {
            return Some((tau, b));
        }
    }
    Some((tau, b))
}
