//! Options of Laplace's method.

use serde::{Deserialize, Serialize};

/// Limits and tolerances of Laplace's method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaplaceOptions {
    /// Stop when the Newton decrement, the distance from the mode in posterior standard deviations, falls below this.
    pub tolerance: f64,
    /// A search that rounding stops above `tolerance` still counts as converged below this.
    pub acceptable: f64,
    /// As `acceptable`, where the rounding of the covariance matrix accounts for the whole residual.
    pub acceptable_rounded: f64,
    /// Factorisations.
    pub max_sweeps: usize,
    /// Steps per factorisation.
    pub max_inner: usize,
    /// For several classes: average the softmax over the posterior instead of taking it at the mean. The average is the
    /// Bayesian one but under-confident, because the Gaussian at the mode is too wide (multiclass 8).
    pub averaged: bool,
}

impl Default for LaplaceOptions {
    fn default() -> Self {
        LaplaceOptions {
            tolerance: 1e-10,
            acceptable: 1e-6,
            acceptable_rounded: 1e-3,
            max_sweeps: 100,
            max_inner: 8,
            averaged: false,
        }
    }
}
