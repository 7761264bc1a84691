//! The posterior in closed form: one factorisation, nothing to search for.

use super::options::LeastSquaresOptions;
use crate::inference::problem::Known;
use crate::inference::{InferenceError, Inferred, Outcome, Report};
use crate::posterior::{Posterior, Sites};
use crate::prior::Prior;

pub(in crate::inference) fn infer(
    prior: Prior,
    known: Known<'_>,
    options: &LeastSquaresOptions,
) -> Result<Inferred, InferenceError> {
    let (observations, noise) = (known.observations, options.noise);
    if !(noise.is_finite() && noise > 0.0) {
        return Err(InferenceError::Noise(noise));
    }
    let n = observations.len();
    let tau: Vec<f64> = (0..n).map(|i| observations.weight(i) / noise).collect();
    let nu: Vec<f64> = (0..n).map(|i| tau[i] * observations.labels[i].sign()).collect();
    known.search(prior, |problem| {
        let (factor, marginals) = problem.factorise(&tau, None)?.with_marginals()?;
        let (alpha, mean) = problem.site_means(&factor, &nu); // (K + lambda I)⁻¹ y
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
        let jitter = problem.prior.jitter();
        let report = Report { outcome: Outcome::Converged, sweeps: 1, residual: 0.0, jitter, negative_sites: 0 };
        Ok(Inferred { posterior, log_z, cavities, observation_var: noise, report })
    })
}
