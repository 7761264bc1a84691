//! How a criterion depends on each row's cavity.

use crate::likelihood::{Curvature, Gaussian};
use crate::model::FittedModel;

/// `dJ = sum_i (by_var_i ds_i + by_mean_i dm_i) + sum_p likelihood_p d rho_p`.
#[derive(Clone, Debug)]
pub(super) struct CavitySlopes {
    pub by_var: Vec<f64>,
    pub by_mean: Vec<f64>,
    pub likelihood: Vec<f64>,
}

impl CavitySlopes {
    /// Of a criterion with the given derivatives in the leave-one-out log-probabilities.
    pub fn of_criterion(fit: &FittedModel, slopes: &[f64]) -> Self {
        let n = slopes.len();
        let count = fit.model().likelihood.params().len();
        let mut total = CavitySlopes { by_var: vec![0.0; n], by_mean: vec![0.0; n], likelihood: vec![0.0; count] };
        for (i, &slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            let log_p = curvature(fit, i, fit.observed(fit.inferred().cavities[i]), 1.0);
            total.by_mean[i] = slope * log_p.d[0];
            total.by_var[i] = slope * in_variance(&log_p);
            for (sum, by_param) in total.likelihood.iter_mut().zip(&log_p.by_param) {
                *sum += slope * by_param[0];
            }
        }
        total
    }
}

/// Derivatives of row `i`'s likelihood term to some power, averaged under `cavity`.
pub(super) fn curvature(fit: &FittedModel, i: usize, cavity: Gaussian, power: f64) -> Curvature {
    fit.model().likelihood.curvature(fit.data().signs()[i], cavity, power)
}

/// `d ln Z / ds`, by the heat equation (math 2).
fn in_variance(log_z: &Curvature) -> f64 {
    0.5 * (log_z.d[1] + log_z.d[0] * log_z.d[0])
}
