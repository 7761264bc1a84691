//! How a number depends on what inference is given.

use crate::prior::Adjoint;

/// The derivatives of an evidence or a criterion: `dJ = sum_ij adjoint_ij dK_ij + sum_p likelihood_p d rho_p`.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// In the prior covariance.
    pub adjoint: Adjoint,
    /// In natural units, in the order of [`Likelihood::params`](crate::likelihood::Likelihood::params).
    pub likelihood: Vec<f64>,
}
