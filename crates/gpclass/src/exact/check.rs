//! The whole question at once: evidence, latent posterior and class probabilities, as they really are.

use super::annealed::{AnnealedOptions, anneal};
use super::error::same_size;
use super::noise::{NewPoints, NoiseSplit};
use super::orthant::{OrthantOptions, orthant_evidence};
use super::reference::Reference;
use super::slice::{SliceOptions, SliceSamples, sample_posterior};
use super::summary::SeriesSummary;
use super::{ExactError, PriorFactor, Simulated, Terms};
use crate::data::Sign;
use crate::interrupt::Interrupt;
use crate::likelihood::{Gaussian, Likelihood};
use crate::posterior::Sites;
use gpclass_linalg::{Mat, Op, map_tasks, multiply};
use serde::{Deserialize, Serialize};

/// How much work each part is worth, and when to warn. The seeds of the parts are independent of each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckOptions {
    /// Of the posterior samples.
    pub slice: SliceOptions,
    /// Of the evidence where it is an orthant probability.
    pub orthant: OrthantOptions,
    /// Of the evidence where it is not.
    pub annealed: AnnealedOptions,
    /// Warn when an R-hat exceeds this. Default 1.05.
    pub largest_r_hat: f64,
    /// Warn when a latent value has fewer effective samples. Default 100.
    pub fewest_effective_samples: f64,
    /// Warn when an annealed evidence has fewer effective runs. Default 10.
    pub fewest_effective_runs: f64,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            slice: SliceOptions::default(),
            orthant: OrthantOptions::default(),
            annealed: AnnealedOptions::default(),
            largest_r_hat: 1.05,
            fewest_effective_samples: 100.0,
            fewest_effective_runs: 10.0,
        }
    }
}

impl CheckOptions {
    /// The defaults with every part's randomness from this seed.
    pub fn with_seed(seed: u64) -> CheckOptions {
        let mut options = CheckOptions::default();
        options.slice.seed = seed;
        options.orthant.seed = seed;
        options.annealed.seed = seed;
        options
    }
}

/// The true posterior, up to the standard errors given.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactPosterior {
    /// Log evidence.
    pub log_z: Simulated,
    /// How the evidence was computed.
    pub method: EvidenceMethod,
    /// Posterior of f at each training row.
    pub train: Vec<LatentEstimate>,
    /// At each new point.
    pub test: Vec<PredictionEstimate>,
    /// Whether the samples are enough to believe the rest.
    pub diagnostics: Diagnostics,
}

/// How an evidence was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceMethod {
    /// An orthant probability: probit-type likelihoods without label error.
    Orthant,
    /// Annealed importance sampling: any likelihood.
    Annealed,
}

/// Mean and variance of a latent value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatentEstimate {
    /// Posterior mean.
    pub mean: Simulated,
    /// Posterior variance.
    pub var: Simulated,
}

/// A prediction: latent mean, latent variance, class probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionEstimate {
    /// Mean of the latent value there.
    pub mean: Simulated,
    /// Variance of the latent value there.
    pub var: Simulated,
    /// `P(y = +1)`.
    pub probability: Simulated,
}

/// What to look at before believing the numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// Independent directions of the prior.
    pub prior_rank: usize,
    /// The largest prior variance that was left out as rounding error.
    pub prior_unexplained: f64,
    /// Variance of the independent noise that was averaged over in closed form.
    pub averaged_noise: f64,
    /// The worst over all training rows.
    pub largest_r_hat: f64,
    /// The worst over all training rows.
    pub fewest_effective_samples: f64,
    /// Of the annealed evidence.
    pub effective_runs: Option<f64>,
    /// Reasons to doubt the numbers; empty if all limits of the options are kept.
    pub warnings: Vec<Warning>,
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

/// Simulates the posterior of the latent function under the prior covariance `k` (lower triangle; may be singular),
/// and its predictions at new points with cross-covariance `cross` (n x m) and prior variances `diag`.
///
/// Meant for small n: the work per sample grows with n². Independent noise within `k` is found and averaged over in
/// closed form where the likelihood allows it (math 2), so that a step samples as well as a probit.
pub fn check(
    k: &Mat,
    labels: &[Sign],
    likelihood: &Likelihood,
    cross: &Mat,
    diag: &[f64],
    options: &CheckOptions,
) -> Result<ExactPosterior, ExactError> {
    check_with(k, labels, likelihood, cross, diag, options, CheckControl::default())
}

/// What [`check_with`] can be given besides the question.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckControl<'a> {
    /// Ends the simulation with [`ExactError::Interrupted`].
    pub interrupt: Interrupt<'a>,
    /// Sites under which the prior resembles the posterior, such as those of expectation propagation. The answer is right
    /// whatever they are; with good ones the samples are worth many times more.
    pub guide: Option<&'a Sites>,
}

/// As [`check`], with help.
pub fn check_with(
    k: &Mat,
    labels: &[Sign],
    likelihood: &Likelihood,
    cross: &Mat,
    diag: &[f64],
    options: &CheckOptions,
    control: CheckControl,
) -> Result<ExactPosterior, ExactError> {
    same_size("the labels", labels.len(), k.rows())?;
    same_size("the cross-covariance", cross.rows(), k.rows())?;
    same_size("the prior variances of the new points", diag.len(), cross.cols())?;
    let split = NoiseSplit::new(k, labels, likelihood, &NewPoints { cross, diag })?;
    let prior = PriorFactor::new(&split.signal)?;
    let log_p = |row: usize, g: f64| split.log_p(row, g);
    let terms = Terms { rows: labels.len(), log_p: &log_p, threshold: split.threshold() };
    let reference = match control.guide {
        Some(sites) => Reference::guided(&prior, &terms, &split.sites(sites)),
        None => Reference::prior(&prior, &terms),
    };
    let samples = sample_posterior(&split.signal, &reference, &options.slice, control.interrupt)?;
    let test = predict(&prior, &samples, likelihood, cross, diag)?;
    let (log_z, method, effective_runs) = evidence(&split.signal, &reference, options, control.interrupt)?;
    let rows = samples.latent_summaries();
    let mut diagnostics = Diagnostics {
        prior_rank: prior.rank(),
        prior_unexplained: prior.unexplained(),
        averaged_noise: split.noise,
        largest_r_hat: rows.iter().map(|s| s.r_hat).fold(1.0, f64::max),
        fewest_effective_samples: rows.iter().map(|s| s.effective_samples).fold(f64::INFINITY, f64::min),
        effective_runs,
        warnings: Vec::new(),
    };
    diagnostics.warnings = warnings(&diagnostics, options);
    let train = split.latent_estimates(&samples, &rows);
    Ok(ExactPosterior { log_z, method, train, test, diagnostics })
}

fn evidence(
    k: &Mat,
    reference: &Reference,
    options: &CheckOptions,
    interrupt: Interrupt,
) -> Result<(Simulated, EvidenceMethod, Option<f64>), ExactError> {
    match &reference.terms.threshold {
        Some(threshold) => {
            let log_z = orthant_evidence(k, threshold, &options.orthant, interrupt)?;
            Ok((log_z, EvidenceMethod::Orthant, None))
        }
        None => {
            let annealed = anneal(reference, &options.annealed, interrupt)?;
            Ok((annealed.log_z, EvidenceMethod::Annealed, Some(annealed.effective_runs)))
        }
    }
}

/// Averages the exact Gaussian conditionals f* | f over the samples of f.
fn predict(
    prior: &PriorFactor,
    samples: &SliceSamples,
    likelihood: &Likelihood,
    cross: &Mat,
    diag: &[f64],
) -> Result<Vec<PredictionEstimate>, ExactError> {
    let (weights, variances) = prior.conditional(cross, diag)?;
    let means = multiply(&samples.whitened, Op::Transpose, &weights, Op::Plain);
    Ok(map_tasks(means.cols(), |j| {
        let (series, var) = (means.col(j), variances[j]);
        let latent = samples.summarise(series);
        let probabilities: Vec<f64> = series.iter().map(|&mean| likelihood.predict(Gaussian { mean, var })).collect();
        combine(latent, var, samples.summarise(&probabilities))
    }))
}

/// The law of total variance: what is left given f, plus the scatter of the means.
fn combine(latent: SeriesSummary, conditional_var: f64, probability: SeriesSummary) -> PredictionEstimate {
    let var = Simulated { value: conditional_var + latent.var.value, standard_error: latent.var.standard_error };
    PredictionEstimate { mean: latent.mean, var, probability: probability.mean }
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

#[cfg(test)]
mod tests;
