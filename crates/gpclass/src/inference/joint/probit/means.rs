//! The mean conditions, solved for given cavity variances (multiclass 3).

use super::state::{Mismatch, State, Step};
use crate::inference::ep::EpOptions;
use crate::inference::joint::ClassObservations;
use crate::posterior::Held;
use gpclass_linalg::Mat;

/// The mean conditions are solved to this share of the variance mismatch: more is wasted on wrong variances.
const INNER_SHARE: f64 = 1e-2;
/// Halvings of a mean step before it is given up.
const MAX_HALVINGS: usize = 10;
/// Mean steps for each that the options allow: beside the factorisations of all classes they cost little.
const MEAN_STEPS: usize = 3;
/// Mean steps are solved for to this share of their right-hand side: they are steps of a chord method.
const STEP_SHARE: f64 = 1e-4;

/// Solves the mean conditions at the state's cavity variances, as far as that is worth.
pub(super) fn settle<E: Held>(
    state: &mut State<E>,
    observations: &ClassObservations<'_>,
    options: &EpOptions,
) -> Mismatch {
    let mut mismatch = state.mismatch(observations);
    let floor = 1e-2 * options.tolerance * options.tolerance;
    for _ in 0..MEAN_STEPS * options.max_inner {
        if mismatch.mean_error <= floor.max(INNER_SHARE * mismatch.var_error) {
            break;
        }
        match mean_step(state, observations, &mismatch) {
            Some(better) => mismatch = better,
            None => break,
        }
    }
    mismatch
}

/// One chord-Newton step on the means, halved until the mismatch falls; `None` if it does not (multiclass 3).
fn mean_step<E: Held>(
    state: &mut State<E>,
    observations: &ClassObservations<'_>,
    mismatch: &Mismatch,
) -> Option<Mismatch> {
    let step = newton(state, observations, mismatch);
    let mut share = 1.0;
    for _ in 0..=MAX_HALVINGS {
        let (means, beta) = state.means.moved(observations, &state.beta, &step, share);
        let trial = state.mismatch_at(observations, &means.h, &beta);
        if trial.mean_error < mismatch.mean_error {
            (state.beta, state.means) = (beta, means);
            return Some(trial);
        }
        share *= 0.5;
    }
    None
}

/// `q = (1 + tau v) (d1 - beta)` taken as `nu_h`; the `alpha` of the row sites `nu` that belong to it is the step of `alpha`, and
/// `-alpha_c` that of `beta_c`. Nothing is divided by `tau`.
fn newton<E: Held>(state: &State<E>, observations: &ClassObservations<'_>, mismatch: &Mismatch) -> Step {
    let (n, count) = (state.tau.rows(), state.tau.cols());
    let q = Mat::from_fn(n, count, |i, c| match state.gap[(i, c)] {
        0.0 => 0.0,
        gap => mismatch.lacking[(i, c)] / gap,
    });
    let total = |i: usize, m: &Mat| (0..count).map(|c| m[(i, c)]).sum::<f64>();
    let hub: Vec<f64> = (0..n).map(|i| total(i, &q) / total(i, &state.tau).max(f64::MIN_POSITIVE)).collect();
    let nu = Mat::from_fn(n, count, |i, c| observations.copies(i) * (state.tau[(i, c)] * hub[i] - q[(i, c)]));
    let (alpha, mu) = state.factor.solve_to(STEP_SHARE, &nu);
    let beta = Mat::from_fn(n, count, |i, c| {
        let left_out = c == observations.own(i) || observations.copies(i) == 0.0;
        if left_out { 0.0 } else { -alpha[(i, c)] / observations.copies(i) }
    });
    Step { alpha, mu, beta }
}
