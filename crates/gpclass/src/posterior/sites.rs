//! Gaussian sites: what every inference method ends in.

use serde::{Deserialize, Serialize};

/// One Gaussian factor per training row, `t_i(f) ∝ exp(-tau_i f²/2 + nu_i f)` (math 3).
///
/// For a row of weight above one these are the sums over its tied copies. `tau_i` may be negative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sites {
    /// Precisions.
    pub tau: Vec<f64>,
    /// Precision times mean.
    pub nu: Vec<f64>,
}

impl Sites {
    /// Sites that say nothing: the posterior is the prior.
    pub fn none(n: usize) -> Self {
        Sites { tau: vec![0.0; n], nu: vec![0.0; n] }
    }

    /// The number of sites, one per training row.
    pub fn len(&self) -> usize {
        self.tau.len()
    }

    /// Whether there are no sites.
    pub fn is_empty(&self) -> bool {
        self.tau.is_empty()
    }

    /// How many sites make the posterior wider instead of narrower (rows that look mislabelled).
    pub fn negative(&self) -> usize {
        self.tau.iter().filter(|&&t| t < 0.0).count()
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.tau.iter().chain(&self.nu).all(|v| v.is_finite())
    }
}
