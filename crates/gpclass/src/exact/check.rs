//! The whole question at once: evidence, latent posterior and class probabilities, as they really are.

use super::annealed::{AnnealedOptions, anneal};
use super::error::same_size;
use super::noise::{NewPoints, NoiseSplit};
use super::orthant::{OrthantOptions, orthant_evidence};
use super::reference::Reference;
use super::slice::{SliceOptions, SliceSamples, Start, sample_posterior};
use super::summary::SeriesSummary;
use super::{Diagnostics, ExactError, PriorFactor, Simulated, Terms};
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

impl LatentEstimate {
    /// The law of total variance: what is left given a sample, plus the scatter of the means over all of them.
    pub(super) fn new(means: SeriesSummary, conditional_var: f64) -> LatentEstimate {
        let var = Simulated { value: conditional_var + means.var.value, standard_error: means.var.standard_error };
        LatentEstimate { mean: means.mean, var }
    }
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

/// What [`check_with`] and [`check_classes`](super::check_classes) can be given besides the question.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckControl<'a> {
    /// Ends the simulation with [`ExactError::Interrupted`].
    pub interrupt: Interrupt<'a>,
    /// Sites under which the prior resembles the posterior, such as those of expectation propagation; with several classes
    /// those of [`ClassProblem::guide`](super::ClassProblem::guide). The answer is right whatever they are; with good ones
    /// the samples are worth many times more.
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
    let log_p = |row: usize, g: &[f64]| split.log_p(row, g[0]);
    let terms = Terms { rows: labels.len(), width: 1, log_p: &log_p, threshold: split.threshold() };
    let guide = control.guide.map(|sites| split.sites(sites));
    let reference = Reference::new(prior.map(), &terms, guide.as_ref());
    let start = Start::new(&split.signal, &prior, &terms);
    let samples = sample_posterior(start, &reference, &options.slice, control.interrupt)?;
    let test = predict(&prior, &samples, likelihood, cross, diag)?;
    let (log_z, method, effective_runs) = evidence(&split.signal, &reference, options, control.interrupt)?;
    let rows = samples.latent_summaries();
    let diagnostics = Diagnostics {
        averaged_noise: split.noise,
        ..Diagnostics::new(std::iter::once(&prior), rows.iter(), effective_runs, options)
    };
    let train = split.latent_estimates(&samples, &rows);
    Ok(ExactPosterior { log_z, method, train, test, diagnostics })
}

/// The evidence under the prior covariance `k` of the latent values, by the better way that the likelihood allows.
pub(super) fn evidence(
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
        let LatentEstimate { mean, var } = LatentEstimate::new(latent, var);
        PredictionEstimate { mean, var, probability: samples.summarise(&probabilities).mean }
    }))
}

#[cfg(test)]
mod tests;
