//! What is kept of the posterior of several functions: everything but the matrices, which follow from the covariances.

use super::{ClassObservations, JointInferred, JointStart};
use crate::inference::{InferenceError, Report};
use crate::posterior::{CoupledFactor, FunctionPriors};
use gpclass_linalg::Mat;

/// A posterior as a file holds it: a few numbers per training row and class. [`JointInferred::restore`] makes it whole again,
/// to the last bit, because nothing is iterated.
#[derive(Clone, Debug, PartialEq)]
pub struct JointKept {
    /// Site precisions, rows x classes as all matrices here.
    pub pi: Mat,
    /// Linear terms of the sites.
    pub nu: Mat,
    /// `K⁻¹ mu`.
    pub alpha: Mat,
    /// Posterior means.
    pub mean: Mat,
    /// The log evidence.
    pub log_z: f64,
    /// As in [`JointInferred::by_label_error`].
    pub by_label_error: f64,
    /// How the search went; its jitter is added to the priors again.
    pub report: Report,
}

impl JointKept {
    /// The matrices, in a fixed order.
    pub fn matrices(&self) -> [&Mat; 4] {
        [&self.pi, &self.nu, &self.alpha, &self.mean]
    }
}

impl JointInferred {
    /// The part that cannot be recomputed without a search.
    pub fn keep(&self) -> JointKept {
        JointKept {
            pi: self.pi.clone(),
            nu: self.nu.clone(),
            alpha: self.alpha.clone(),
            mean: self.mean.clone(),
            log_z: self.log_z,
            by_label_error: self.by_label_error,
            report: self.report.clone(),
        }
    }

    /// The posterior that was kept, under the priors it was found with; the jitter is added here. What a search can start from
    /// is its `alpha`.
    pub fn restore(
        prior: FunctionPriors,
        observations: &ClassObservations<'_>,
        kept: JointKept,
    ) -> Result<JointInferred, InferenceError> {
        super::check(&prior, observations)?;
        let (n, count) = (observations.len(), observations.count);
        let fits = |mat: &Mat| (mat.rows(), mat.cols()) == (n, count) && mat.as_slice().iter().all(|v| v.is_finite());
        if let Some(bad) = kept.matrices().into_iter().find(|mat| !fits(mat)) {
            return Err(InferenceError::Start { n, given: bad.rows() });
        }
        let JointKept { pi, nu, alpha, mean, log_z, by_label_error, report } = kept;
        let factor = CoupledFactor::new(&prior.shifted(report.jitter), &pi, None)?;
        let start = JointStart::Weights(alpha.clone());
        Ok(JointInferred { start, pi, nu, alpha, mean, factor, log_z, by_label_error, report })
    }
}
