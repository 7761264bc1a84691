//! Expectation propagation.
//!
//! One algorithm with three schedules. The state is the total site precisions `tau` and `b = nu - tau mu` (which is
//! `alpha = K⁻¹ mu`), so that the posterior mean is `mu = K b` for any `b`. With `c` tied copies of a row (`c = 1`
//! unless it is weighted), `v = Sigma_ii`, the cavity of one copy is
//!
//! ```text
//! s = v / gap,   gap = 1 - tau v / c,   m = mu - s b / c
//! ```
//!
//! and EP's conditions are `b = c d1(m, s)` for the means and `tau = -c d2 / (1 + d2 s)` for the precisions. The
//! evidence of math 3, written in these, needs no difference of large numbers:
//!
//! ```text
//! log Z = sum_i c_i [log Z_i - ½ log gap_i] + ½ sum_i s_i b_i² / c_i - ½ bᵀ mu - ½ log |I + K T|
//! ```

mod sequential;
mod state;
mod two_level;

use super::{InferenceError, Inferred, Observations, Outcome, Reason, Report, with_jitter};
use crate::param::{Param, Role};
use crate::posterior::Posterior;
use crate::sites::Sites;
use gpclass_linalg::{Mat, NotPositiveDefinite};
use serde::{Deserialize, Serialize};
use state::{Look, State};
use two_level::{Attempt, Start};

/// Label errors of the continuation start below this and are lowered by this factor.
const CONTINUATION_START: f64 = 0.5;
const CONTINUATION_STEP: f64 = 0.4;
/// How closely posteriors for other label errors are found: they are only starting points.
const CLEAN_TOLERANCE: f64 = 0.1;
/// Share of the usual step in a continuation.
const CONTINUATION_DAMPING: f64 = 0.7;

/// The order in which sites are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// All variances at once, then the means solved for those variances. The fastest.
    #[default]
    TwoLevel,
    /// One site at a time, the posterior updated after each: the textbook form.
    Sequential,
    /// One sequential pass and no more: assumed-density filtering (EMEP section 3).
    OnePass,
}

/// Limits and tolerances of EP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EpOptions {
    pub schedule: Schedule,
    /// Stop when the residual ([`Report::residual`]) falls below this. The error of log Z is of the order of its square.
    pub tolerance: f64,
    /// A search that stops improving above `tolerance` still counts as converged below this: rounding allows no more.
    pub acceptable: f64,
    /// As `acceptable`, where the rounding of the covariance matrix accounts for the whole residual.
    pub acceptable_rounded: f64,
    /// Sweeps of one attempt.
    pub max_sweeps: usize,
    /// Mean-field steps per sweep (two-level only).
    pub max_inner: usize,
    /// Share of a full step taken at first where the likelihood is not log-concave.
    pub damping: f64,
    /// Sweeps without progress before an attempt is given up.
    pub patience: usize,
    /// Up to this many rows the sequential schedule is tried when the two-level one fails.
    pub fallback_rows: usize,
}

impl Default for EpOptions {
    fn default() -> Self {
        EpOptions {
            schedule: Schedule::TwoLevel,
            tolerance: 1e-7,
            acceptable: 1e-6,
            acceptable_rounded: 1e-3,
            max_sweeps: 200,
            max_inner: 4,
            damping: 0.7,
            patience: 25,
            fallback_rows: 1500,
        }
    }
}

/// Runs EP and, where it does not settle, the chain of fallbacks: sequential with full steps, label error lowered step
/// by step to its value, sequential with half steps. The attempt closest to a fixed point is returned, whatever it is.
pub(super) fn infer(
    k: &Mat,
    observations: &Observations<'_>,
    start: Option<&Sites>,
    options: &EpOptions,
) -> Result<Inferred, InferenceError> {
    with_jitter(k, |k, jitter| {
        let search = Search { k, observations, options };
        let (attempt, sweeps) = search.run(start)?;
        Ok(search.inferred(attempt, sweeps, jitter))
    })
}

/// The posterior of given sites, with the evidence formula evaluated there.
pub(super) fn at_sites(
    k: &Mat,
    observations: &Observations<'_>,
    sites: &Sites,
    jitter: f64,
) -> Result<Inferred, NotPositiveDefinite> {
    let state = State::at_sites(k, observations, sites)?;
    let look = state.look(observations);
    Ok(posterior_of(state, &look, Outcome::GivenSites, 1, jitter, observations))
}

#[derive(Clone, Copy)]
struct Search<'a> {
    k: &'a Mat,
    observations: &'a Observations<'a>,
    options: &'a EpOptions,
}

impl Search<'_> {
    /// The best attempt, and the sweeps of all of them.
    fn run(self, start: Option<&Sites>) -> Result<(Attempt, usize), NotPositiveDefinite> {
        let none = Sites::none(self.observations.len());
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
        for fallback in [Self::full_steps, Self::continuation, Self::half_steps] {
            if best.settled(self.k, self.options) {
                break;
            }
            if let Some(next) = fallback(self, &best)? {
                sweeps += next.sweeps;
                if next.look.residual() < best.look.residual() {
                    best = next;
                }
            }
        }
        Ok((best, sweeps))
    }

    /// Two-level EP. With a label error and nothing to start from it starts from the posterior without label error,
    /// which is unique: a fixed point near that one is the one wanted where there are several.
    fn two_level(self, start: Option<&Sites>) -> Result<Attempt, NotPositiveDefinite> {
        if self.observations.likelihood.is_log_concave() {
            return two_level::run(
                self.k,
                self.observations,
                start.map_or(Start::Cold, Start::Warm),
                1.0,
                self.options,
            );
        }
        let clean = match start {
            Some(_) => None,
            None => Some(self.with_label_error(0.0, CLEAN_TOLERANCE, Start::Cold, 1.0)?),
        };
        let sites = clean.as_ref().map(|attempt| attempt.state.sites());
        let from = start.or(sites.as_ref()).map_or(Start::Cold, Start::Warm);
        let mut attempt = two_level::run(self.k, self.observations, from, self.options.damping, self.options)?;
        attempt.sweeps += clean.map_or(0, |c| c.sweeps);
        Ok(attempt)
    }

    /// Two-level EP for another label error.
    fn with_label_error(
        self,
        eps: f64,
        tolerance: f64,
        start: Start<'_>,
        damping: f64,
    ) -> Result<Attempt, NotPositiveDefinite> {
        let value = |p: Param| if p.role == Role::LabelError { eps } else { p.value };
        let values: Vec<f64> = self.observations.likelihood.params().into_iter().map(value).collect();
        let mut likelihood = self.observations.likelihood.clone();
        likelihood.set_values(&values);
        let observations = Observations { likelihood: &likelihood, ..*self.observations };
        let options = EpOptions { tolerance, ..self.options.clone() };
        two_level::run(self.k, &observations, start, damping, &options)
    }

    /// From a large label error down to the given one, each step started from the last.
    fn continuation(self, _: &Attempt) -> Result<Option<Attempt>, NotPositiveDefinite> {
        let eps = self.observations.likelihood.eps();
        if eps <= 0.0 {
            return Ok(None);
        }
        let damping = CONTINUATION_DAMPING * self.options.damping;
        let mut sites: Option<Sites> = None;
        let mut sweeps = 0;
        let mut label_error = CONTINUATION_START;
        loop {
            label_error = (label_error * CONTINUATION_STEP).max(eps);
            let last = label_error == eps;
            let tolerance = if last { self.options.tolerance } else { CLEAN_TOLERANCE };
            let from = sites.as_ref().map_or(Start::Cold, Start::Warm);
            let mut attempt = self.with_label_error(label_error, tolerance, from, damping)?;
            sweeps += attempt.sweeps;
            if last {
                attempt.sweeps = sweeps;
                return Ok(Some(attempt));
            }
            sites = Some(attempt.state.sites());
        }
    }

    fn full_steps(self, _: &Attempt) -> Result<Option<Attempt>, NotPositiveDefinite> {
        self.fallback_sequential(&Sites::none(self.observations.len()), 1.0)
    }

    fn half_steps(self, best: &Attempt) -> Result<Option<Attempt>, NotPositiveDefinite> {
        self.fallback_sequential(&best.state.sites(), 0.5)
    }

    fn fallback_sequential(self, start: &Sites, damping: f64) -> Result<Option<Attempt>, NotPositiveDefinite> {
        let affordable = self.observations.len() <= self.options.fallback_rows;
        affordable.then(|| self.sequential(start, damping, self.options.max_sweeps)).transpose()
    }

    fn sequential(self, start: &Sites, damping: f64, max_sweeps: usize) -> Result<Attempt, NotPositiveDefinite> {
        sequential::run(self.k, self.observations, start, damping, max_sweeps, self.options)
    }

    fn inferred(self, attempt: Attempt, sweeps: usize, jitter: f64) -> Inferred {
        let observations = self.observations;
        let outcome = match attempt.stopped {
            _ if self.options.schedule == Schedule::OnePass => Outcome::OnePass,
            _ if attempt.settled(self.k, self.options) => Outcome::Converged,
            _ if attempt.is_rounding(self.k) => Outcome::NotConverged(Reason::Rounding),
            reason => Outcome::NotConverged(reason.unwrap_or(Reason::NoProgress)),
        };
        posterior_of(attempt.state, &attempt.look, outcome, sweeps, jitter, observations)
    }
}

impl Attempt {
    /// Whether the residual is as small as asked, or as small as can be and small enough.
    fn settled(&self, k: &Mat, options: &EpOptions) -> bool {
        let residual = self.look.residual();
        self.stopped.is_none()
            || residual <= options.acceptable
            || residual <= options.acceptable_rounded && self.is_rounding(k)
    }

    fn is_rounding(&self, k: &Mat) -> bool {
        self.look.residual() <= self.state.rounding(k)
    }
}

fn posterior_of(
    state: State,
    look: &Look,
    outcome: Outcome,
    sweeps: usize,
    jitter: f64,
    observations: &Observations<'_>,
) -> Inferred {
    let log_z = state.log_z(observations, look);
    let sites = state.sites();
    let report = Report { outcome, sweeps, residual: look.residual(), jitter, negative_sites: sites.negative() };
    let posterior = Posterior::new(sites, state.b, state.mu, state.marginals, state.factor);
    let cavities = posterior.cavities(|i| observations.copies(i));
    Inferred { cavities, posterior, log_z, observation_var: 0.0, report }
}
