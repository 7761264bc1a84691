//! The gradient of Laplace's evidence (GPML 5.5.1): the mode moves with the parameters, which enters through third
//! derivatives.

use crate::inference::{InferenceError, Inferred, Observations, Sensitivity};

pub(in crate::inference) fn evidence_sensitivity(
    observations: &Observations<'_>,
    inferred: &Inferred,
) -> Result<Sensitivity, InferenceError> {
    let smooth = observations.likelihood.smooth()?;
    let posterior = &inferred.posterior;
    let (f, v) = (posterior.mean(), posterior.var());
    let n = f.len();
    // d log Z / d f = ½ v w d³ log p, pulled through df = (I + K W)⁻¹ (dK alpha + K d grad log p).
    let by_mode: Vec<f64> = (0..n)
        .map(|i| 0.5 * v[i] * observations.weight(i) * smooth.derivatives(observations.labels[i], f[i])[3])
        .collect();
    let t = posterior.solve_site(&by_mode);
    let pulled = posterior.prior().times(&t); // Sigma by_mode
    let mut likelihood = vec![0.0; observations.likelihood.params().len()];
    for i in 0..n {
        let weight = observations.weight(i);
        let by_param = smooth.param_derivatives(observations.labels[i], f[i]);
        for (sum, [value, slope, curvature]) in likelihood.iter_mut().zip(by_param) {
            *sum += weight * (value + 0.5 * v[i] * curvature + pulled[i] * slope);
        }
    }
    Ok(Sensitivity { adjoint: posterior.adjoint(Some(&t), |_| 1.0), likelihood })
}
