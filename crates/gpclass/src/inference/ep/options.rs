//! Options of expectation propagation.

use serde::{Deserialize, Serialize};

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
    /// In files it is part of the method's name.
    #[serde(skip_serializing)]
    pub schedule: Schedule,
    /// Stop when the residual ([`Report::residual`](crate::inference::Report::residual)) falls below this. The error of log Z is of the order of its square,
    /// that of probabilities and of the gradient, relative, of its own: where convergence is slow, as under label error, up to three times
    /// as large, else a fraction of it.
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

impl EpOptions {
    /// The tolerance of those who compare every number of a posterior with another program's.
    pub const FULL_PRECISION: f64 = 1e-10;
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
