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

/// Runs EP: from `start` where there is one, else from the prior. With label error the posterior without it is the start, and
/// where precisions that turn negative keep the search from settling, one with precisions kept from it comes first.
pub(super) fn infer(
    prior: FunctionPriors,
    observations: &ClassObservations<'_>,
    start: Option<&PairSites>,
    options: &EpOptions,
    interrupt: Interrupt<'_>,
) -> Result<JointInferred, InferenceError> {
    let search = |prior: &FunctionPriors| run(Problem { prior, observations, interrupt }, start, options);
    Ok(prior.with_least_jitter(&JITTER, search)?)
}

fn run(problem: Problem<'_>, start: Option<&PairSites>, options: &EpOptions) -> Result<JointInferred, Failure> {
    let search = |clamped| Search { problem, options, clamped };
    let finish = |attempt, sweeps| Ok(inferred(problem, attempt, options, sweeps));
    let observations = problem.observations;
    if observations.link.label_error() == 0.0 {
        let attempt = search(false).run(start, 1.0)?;
        let sweeps = attempt.sweeps;
        return finish(attempt, sweeps);
    }
    let clean;
    let (start, mut sweeps) = match start {
        Some(start) => (start, 0),
        None => {
            let without = ClassObservations { link: Link::Probit { label_error: 0.0 }, ..*observations };
            let problem = Problem { observations: &without, ..problem };
            let attempt = Search { problem, options, clamped: false }.run(None, 1.0)?;
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
    let from = PairSites::of(&clamped.state);
    let polished = search(false).run(Some(&from), 0.5 * options.damping)?;
    sweeps += polished.sweeps;
    let best = if polished.stopped.is_none() || polished.mismatch.residual() < first.mismatch.residual() {
        polished
    } else {
        first
    };
    finish(best, sweeps)
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

fn inferred(problem: Problem<'_>, attempt: Attempt, options: &EpOptions, sweeps: usize) -> JointInferred {
    let outcome = attempt.outcome(problem, options);
    let Attempt { state, mismatch, .. } = attempt;
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
