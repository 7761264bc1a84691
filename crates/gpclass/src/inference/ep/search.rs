//! The search for a fixed point: an attempt, and others where it does not settle.

use super::options::{EpOptions, Schedule};
use super::sequential;
use super::state::{Mismatch, State};
use super::two_level::{self, Attempt, Start};
use crate::inference::outcome::Acceptable;
use crate::inference::problem::{Known, Problem};
use crate::inference::{InferenceError, Inferred, Observations, Outcome, Report};
use crate::param::{Param, Role};
use crate::posterior::{Posterior, Sites};
use crate::prior::{Failure, Prior};

/// Label errors of the continuation start below this and are lowered by this factor.
const CONTINUATION_START: f64 = 0.5;
const CONTINUATION_STEP: f64 = 0.4;
/// How closely posteriors for other label errors are found: they are only starting points.
const CLEAN_TOLERANCE: f64 = 0.1;
/// Share of the usual step in a continuation.
const CONTINUATION_DAMPING: f64 = 0.7;

/// Runs EP and, where it does not settle, the chain of fallbacks: with inducing rows from the posterior without label error,
/// sequential with full steps, label error lowered step by step to its value, sequential with half steps. The attempt closest
/// to a fixed point is returned, whatever it is.
pub(in crate::inference) fn infer(
    prior: Prior,
    known: Known<'_>,
    start: Option<&Sites>,
    options: &EpOptions,
) -> Result<Inferred, InferenceError> {
    known.search(prior, |problem| {
        let search = Search { problem, options };
        let (attempt, sweeps) = search.run(start)?;
        Ok(search.inferred(attempt, sweeps))
    })
}

/// The posterior of given sites, with the evidence formula evaluated there.
pub(in crate::inference) fn at_sites(
    prior: Prior,
    known: Known<'_>,
    sites: &Sites,
) -> Result<Inferred, InferenceError> {
    known.search(prior, |problem| {
        let state = State::at_sites(problem, sites)?;
        let mismatch = state.mismatch(problem.observations);
        Ok(posterior_of(problem, state, &mismatch, Outcome::GivenSites, 1))
    })
}

#[derive(Clone, Copy)]
struct Search<'a> {
    problem: Problem<'a>,
    options: &'a EpOptions,
}

impl Search<'_> {
    /// The best attempt, and the sweeps of all of them.
    fn run(self, start: Option<&Sites>) -> Result<(Attempt, usize), Failure> {
        let none = Sites::none(self.problem.observations.len());
        let mut best = match self.options.schedule {
            Schedule::OnePass => {
                let pass = self.sequential(&none, 1.0, 1)?;
                let sweeps = pass.sweeps;
                return Ok((pass, sweeps));
            }
            Schedule::Sequential => self.sequential(start.unwrap_or(&none), 1.0, self.options.max_sweeps)?,
            Schedule::TwoLevel => self.two_level(start)?,
        };
        let mut sweeps = best.sweeps;
        for fallback in [Self::cleared_start, Self::full_steps, Self::continuation, Self::half_steps] {
            if best.outcome(self.problem.prior, self.options).converged() {
                break;
            }
            if let Some(next) = fallback(self, &best)? {
                sweeps += next.sweeps;
                if next.mismatch.residual() < best.mismatch.residual() {
                    best = next;
                }
            }
        }
        Ok((best, sweeps))
    }

    /// Two-level EP. With a label error and nothing to start from it starts from the posterior without label error,
    /// which is unique: a fixed point near that one is the one wanted where there are several.
    fn two_level(self, start: Option<&Sites>) -> Result<Attempt, Failure> {
        if self.problem.observations.likelihood.is_log_concave() {
            return two_level::run(self.problem, start.map_or(Start::Cold, Start::Warm), 1.0, self.options);
        }
        match start {
            Some(sites) => self.damped(Start::Warm(sites)),
            None if self.problem.prior.as_sparse().is_some() => self.damped(Start::Sweep),
            None => self.after_clean(),
        }
    }

    fn after_clean(self) -> Result<Attempt, Failure> {
        let clean = self.with_label_errors(|_| 0.0, CLEAN_TOLERANCE, Start::Cold, 1.0)?;
        let mut attempt = self.damped(Start::Warm(&clean.state.sites()))?;
        attempt.sweeps += clean.sweeps;
        Ok(attempt)
    }

    fn damped(self, start: Start<'_>) -> Result<Attempt, Failure> {
        two_level::run(self.problem, start, self.options.damping, self.options)
    }

    /// With inducing rows the start without label error is the second choice.
    fn cleared_start(self, _: &Attempt) -> Result<Option<Attempt>, Failure> {
        let open = self.problem.prior.as_sparse().is_some() && !self.problem.observations.likelihood.is_log_concave();
        open.then(|| self.after_clean()).transpose()
    }

    /// Two-level EP for other label errors, as they follow from the given ones.
    fn with_label_errors(
        self,
        other: impl Fn(f64) -> f64,
        tolerance: f64,
        start: Start<'_>,
        damping: f64,
    ) -> Result<Attempt, Failure> {
        let value = |p: Param| if matches!(p.role, Role::LabelError(_)) { other(p.value) } else { p.value };
        let values: Vec<f64> = self.problem.observations.likelihood.params().into_iter().map(value).collect();
        let mut likelihood = self.problem.observations.likelihood.clone();
        likelihood.set_values(&values);
        let observations = Observations { likelihood: &likelihood, ..*self.problem.observations };
        let options = EpOptions { tolerance, ..self.options.clone() };
        let problem = Problem { observations: &observations, ..self.problem };
        two_level::run(problem, start, damping, &options)
    }

    /// From a large label error down to the given one, or to the given ones of the classes, each step started from the last.
    fn continuation(self, _: &Attempt) -> Result<Option<Attempt>, Failure> {
        let params = self.problem.observations.likelihood.params();
        let given = params.iter().filter(|p| matches!(p.role, Role::LabelError(_)) && p.value > 0.0).map(|p| p.value);
        let Some(eps) = given.reduce(f64::min) else { return Ok(None) };
        let damping = CONTINUATION_DAMPING * self.options.damping;
        let mut sites: Option<Sites> = None;
        let mut sweeps = 0;
        let mut label_error = CONTINUATION_START;
        loop {
            label_error = (label_error * CONTINUATION_STEP).max(eps);
            let last = label_error == eps;
            let tolerance = if last { self.options.tolerance } else { CLEAN_TOLERANCE };
            let from = sites.as_ref().map_or(Start::Cold, Start::Warm);
            let raised = |own: f64| if own > 0.0 { own.max(label_error) } else { own };
            let mut attempt = self.with_label_errors(raised, tolerance, from, damping)?;
            sweeps += attempt.sweeps;
            if last {
                attempt.sweeps = sweeps;
                return Ok(Some(attempt));
            }
            sites = Some(attempt.state.sites());
        }
    }

    fn full_steps(self, _: &Attempt) -> Result<Option<Attempt>, Failure> {
        self.fallback_sequential(&Sites::none(self.problem.observations.len()), 1.0)
    }

    fn half_steps(self, best: &Attempt) -> Result<Option<Attempt>, Failure> {
        self.fallback_sequential(&best.state.sites(), 0.5)
    }

    fn fallback_sequential(self, start: &Sites, damping: f64) -> Result<Option<Attempt>, Failure> {
        let affordable = self.problem.observations.len() <= self.options.fallback_rows;
        affordable.then(|| self.sequential(start, damping, self.options.max_sweeps)).transpose()
    }

    fn sequential(self, start: &Sites, damping: f64, max_sweeps: usize) -> Result<Attempt, Failure> {
        sequential::run(self.problem, start, damping, max_sweeps, self.options)
    }

    fn inferred(self, attempt: Attempt, sweeps: usize) -> Inferred {
        let outcome = match self.options.schedule {
            Schedule::OnePass => Outcome::OnePass,
            Schedule::TwoLevel | Schedule::Sequential => attempt.outcome(self.problem.prior, self.options),
        };
        posterior_of(self.problem, attempt.state, &attempt.mismatch, outcome, sweeps)
    }
}

impl Attempt {
    /// Whether the residual is as small as asked, or as small as can be and small enough.
    fn outcome(&self, prior: &Prior, options: &EpOptions) -> Outcome {
        let Some(stopped) = self.stopped else { return Outcome::Converged };
        let acceptable = Acceptable { plain: options.acceptable, rounded: options.acceptable_rounded };
        acceptable.judge(self.mismatch.residual(), || self.state.rounding(prior), stopped)
    }
}

fn posterior_of(problem: Problem<'_>, state: State, mismatch: &Mismatch, outcome: Outcome, sweeps: usize) -> Inferred {
    let observations = problem.observations;
    let log_z = state.log_z(observations, mismatch);
    let sites = state.sites();
    let (residual, jitter) = (mismatch.residual(), problem.prior.jitter());
    let report = Report { outcome, sweeps, residual, jitter, negative_sites: sites.negative() };
    let posterior = Posterior::new(sites, state.b, state.mu, state.marginals, state.factor);
    let cavities = posterior.cavities(|i| observations.copies(i));
    Inferred { cavities, posterior, log_z, observation_var: 0.0, report }
}
