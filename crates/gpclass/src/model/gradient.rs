//! Derivatives of an objective in the hyperparameters.

use super::ModelError;
use crate::kernel::Kernel;
use crate::likelihood::Likelihood;
use serde::{Deserialize, Serialize};

/// Derivatives of an objective in every hyperparameter, free or fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gradient {
    /// In the logarithm of each covariance parameter, in the order of [`Kernel::params`].
    pub kernel: Vec<f64>,
    /// In each likelihood parameter itself, in the order of [`Likelihood::params`].
    pub likelihood: Vec<f64>,
}

impl Gradient {
    /// Itself, if every number is one.
    ///
    /// A likelihood parameter on its boundary can have an infinite derivative; its transform has slope zero there, so that it
    /// cannot move, and zero is what keeps the product a number.
    pub(crate) fn finite(mut self, kernel: &Kernel, likelihood: &Likelihood) -> Result<Self, ModelError> {
        let (by_kernel, by_likelihood) = (kernel.params(), likelihood.params());
        for (param, derivative) in by_likelihood.iter().zip(&mut self.likelihood) {
            if !derivative.is_finite() && param.transform().slope(param.value) == 0.0 {
                *derivative = 0.0;
            }
        }
        let all = by_kernel.iter().chain(&by_likelihood).zip(self.kernel.iter().chain(&self.likelihood));
        match all.into_iter().find(|(_, derivative)| !derivative.is_finite()) {
            Some((param, &derivative)) => {
                Err(ModelError::Gradient { name: param.name.clone(), value: param.value, derivative })
            }
            None => Ok(self),
        }
    }
}
