//! Expectation propagation for several classes: the multinomial probit, with or without label error (multiclass 3, 6).

mod rows;
mod search;
mod state;

pub use search::PairSites;

use super::{ClassObservations, JointInferred, JointStart};
use crate::inference::ep::EpOptions;
use crate::inference::outcome::Acceptable;
use crate::inference::problem::JITTER;
use crate::inference::{InferenceError, Outcome, Report};
use crate::interrupt::Interrupt;
use crate::likelihood::Link;
use crate::posterior::FunctionPriors;
use crate::prior::Failure;
use gpclass_linalg::Mat;
use search::{Attempt, Search};
use state::Problem;

/// How closely the posterior without label error is found where it is only a start.
const CLEAN_TOLERANCE: f64 = 0.1;
/// Share of the usual step after a search with precisions kept from becoming negative.
const POLISH: f64 = 0.5;

/// Runs EP: from `start` where there is one, else from the prior or, with label error, from the posterior without it.
pub(super) fn infer(
    prior: FunctionPriors,
    observations: &ClassObservations<'_>,
    start: Option<&PairSites>,
    options: &EpOptions,
    interrupt: Interrupt<'_>,
) -> Result<JointInferred, InferenceError> {
    let search = |prior: &FunctionPriors| {
        let problem = Problem { prior, observations, interrupt, clamped: false };
        let attempt = match observations.link.label_error() {
            0.0 => run(problem, start, 1.0, options),
            _ => with_label_error(problem, start, options),
        }?;
        Ok(inferred(problem, attempt, options))
    };
    Ok(prior.with_least_jitter(&JITTER, search)?)
}

fn run(problem: Problem<'_>, start: Option<&PairSites>, damping: f64, options: &EpOptions) -> Result<Attempt, Failure> {
    Search { problem, options }.run(start, damping)
}

/// Precisions that turn negative can keep the search from settling. One with precisions kept from that then comes first, as a start for
/// another without limits; where that does not settle either, its posterior is the one to predict from, and no fixed point
/// (multiclass 6). All sweeps are counted.
fn with_label_error(problem: Problem<'_>, start: Option<&PairSites>, options: &EpOptions) -> Result<Attempt, Failure> {
    let clean;
    let (start, mut sweeps) = match start {
        Some(start) => (start, 0),
        None => {
            let without = ClassObservations { link: Link::Probit { label_error: 0.0 }, ..*problem.observations };
            let problem = Problem { observations: &without, ..problem };
            let tolerance = options.tolerance.max(CLEAN_TOLERANCE);
            let attempt = run(problem, None, 1.0, &EpOptions { tolerance, ..options.clone() })?;
            clean = PairSites::of(&attempt.state);
            (&clean, attempt.sweeps)
        }
    };
    let first = run(problem, Some(start), options.damping, options)?;
    sweeps += first.sweeps;
    if first.outcome(problem, options).converged() {
        return Ok(Attempt { sweeps, ..first });
    }
    let clamped = run(Problem { clamped: true, ..problem }, Some(start), options.damping, options)?;
    let polished = run(problem, Some(&PairSites::of(&clamped.state)), POLISH * options.damping, options)?;
    sweeps += clamped.sweeps + polished.sweeps;
    if polished.outcome(problem, options).converged() {
        return Ok(Attempt { sweeps, ..polished });
    }
    let state = clamped.state.released();
    let mismatch = state.mismatch(problem.observations);
    Ok(Attempt { state, mismatch, sweeps, ..polished })
}

impl Attempt {
    /// Whether the residual is as small as asked, or as small as can be and small enough.
    fn outcome(&self, problem: Problem<'_>, options: &EpOptions) -> Outcome {
        let Some(stopped) = self.stopped else { return Outcome::Converged };
        let acceptable = Acceptable { plain: options.acceptable, rounded: options.acceptable_rounded };
        let rounding = || self.state.rounding(problem.prior, problem.observations);
        acceptable.judge(self.mismatch.residual(), rounding, stopped)
    }
}

fn inferred(problem: Problem<'_>, attempt: Attempt, options: &EpOptions) -> JointInferred {
    let outcome = attempt.outcome(problem, options);
    let Attempt { state, mismatch, sweeps, .. } = attempt;
    let Problem { prior, observations, .. } = problem;
    let (n, count) = (observations.len(), observations.count);
    let log_z = state.log_z(observations, &mismatch);
    let by_label_error = (0..n)
        .filter(|&i| observations.copies(i) > 0.0)
        .map(|i| {
            let (c, rho) = (count as f64, observations.link.label_error());
            // (1 - C Π Phi) / (rho + (1 - C rho) Π Phi)
            let product = mismatch.terms.row(i).log_product.exp();
            observations.copies(i) * (1.0 - c * product) / (rho + (1.0 - c * rho) * product)
        })
        .sum();
    let negative_sites = state.tau.as_slice().iter().filter(|&&t| t < 0.0).count();
    let pi = Mat::from_fn(n, count, |i, c| observations.copies(i) * state.tau[(i, c)]);
    let mut nu = state.factor.site_times(&state.means.mu);
    nu.as_mut_slice().iter_mut().zip(state.means.alpha.as_slice()).for_each(|(nu, alpha)| *nu += alpha);
    JointInferred {
        pi,
        nu,
        alpha: state.means.alpha,
        mean: state.means.mu,
        start: JointStart::Sites(PairSites { tau: state.tau, beta: state.beta }),
        factor: state.factor.lean(),
        log_z,
        by_label_error,
        report: Report { outcome, sweeps, residual: mismatch.residual(), jitter: prior.jitter(), negative_sites },
    }
}
