//! The gradient of the regression's evidence, which does not know the likelihood.

use crate::inference::{Inferred, Observations, Sensitivity};

pub(in crate::inference) fn evidence_sensitivity(observations: &Observations<'_>, inferred: &Inferred) -> Sensitivity {
    let count = observations.likelihood.params().len();
    Sensitivity { adjoint: inferred.posterior.adjoint(None, |_| 1.0), likelihood: vec![0.0; count] }
}
