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
use crate::posterior::Posterior;
use crate::sites::Sites;
use gpclass_linalg::{Mat, NotPositiveDefinite};
use serde::{Deserialize, Serialize};
use two_level::{Attempt, Start};

/// Label errors of the continuation start below this and are lowered by this factor.
const CONTINUATION_START: f64 = 0.5;
const CONTINUATION_STEP: f64 = 0.4;
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
            tolerance: 1e-8,
            acceptable: 1e-6,
            max_sweeps: 200,
            max_inner: 8,
            damping: 0.7,
            patience: 25,
            fallback_rows: 1500,
        }
    }
}

/// Runs EP and, where it does not settle, the chain of fallbacks: label error lowered step by step to its value, then
/// sequentially with half steps. The attempt closest to a fixed point is returned, whatever it is.
pub(super) fn infer(
    k: &Mat,
    observations: &Observations<'_>,
    start: Option<&Sites>,
    options: &EpOptions,
) -> Result<Inferred, InferenceError> {
    with_jitter(k, |k, jitter| {
        let (attempt, sweeps) = attempt(k, observations, start, options)?;
        Ok(inferred(attempt, sweeps, jitter, observations, options))
    })
}

fn attempt(
    k: &Mat,
    observations: &Observations<'_>,
    start: Option<&Sites>,
    options: &EpOptions,
) -> Result<(Attempt, usize), NotPositiveDefinite> {
    let none = Sites::none(observations.len());
    let mut best = match options.schedule {
        Schedule::OnePass => sequential::run(k, observations, &none, 1.0, 1, options)?,
        Schedule::Sequential => {
            sequential::run(k, observations, start.unwrap_or(&none), 1.0, options.max_sweeps, options)?
        }
        Schedule::TwoLevel => {
            let from = start.map_or(Start::Cold, |s| Start::Warm(&s.tau, &s.nu));
            let damping = if observations.likelihood.is_log_concave() { 1.0 } else { options.damping };
            two_level::run(k, observations, from, damping, options)?
        }
    };
    let mut sweeps = best.sweeps;
    if options.schedule == Schedule::OnePass {
        return Ok((best, sweeps));
    }
    for fallback in [continuation, halved_sequential] {
        if best.settled(options) {
            break;
        }
        if let Some(next) = fallback(k, observations, &best, options)? {
            sweeps += next.sweeps;
            if next.look.residual() < best.look.residual() {
                best = next;
            }
        }
    }
    Ok((best, sweeps))
}

impl Attempt {
    fn settled(&self, options: &EpOptions) -> bool {
        self.stopped.is_none() || self.look.residual() <= options.acceptable
    }
}

/// Two-level EP from a large label error down to the given one, each step started from the last.
fn continuation(
    k: &Mat,
    observations: &Observations<'_>,
    _best: &Attempt,
    options: &EpOptions,
) -> Result<Option<Attempt>, NotPositiveDefinite> {
    let eps = observations.likelihood.eps();
    if eps <= 0.0 {
        return Ok(None);
    }
    let mut sites: Option<Sites> = None;
    let mut sweeps = 0;
    let mut label_error = CONTINUATION_START;
    loop {
        label_error = (label_error * CONTINUATION_STEP).max(eps);
        let likelihood = observations.likelihood.with_eps(label_error);
        let eased = Observations { likelihood: &likelihood, ..*observations };
        let from = sites.as_ref().map_or(Start::Cold, |s| Start::Warm(&s.tau, &s.nu));
        let mut attempt = two_level::run(k, &eased, from, CONTINUATION_DAMPING * options.damping, options)?;
        sweeps += attempt.sweeps;
        if label_error == eps {
            attempt.sweeps = sweeps;
            return Ok(Some(attempt));
        }
        sites = Some(Sites { nu: attempt.state.nu(), tau: attempt.state.tau });
    }
}

/// Sequential EP with half steps from the best sites so far.
fn halved_sequential(
    k: &Mat,
    observations: &Observations<'_>,
    best: &Attempt,
    options: &EpOptions,
) -> Result<Option<Attempt>, NotPositiveDefinite> {
    if observations.len() > options.fallback_rows {
        return Ok(None);
    }
    let sites = Sites { tau: best.state.tau.clone(), nu: best.state.nu() };
    sequential::run(k, observations, &sites, 0.5, options.max_sweeps, options).map(Some)
}

fn inferred(
    attempt: Attempt,
    sweeps: usize,
    jitter: f64,
    observations: &Observations<'_>,
    options: &EpOptions,
) -> Inferred {
    let outcome = match attempt.stopped {
        _ if options.schedule == Schedule::OnePass => Outcome::OnePass,
        _ if attempt.settled(options) => Outcome::Converged,
        reason => Outcome::NotConverged(reason.unwrap_or(Reason::NoProgress)),
    };
    let Attempt { state, look, .. } = attempt;
    let log_z = state.log_z(observations, &look);
    let sites = Sites { nu: state.nu(), tau: state.tau };
    let report = Report { outcome, sweeps, residual: look.residual(), jitter, negative_sites: sites.negative() };
    let posterior = Posterior::new(sites, state.b, state.mu, state.marginals, state.factor);
    Inferred { cavities: posterior.cavities(|i| observations.copies(i)), posterior, log_z, observation_var: 0.0, report }
}
