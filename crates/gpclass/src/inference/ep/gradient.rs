//! The gradient of EP's evidence: at its fixed point the sites do not count (math 4).

use crate::inference::{Inferred, Observations, Sensitivity};

pub(in crate::inference) fn evidence_sensitivity(observations: &Observations<'_>, inferred: &Inferred) -> Sensitivity {
    let adjoint = inferred.posterior.adjoint(None, |i| observations.copies(i));
    Sensitivity { adjoint, likelihood: in_likelihood(observations, inferred) }
}

/// `sum_i d log Z_i / d rho` at fixed cavities (math 4).
fn in_likelihood(observations: &Observations<'_>, inferred: &Inferred) -> Vec<f64> {
    let mut total = vec![0.0; observations.likelihood.params().len()];
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
