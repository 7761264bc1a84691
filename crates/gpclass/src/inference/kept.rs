//! What is kept of a posterior: everything but the matrices, which follow from the covariance.

use super::{InferenceError, Inferred, Observations, Refinement, Report};
use crate::likelihood::Gaussian;
use crate::posterior::{Marginals, Posterior, Sites};
use crate::prior::{Inducing, Prior, SiteSums};

/// A posterior as a file holds it: a few numbers per training row. [`Inferred::restore`] makes it whole again, to the
/// last bit, because nothing is iterated: the one matrix needed is factorised as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The sites: precision and precision times mean of each training row.
    pub sites: Sites,
    /// `K⁻¹ mu`.
    pub alpha: Vec<f64>,
    /// Posterior means of the training rows.
    pub mean: Vec<f64>,
    /// Posterior variances of the training rows.
    pub var: Vec<f64>,
    /// `1 - tau_i v_i` of the training rows.
    pub slack: Vec<f64>,
    /// The log evidence.
    pub log_z: f64,
    /// Variance of the method's own noise, as in [`Inferred::observation_var`].
    pub observation_var: f64,
    /// How the search went; its jitter is added to the prior again.
    pub report: Report,
    /// The rows that stand for all, where there are any.
    pub sparse: Option<KeptSparse>,
    /// The sites of rows that are held elsewhere, summed, where there are any.
    pub others: Option<SiteSums>,
    /// The latent values of the training rows without their own labels, where they were refined.
    pub left_out: Option<Vec<Gaussian>>,
}

/// Inducing rows as they are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSparse {
    /// The rows, with the jitter that was needed.
    pub inducing: Inducing,
    /// How predictions are refined, if they are.
    pub refinement: Option<Refinement>,
    /// What they leave of each row's variance; it is computed again where it is not told.
    pub residual: Option<Vec<f64>>,
}

impl Kept {
    /// The numbers per row, in a fixed order.
    pub fn columns(&self) -> [&[f64]; 6] {
        [&self.sites.tau, &self.sites.nu, &self.alpha, &self.mean, &self.var, &self.slack]
    }
}

impl Inferred {
    /// The part that cannot be recomputed without a search.
    pub fn keep(&self, refinement: Option<Refinement>, left_out: Option<&[Gaussian]>) -> Kept {
        let posterior = &self.posterior;
        let Marginals { var, slack } = posterior.marginals().clone();
        Kept {
            sites: posterior.sites().clone(),
            alpha: posterior.alpha().to_vec(),
            mean: posterior.mean().to_vec(),
            var,
            slack,
            log_z: self.log_z,
            observation_var: self.observation_var,
            report: self.report.clone(),
            sparse: posterior.factor().inducing().map(|inducing| KeptSparse {
                inducing: inducing.clone(),
                refinement,
                residual: posterior.residual().map(<[f64]>::to_vec),
            }),
            others: posterior.others().cloned(),
            left_out: left_out.map(<[Gaussian]>::to_vec),
        }
    }

    /// The posterior that was kept, under the prior it was found with; the jitter is added here.
    pub fn restore(prior: Prior, observations: &Observations<'_>, kept: Kept) -> Result<Inferred, InferenceError> {
        super::check(&prior, observations, Some(&kept.sites))?;
        let n = observations.len();
        let residual = kept.sparse.as_ref().and_then(|sparse| sparse.residual.as_deref());
        let bad = |column: &&[f64]| column.len() != n || column.iter().any(|v| !v.is_finite());
        if let Some(given) = kept.columns().into_iter().chain(residual).find(bad).map(<[f64]>::len) {
            return Err(InferenceError::Start { n, given });
        }
        let Kept { sites, alpha, mean, var, slack, log_z, observation_var, report, others, sparse: _, left_out: _ } =
            kept;
        let prior = match &others {
            Some(others) => prior.beside(others)?,
            None => prior.shifted(report.jitter),
        };
        let factor = prior.factorise(&sites.tau, None)?;
        let posterior = Posterior::new(sites, alpha, mean, Marginals { var, slack }, factor);
        let cavities = posterior.cavities(|i| observations.copies(i));
        Ok(Inferred { posterior, log_z, cavities, observation_var, report })
    }
}
