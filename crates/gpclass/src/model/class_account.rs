//! The numbers of an inference of several classes under the names of the reference values.

use super::account::named_gradient;
use super::found::Found;
use super::{FittedModel, ModelError, Multiclass, Predictions};
use crate::data::{ClassNames, Inputs};
use crate::inference::{Inferred, Outcome};
use crate::likelihood::Link;
use gpclass_linalg::Mat;
use serde::Serialize;
use std::collections::BTreeMap;

/// A matrix as one list per row.
type Rows = Vec<Vec<f64>>;

/// Everything that inference of several classes gives at fixed hyperparameters. Lists are by row and class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassInferenceResult {
    /// Name of the inference method.
    pub method: &'static str,
    /// Whether the classes were inferred together or each against the rest.
    pub multiclass: Multiclass,
    /// Names of the classes, in the order of the lists.
    pub classes: Vec<String>,
    /// Whether the fixed point was reached.
    pub converged: bool,
    /// How the search for it ended.
    pub outcome: Outcome,
    /// Sweeps over all sites.
    pub sweeps: usize,
    /// Distance from the fixed point.
    pub residual: f64,
    /// Added to the diagonal of the covariances.
    pub jitter: f64,
    /// Sites of negative precision.
    pub n_negative_sites: usize,
    /// Log evidence; of classes against the rest the sum of theirs.
    pub log_z: f64,
    /// Site precisions: `pi` of the joint sites, `tau` of classes against the rest.
    pub pi: Rows,
    /// Linear terms of the sites.
    pub nu: Rows,
    /// `K⁻¹` times the posterior means.
    pub alpha: Rows,
    /// Posterior means of the latent values.
    pub post_mean: Rows,
    /// Their posterior variances.
    pub post_var: Rows,
    /// Probability of each class as the other rows predict it.
    pub loo_prob: Rows,
    /// Log-probability of each label as the other rows predict it.
    pub loo_logp: Vec<f64>,
    /// The sum of these.
    pub loo_logp_sum: f64,
    /// Probability that each label is wrong.
    pub label_error: Vec<f64>,
    /// Derivatives of `log_z` in the logarithms of covariance parameters, and in `eps` itself.
    pub grad: BTreeMap<String, f64>,
    /// Latent means of the test rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_mean: Option<Rows>,
    /// Their latent variances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_var: Option<Rows>,
    /// Their class probabilities; under the softmax averaged over the posterior.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_prob: Option<Rows>,
    /// Under the softmax their class probabilities at the posterior mean, which is what models predict unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_prob_plugin: Option<Rows>,
    /// How many rows stand for all, where the covariance is by inducing rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inducing: Option<usize>,
    /// Class probabilities of the test rows, refined around each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined_prob: Option<Rows>,
}

impl ClassInferenceResult {
    /// The account of a fitted model of several classes, with predictions of the test rows if there are any.
    pub fn of(fit: &FittedModel, classes: &ClassNames, test: Option<&Inputs>) -> Result<Self, ModelError> {
        let (report, left_out) = (fit.report(), fit.leave_one_out());
        let loo_logp = left_out.log_probability_of(fit.data().labels());
        let sites = sites(fit);
        let mut result = ClassInferenceResult {
            method: fit.model().method.name(),
            multiclass: if fit.one_vs_rest().is_some() { fit.model().multiclass } else { Multiclass::Joint },
            classes: classes.names().to_vec(),
            converged: report.outcome.converged(),
            outcome: report.outcome,
            sweeps: report.sweeps,
            residual: report.residual,
            jitter: report.jitter,
            n_negative_sites: report.negative_sites,
            log_z: fit.log_evidence(),
            pi: rows(&sites.pi),
            nu: rows(&sites.nu),
            alpha: rows(&sites.alpha),
            post_mean: rows(&sites.mean),
            post_var: rows(&sites.var),
            loo_prob: rows(left_out.probability.as_mat()),
            loo_logp_sum: loo_logp.iter().sum(),
            loo_logp,
            label_error: fit.label_error(),
            grad: named_gradient(fit, &fit.evidence_gradient()?),
            test_mean: None,
            test_var: None,
            test_prob: None,
            test_prob_plugin: None,
            inducing: fit.inducing().map(|inducing| inducing.rows.rows()),
            refined_prob: None,
        };
        if let Some(test) = test {
            result.predict(fit, &fit.with_refinement(None).predict(test)?, test)?;
            if fit.refinement().is_some() {
                result.refined_prob = Some(rows(fit.predict(test)?.probability.as_mat()));
            }
        }
        Ok(result)
    }

    fn predict(&mut self, fit: &FittedModel, predicted: &Predictions, test: &Inputs) -> Result<(), ModelError> {
        self.test_mean = Some(rows(&predicted.mean));
        self.test_var = Some(rows(&predicted.var));
        self.test_prob = Some(rows(predicted.probability.as_mat()));
        if let Found::Joint(_, Link::Softmax { .. }) = &fit.found {
            let of = |averaged: bool| -> Result<Rows, ModelError> {
                let link = Link::Softmax { averaged };
                let at_rows = fit.functions_at(test)?;
                Ok(rows(fit.class_predictions(link, &at_rows).probability.as_mat()))
            };
            (self.test_prob, self.test_prob_plugin) = (Some(of(true)?), Some(of(false)?));
        }
        Ok(())
    }
}

struct ClassSites {
    pi: Mat,
    nu: Mat,
    alpha: Mat,
    mean: Mat,
    var: Mat,
}

fn sites(fit: &FittedModel) -> ClassSites {
    let each: &[Inferred] = match &fit.found {
        Found::Binary(inferred) => std::slice::from_ref(inferred),
        Found::OneVsRest(each, _) => each,
        Found::Joint(joint, _) => {
            let (pi, nu, alpha, mean) = (joint.pi.clone(), joint.nu.clone(), joint.alpha.clone(), joint.mean.clone());
            return ClassSites { pi, nu, alpha, mean, var: joint.factor.marginals().var };
        }
    };
    let all = |values: Vec<f64>| Mat::from_columns(fit.data().rows(), each.len(), values);
    let of = |column: fn(&Inferred) -> &[f64]| all(each.iter().flat_map(|one| column(one).to_vec()).collect());
    let weight = |i: usize| fit.data().weights().map_or(1.0, |weights| weights[i].max(1.0));
    let latents: Vec<_> = each.iter().flat_map(|one| one.posterior.latents(weight)).collect();
    ClassSites {
        pi: of(|one| &one.posterior.sites().tau),
        nu: of(|one| &one.posterior.sites().nu),
        alpha: of(|one| one.posterior.alpha()),
        mean: all(latents.iter().map(|latent| latent.mean).collect()),
        var: all(latents.iter().map(|latent| latent.var).collect()),
    }
}

fn rows(mat: &Mat) -> Rows {
    (0..mat.rows()).map(|i| (0..mat.cols()).map(|c| mat[(i, c)]).collect()).collect()
}
