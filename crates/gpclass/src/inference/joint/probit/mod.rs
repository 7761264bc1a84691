//! Expectation propagation for several classes: the multinomial probit, with or without label error (multiclass 3, 6).

mod means;
mod rough;
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
use state::{Problem, State};

/// How closely posteriors for other label errors are found: they are only starting points.
const CLEAN_TOLERANCE: f64 = 0.1;
/// Sweeps of one attempt under label error. Those that settle later are few, and other attempts follow.
const ATTEMPT_SWEEPS: usize = 100;
/// Share of the usual step after a search with precisions kept from becoming negative.
const POLISH: f64 = 0.5;
/// Label errors of the continuation start below this share of all they could be and are lowered by this factor, or by a smaller one if
/// that took more than these steps, with this share of the usual damping.
const CONTINUATION_START: f64 = 0.5;
const CONTINUATION_STEP: f64 = 0.4;
const CONTINUATION_STEPS: f64 = 8.0;
const CONTINUATION_DAMPING: f64 = 0.7;

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

/// Precisions that turn negative can keep the search from settling. One with precisions kept from that then comes next, as a start for
/// another without limits, and after that one whose label error falls step by step. Where none of them settles, the posterior with
/// precisions kept from turning negative is the one to predict from, and no fixed point (multiclass 6). All sweeps are counted.
fn with_label_error(problem: Problem<'_>, start: Option<&PairSites>, options: &EpOptions) -> Result<Attempt, Failure> {
    let options = &EpOptions { max_sweeps: options.max_sweeps.min(ATTEMPT_SWEEPS), ..options.clone() };
    let settled = |attempt: &Attempt| attempt.outcome(problem, options).converged();
    let clean;
    let (start, mut sweeps) = match start {
        Some(start) => (start, 0),
        None => {
            let attempt = at_label_error(problem, 0.0, None, 1.0, CLEAN_TOLERANCE, options)?;
            clean = PairSites::of(&attempt.state);
            (&clean, attempt.sweeps)
        }
    };
    let first = run(problem, Some(start), options.damping, options)?;
    sweeps += first.sweeps;
    if settled(&first) {
        return Ok(Attempt { sweeps, ..first });
    }
    drop(first);
    let attempt = run(Problem { clamped: true, ..problem }, Some(start), options.damping, options)?;
    let clamped = PairSites::of(&attempt.state);
    sweeps += attempt.sweeps;
    drop(attempt);
    let polished = run(problem, Some(&clamped), POLISH * options.damping, options)?;
    sweeps += polished.sweeps;
    if settled(&polished) {
        return Ok(Attempt { sweeps, ..polished });
    }
    drop(polished);
    let continued = continuation(problem, start, options)?;
    sweeps += continued.sweeps;
    if settled(&continued) {
        return Ok(Attempt { sweeps, ..continued });
    }
    let Attempt { state: State { factor, .. }, stopped, .. } = continued;
    let state = State::new(problem, clamped, Some(factor), false)?;
    let mismatch = state.mismatch(problem.observations);
    Ok(Attempt { state, mismatch, sweeps: sweeps + 1, stopped })
}

/// A search under another label error.
fn at_label_error(
    problem: Problem<'_>,
    label_error: f64,
    start: Option<&PairSites>,
    damping: f64,
    tolerance: f64,
    options: &EpOptions,
) -> Result<Attempt, Failure> {
    let observations = ClassObservations { link: Link::Probit { label_error }, ..*problem.observations };
    let options = EpOptions { tolerance: options.tolerance.max(tolerance), ..options.clone() };
    run(Problem { observations: &observations, ..problem }, start, damping, &options)
}

/// From a large label error down to the given one, each step started from the last.
fn continuation(problem: Problem<'_>, start: &PairSites, options: &EpOptions) -> Result<Attempt, Failure> {
    let wanted = problem.observations.link.label_error();
    let damping = CONTINUATION_DAMPING * options.damping;
    let first = CONTINUATION_START / problem.observations.count as f64;
    let step = CONTINUATION_STEP.min((wanted / first).powf(1.0 / CONTINUATION_STEPS));
    let (mut label_error, mut sites, mut sweeps) = (first, start.clone(), 0);
    loop {
        label_error = (step * label_error).max(wanted);
        let tolerance = if label_error == wanted { 0.0 } else { CLEAN_TOLERANCE };
        let attempt = at_label_error(problem, label_error, Some(&sites), damping, tolerance, options)?;
        sweeps += attempt.sweeps;
        if label_error == wanted {
            return Ok(Attempt { sweeps, ..attempt });
        }
        sites = PairSites::of(&attempt.state);
    }
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
