//! The least-squares classifier: Gaussian-process regression on the labels -1 and +1 (EPCV section 5).

use super::{InferenceError, Inferred, Observations, Outcome, Report, with_jitter};
use crate::posterior::{Posterior, SiteFactor};
use crate::sites::Sites;
use gpclass_linalg::{Mat, symmetric_mul};
use serde::{Deserialize, Serialize};

/// Options of the least-squares classifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeastSquaresOptions {
    /// The noise variance lambda of the regression (EPCV 14). Positive.
    pub noise: f64,
}

impl Default for LeastSquaresOptions {
    fn default() -> Self {
        LeastSquaresOptions { noise: 1e-2 }
    }
}

pub(super) fn infer(
    k: &Mat,
    observations: &Observations<'_>,
    options: &LeastSquaresOptions,
) -> Result<Inferred, InferenceError> {
    let noise = options.noise;
    if !(noise.is_finite() && noise > 0.0) {
        return Err(InferenceError::Noise(noise));
    }
    let n = observations.len();
    let tau: Vec<f64> = (0..n).map(|i| observations.weight(i) / noise).collect();
    let nu: Vec<f64> = (0..n).map(|i| tau[i] * observations.labels[i].sign()).collect();
    with_jitter(k, |k, jitter| {
        let factor = SiteFactor::new(k, &tau, None)?.with_inverse();
        let marginals = factor.marginals(k);
        let alpha = factor.damp(k, &nu); // (K + lambda I)⁻¹ y
        let mean = symmetric_mul(k, &alpha);
        let log_z: f64 = (0..n)
            .map(|i| {
                let weight = observations.weight(i);
                -0.5 * alpha[i] * observations.labels[i].sign() - 0.5 * weight * (std::f64::consts::TAU * noise).ln()
            })
            .sum::<f64>()
            - 0.5 * factor.log_det();
        let sites = Sites { tau: tau.clone(), nu: nu.clone() };
        let posterior = Posterior::new(sites, alpha, mean, marginals, factor);
        let cavities = posterior.cavities(|i| observations.copies(i));
        let report = Report { outcome: Outcome::Converged, sweeps: 1, residual: 0.0, jitter, negative_sites: 0 };
        Ok(Inferred { posterior, log_z, cavities, observation_var: noise, report })
    })
}
