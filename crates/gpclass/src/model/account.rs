//! The numbers of an inference under the names of the reference values.

use super::{FittedModel, Gradient, ModelError};
use crate::data::{Class, Inputs};
use crate::inference::{Method, Outcome};
use crate::likelihood::Likelihood;
use crate::param::{Param, Role};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that inference gives at fixed hyperparameters, for two classes.
#[derive(Clone, Debug, Serialize)]
pub struct InferenceResult {
    /// Name of the inference method.
    pub method: &'static str,
    /// Whether the fixed point was reached.
    pub converged: bool,
    /// How the search for it ended.
    pub outcome: Outcome,
    /// Sweeps over all sites.
    pub sweeps: usize,
    /// Distance from the fixed point.
    pub residual: f64,
    /// Added to the diagonal of the covariance.
    pub jitter: f64,
    /// Sites of negative precision.
    pub n_negative_sites: usize,
    /// Log evidence.
    pub log_z: f64,
    /// Site precisions.
    pub tau: Vec<f64>,
    /// Site precisions times means.
    pub nu: Vec<f64>,
    /// Posterior means of the latent values.
    pub post_mean: Vec<f64>,
    /// Their posterior variances.
    pub post_var: Vec<f64>,
    /// Means of the latent values with a row's own site taken out.
    pub cav_mean: Vec<f64>,
    /// Their variances.
    pub cav_var: Vec<f64>,
    /// Probability of each label as the other rows predict it.
    pub loo_prob_y: Vec<f64>,
    /// Its logarithm.
    pub loo_logp: Vec<f64>,
    /// The sum of these.
    pub loo_logp_sum: f64,
    /// Probability that each label is wrong.
    pub label_error: Vec<f64>,
    /// Derivatives of `log_z`: in the logarithms of covariance parameters and of `sigma`, in `b` and `eps` themselves.
    pub grad: BTreeMap<String, f64>,
    /// Laplace's mode, which is `post_mean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Vec<f64>>,
    /// Laplace's curvatures, which are `tau`.
    #[serde(rename = "W", skip_serializing_if = "Option::is_none")]
    pub w: Option<Vec<f64>>,
    /// How many rows stand for all, where the covariance is by inducing rows. The sites are then those of the projections on
    /// them; means and variances are of the whole latent values all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inducing: Option<usize>,
    /// What the inducing rows leave of each row's prior variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual_variance: Option<Vec<f64>>,
    /// Posterior means of the projections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection_mean: Option<Vec<f64>>,
    /// Their posterior variances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection_var: Option<Vec<f64>>,
    /// Latent means of the test rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_mean: Option<Vec<f64>>,
    /// Their latent variances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_var: Option<Vec<f64>>,
    /// Their probabilities of the positive class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_prob: Option<Vec<f64>>,
    /// Latent means of the test rows, refined around each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined_mean: Option<Vec<f64>>,
    /// Their latent variances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined_var: Option<Vec<f64>>,
    /// Their probabilities of the positive class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined_prob: Option<Vec<f64>>,
}

impl InferenceResult {
    /// The account of a fitted model of two classes, with predictions of the test rows if there are any.
    pub fn of(fit: &FittedModel, test: Option<&Inputs>) -> Result<Self, ModelError> {
        let inferred = fit.two_classes()?;
        let posterior = &inferred.posterior;
        let (report, sites) = (&inferred.report, posterior.sites());
        let loo_logp = fit.leave_one_out_log_probability();
        let laplace = matches!(fit.model().method, Method::Laplace(_));
        let predicted = test.map(|test| fit.with_refinement(None).predict(test)).transpose()?;
        let refined = test.filter(|_| fit.refinement().is_some()).map(|test| fit.predict(test)).transpose()?;
        let observations = fit.observations();
        let latents = posterior.latents(|i| observations.copies(i));
        let sparse = |values: &[f64]| fit.inducing().map(|_| values.to_vec());
        Ok(InferenceResult {
            method: fit.model().method.name(),
            converged: report.outcome.converged(),
            outcome: report.outcome,
            sweeps: report.sweeps,
            residual: report.residual,
            jitter: report.jitter,
            n_negative_sites: report.negative_sites,
            log_z: inferred.log_z,
            tau: sites.tau.clone(),
            nu: sites.nu.clone(),
            post_mean: latents.iter().map(|latent| latent.mean).collect(),
            post_var: latents.iter().map(|latent| latent.var).collect(),
            cav_mean: inferred.cavities.iter().map(|c| c.mean).collect(),
            cav_var: inferred.cavities.iter().map(|c| c.var).collect(),
            loo_prob_y: loo_logp.iter().map(|log| log.exp()).collect(),
            loo_logp_sum: loo_logp.iter().sum(),
            loo_logp,
            label_error: fit.label_error(),
            grad: all_derivatives(fit, &fit.evidence_gradient()?),
            mode: laplace.then(|| posterior.mean().to_vec()),
            w: laplace.then(|| sites.tau.clone()),
            inducing: fit.inducing().map(|inducing| inducing.rows.rows()),
            residual_variance: posterior.residual().map(<[f64]>::to_vec),
            projection_mean: sparse(posterior.mean()),
            projection_var: sparse(posterior.var()),
            test_mean: predicted.as_ref().map(|rows| rows.mean.col(0).to_vec()),
            test_var: predicted.as_ref().map(|rows| rows.var.col(0).to_vec()),
            test_prob: predicted.as_ref().map(|rows| rows.probability.of_class(Class::POSITIVE).to_vec()),
            refined_mean: refined.as_ref().map(|rows| rows.mean.col(0).to_vec()),
            refined_var: refined.as_ref().map(|rows| rows.var.col(0).to_vec()),
            refined_prob: refined.as_ref().map(|rows| rows.probability.of_class(Class::POSITIVE).to_vec()),
        })
    }
}

/// As [`named_gradient`]; with inducing rows as their reference has it, in `eps` on its boundary too, and in `sigma²`.
fn all_derivatives(fit: &FittedModel, gradient: &Gradient) -> BTreeMap<String, f64> {
    let mut named = named_gradient(fit, gradient);
    let likelihood = &fit.model().likelihood;
    if fit.inducing().is_some() {
        for (param, slope) in likelihood.params().iter().zip(&gradient.likelihood) {
            match param.role {
                Role::LabelError(_) => named.insert(format!("lik_{}", param.name), *slope),
                Role::Softness if likelihood.sigma() > 0.0 => {
                    named.insert("lik_sigma2".to_owned(), slope / (2.0 * likelihood.sigma()))
                }
                _ => None,
            };
        }
    }
    named
}

/// Derivatives by the names of the reference: `log_v0`, `log_l1`, ..., `lik_b`, `lik_log_sigma`, `lik_eps`, and `log_v0[a]` of
/// the kernel of class `a` alone.
pub fn named_gradient(fit: &FittedModel, gradient: &Gradient) -> BTreeMap<String, f64> {
    let (kernel, likelihood) = (fit.model().kernel.params(), &fit.model().likelihood);
    let mut named = BTreeMap::new();
    for (param, slope) in kernel.iter().zip(&gradient.kernel) {
        let number = param.role.feature().map_or_else(String::new, |feature| (feature + 1).to_string());
        let class = param.class.as_ref().map_or_else(String::new, |class| format!("[{class}]"));
        named.insert(format!("log_{}{number}{class}", param.group()), *slope);
    }
    for (param, slope) in likelihood.params().iter().zip(&gradient.likelihood) {
        if let Some((name, factor)) = likelihood_name(param, likelihood) {
            named.insert(name, factor * slope);
        }
    }
    named
}

/// The reference's name of a likelihood's derivative and the factor to it; none where the parameter is on its boundary.
fn likelihood_name(param: &Param, likelihood: &Likelihood) -> Option<(String, f64)> {
    match param.role {
        Role::Shift => Some(("lik_b".to_owned(), 1.0)),
        Role::Softness if likelihood.sigma() > 0.0 => Some(("lik_log_sigma".to_owned(), likelihood.sigma())),
        Role::LabelError(_) if param.value > 0.0 => Some((format!("lik_{}", param.name), 1.0)),
        _ => None,
    }
}
