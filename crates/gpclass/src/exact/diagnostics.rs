//! Whether the samples are enough to believe what they say.

use super::summary::SeriesSummary;
use super::{CheckOptions, PriorFactor};

/// What to look at before believing the numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// Independent directions of the prior.
    pub prior_rank: usize,
    /// The largest prior variance that was left out as rounding error.
    pub prior_unexplained: f64,
    /// Variance of the independent noise that was averaged over in closed form.
    pub averaged_noise: f64,
    /// The worst over all latent values of training rows.
    pub largest_r_hat: f64,
    /// The worst over all latent values of training rows.
    pub fewest_effective_samples: f64,
    /// Of the annealed evidence.
    pub effective_runs: Option<f64>,
    /// Reasons to doubt the numbers; empty if all limits of the options are kept.
    pub warnings: Vec<Warning>,
}

impl Diagnostics {
    /// Of one prior for each latent function, and the latent values of the training rows.
    pub(super) fn new<'a>(
        priors: impl Iterator<Item = &'a PriorFactor> + Clone,
        latent: impl Iterator<Item = &'a SeriesSummary> + Clone,
        effective_runs: Option<f64>,
        options: &CheckOptions,
    ) -> Diagnostics {
        let mut found = Diagnostics {
            prior_rank: priors.clone().map(PriorFactor::rank).sum(),
            prior_unexplained: priors.map(PriorFactor::unexplained).fold(0.0, f64::max),
            averaged_noise: 0.0,
            largest_r_hat: latent.clone().map(|s| s.r_hat).fold(1.0, f64::max),
            fewest_effective_samples: latent.map(|s| s.effective_samples).fold(f64::INFINITY, f64::min),
            effective_runs,
            warnings: Vec::new(),
        };
        found.warnings = warnings(&found, options);
        found
    }
}

/// A reason to sample longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// The chains have not mixed.
    Unmixed {
        /// The largest R-hat of a training row: 1 if chains agree.
        r_hat: f64,
    },
    /// Samples are too alike for the error bars to mean much.
    FewSamples {
        /// The fewest effective samples of a training row.
        effective: f64,
    },
    /// A few runs carry the whole evidence.
    FewRuns {
        /// How many equally weighted runs those that were made are worth.
        effective: f64,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::Unmixed { r_hat } => {
                write!(f, "the chains disagree (R-hat {r_hat:.3}); use a longer burn-in and more samples")
            }
            Warning::FewSamples { effective } => {
                write!(
                    f,
                    "the samples are worth only {effective:.0} independent ones; use more samples or a larger thin"
                )
            }
            Warning::FewRuns { effective } => {
                write!(f, "the evidence rests on {effective:.1} annealing runs; use more temperatures or steps")
            }
        }
    }
}

fn warnings(found: &Diagnostics, options: &CheckOptions) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if found.largest_r_hat > options.largest_r_hat {
        warnings.push(Warning::Unmixed { r_hat: found.largest_r_hat });
    }
    if found.fewest_effective_samples < options.fewest_effective_samples {
        warnings.push(Warning::FewSamples { effective: found.fewest_effective_samples });
    }
    if let Some(effective) = found.effective_runs.filter(|&e| e < options.fewest_effective_runs) {
        warnings.push(Warning::FewRuns { effective });
    }
    warnings
}
