//! Likelihoods by name.

use super::{Likelihood, LikelihoodError};
use crate::named::named;

/// A likelihood up to the values of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LikelihoodFamily {
    /// Step with label error; softness comes from noise v2 in the covariance.
    Step,
    /// Φ(y f), without parameters.
    Probit,
    /// Φ(y (f + b)): the boundary shifted by a bias b.
    ProbitBias,
    /// Φ(y f / sigma): noise of standard deviation sigma on the latent value.
    ProbitNoise,
    /// Probit with label error: the robust model of ROBUST.
    Robust,
    /// Probit with a label error for each of the two classes.
    RobustPerClass,
    /// Probit with label error, bias and noise.
    Full,
    /// 1 / (1 + exp(-y f)), without parameters.
    Logistic,
}

named!(LikelihoodFamily, "likelihood", {
    Step = "step": "Hard decision with label error; softness from noise in the covariance";
    Probit = "probit": "Normal distribution function";
    ProbitBias = "probit-bias" or "probit_bias": "Probit with a bias";
    ProbitNoise = "probit-noise" or "probit_noise": "Probit with noise";
    Robust = "robust": "Probit with label error";
    RobustPerClass = "robust-per-class": "Probit with a label error for each class";
    Full = "full": "Probit with label error, bias and noise";
    Logistic = "logistic": "Logistic function";
});

/// Where the label error starts.
const LABEL_ERROR: f64 = 0.03;

impl LikelihoodFamily {
    /// The likelihood at starting values, its parameters free.
    pub fn likelihood(self) -> Result<Likelihood, LikelihoodError> {
        match self {
            LikelihoodFamily::Step => Likelihood::step(LABEL_ERROR),
            LikelihoodFamily::Probit => Ok(Likelihood::probit()),
            LikelihoodFamily::ProbitBias => Likelihood::probit_bias(0.0),
            LikelihoodFamily::ProbitNoise => Likelihood::probit_noise(1.0),
            LikelihoodFamily::Robust => Likelihood::robust(LABEL_ERROR),
            LikelihoodFamily::RobustPerClass => Likelihood::robust_per_class(LABEL_ERROR, LABEL_ERROR),
            LikelihoodFamily::Full => Likelihood::full(LABEL_ERROR, 0.0, 1.0),
            LikelihoodFamily::Logistic => Ok(Likelihood::logistic()),
        }
    }

    /// Whether the latent noise must come from the covariance, and the scale of the latent value is not identified.
    pub fn needs_noise(self) -> bool {
        self == LikelihoodFamily::Step
    }
}
