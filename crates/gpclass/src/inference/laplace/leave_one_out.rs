//! What the movement of the mode adds to a leave-one-out gradient.

use crate::inference::leave_one_out::{CavitySlopes, LeaveOneOutError, Linkage, MarginalSlopes, at_fixed_point};
use crate::inference::{Inferred, Observations};
use gpclass_linalg::vector::add_scaled;

/// Laplace's sites `tau = -w d² log p`, `nu = w d log p + tau mu` follow the mode alone, `dtau = -w d³ log p dmu`, and
/// the mode does not depend on `tau` at fixed `alpha`: `lambda` needs no solve.
pub(in crate::inference) fn marginal_slopes(
    observations: &Observations<'_>,
    inferred: &Inferred,
    linkage: &Linkage,
    direct: CavitySlopes,
) -> Result<MarginalSlopes, LeaveOneOutError> {
    at_fixed_point(inferred)?;
    let smooth = observations.likelihood.smooth()?;
    let posterior = &inferred.posterior;
    let f = posterior.mean();
    let in_tau = linkage.to_tau(&linkage.squared(), &direct);
    let own_nu: Vec<f64> = linkage.own_nu(&direct);
    let mut slopes = linkage.to_marginals(direct);
    for (i, p) in in_tau.iter().enumerate() {
        let third = smooth.derivatives(observations.labels[i], f[i])[3];
        slopes.by_mean[i] -= observations.weight(i) * third * p;
    }
    let mut in_nu = linkage.covariance_times(posterior.var(), &slopes.by_mean);
    add_scaled(&mut in_nu, 1.0, &own_nu);
    for i in 0..f.len() {
        let weight = observations.weight(i);
        let by_param = smooth.param_derivatives(observations.labels[i], f[i]);
        for (sum, [_, slope, curvature]) in slopes.likelihood.iter_mut().zip(by_param) {
            *sum += weight * (slope * in_nu[i] - curvature * in_tau[i]);
        }
    }
    Ok(slopes)
}
