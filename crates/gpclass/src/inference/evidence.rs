//! The gradient of the log evidence, as an adjoint of the covariance and derivatives in the likelihood's parameters.

use super::{InferenceError, Inferred, Method, Observations};
use gpclass_linalg::{Mat, symmetric_mul};

/// `d log Z = sum_ij adjoint_ij dK_ij + sum_p likelihood_p d rho_p`.
#[derive(Clone, Debug)]
pub struct EvidenceGradient {
    /// Symmetric; only the lower triangle is filled in.
    pub adjoint: Mat,
    /// In natural units, in the order of [`Likelihood::params`](crate::likelihood::Likelihood::params).
    pub likelihood: Vec<f64>,
}

impl Method {
    /// The gradient of `inferred.log_z`. Exact at the fixed point (EP) or mode (Laplace).
    pub fn evidence_gradient(
        &self,
        k: &Mat,
        observations: &Observations<'_>,
        inferred: &Inferred,
    ) -> Result<EvidenceGradient, InferenceError> {
        let count = observations.likelihood.params().len();
        Ok(match self {
            Method::Ep(_) => EvidenceGradient {
                adjoint: half_difference(inferred, None), // math 4
                likelihood: cavity_gradient(observations, inferred, count),
            },
            Method::Laplace(_) => laplace(k, observations, inferred, count)?,
            Method::LeastSquares(_) => {
                EvidenceGradient { adjoint: half_difference(inferred, None), likelihood: vec![0.0; count] }
            }
        })
    }
}

/// `½ (alpha alphaᵀ - R) + ½ (t alphaᵀ + alpha tᵀ)`, the lower triangle.
fn half_difference(inferred: &Inferred, implicit: Option<&[f64]>) -> Mat {
    let alpha = inferred.posterior.alpha();
    let mut adjoint = inferred.posterior.information();
    for j in 0..alpha.len() {
        let (aj, tj) = (alpha[j], implicit.map_or(0.0, |t| t[j]));
        let column = &mut adjoint.col_mut(j)[j..];
        for (value, ai) in column.iter_mut().zip(&alpha[j..]) {
            *value = 0.5 * (ai * (aj + tj) - *value);
        }
        if let Some(t) = implicit {
            column.iter_mut().zip(&t[j..]).for_each(|(value, ti)| *value += 0.5 * ti * aj);
        }
    }
    adjoint
}

/// `sum_i d log Z_i / d rho` at fixed cavities (math 4).
fn cavity_gradient(observations: &Observations<'_>, inferred: &Inferred, count: usize) -> Vec<f64> {
    let mut total = vec![0.0; count];
    for (i, cavity) in inferred.cavities.iter().enumerate() {
        let power = observations.power(i);
        if power == 0.0 {
            continue;
        }
        let gradient = observations.likelihood.gradient(observations.labels[i], *cavity, power);
        for (sum, g) in total.iter_mut().zip(gradient) {
            *sum += observations.copies(i) * g;
        }
    }
    total
}

/// GPML 5.5.1: the mode moves with the parameters, which enters through third derivatives.
fn laplace(
    k: &Mat,
    observations: &Observations<'_>,
    inferred: &Inferred,
    count: usize,
) -> Result<EvidenceGradient, InferenceError> {
    let smooth = observations.likelihood.smooth()?;
    let (f, v) = (inferred.posterior.mean(), inferred.posterior.var());
    let n = f.len();
    // d log Z / d f = ½ v w d³ log p, pulled through df = (I + K W)⁻¹ (dK alpha + K d grad log p).
    let by_mode: Vec<f64> = (0..n)
        .map(|i| 0.5 * v[i] * observations.weight(i) * smooth.derivatives(observations.labels[i], f[i])[3])
        .collect();
    let t = inferred.posterior.damp(k, &by_mode);
    let pulled = symmetric_mul(k, &t); // Sigma by_mode
    let mut likelihood = vec![0.0; count];
    for i in 0..n {
        let weight = observations.weight(i);
        let by_param = smooth.param_derivatives(observations.labels[i], f[i]);
        for (sum, [value, slope, curvature]) in likelihood.iter_mut().zip(by_param) {
            *sum += weight * (value + 0.5 * v[i] * curvature + pulled[i] * slope);
        }
    }
    Ok(EvidenceGradient { adjoint: half_difference(inferred, Some(&t)), likelihood })
}
