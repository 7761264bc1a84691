//! Likelihoods: p(y|f), its Gaussian averages and every derivative that inference needs of them.
//!
//! One family, p(y|f) = eps + (1 - 2 eps) Phi(y (f + b)/sigma), has closed forms for all of it; the logistic likelihood,
//! and fractional powers of the smooth members, are integrated numerically.
//!
//! Degenerate corner: where sigma = 0 and the variance is 0 the averaged step is the step itself. Its logarithm is
//! ln(1 - eps), ln eps (-inf if eps = 0) or, exactly on the boundary, ln 1/2; its derivatives are reported as 0 and
//! `shrink` as 1. The derivative in eps at eps = 0 is one-sided and may be infinite; it is then reported as 1e300, which the
//! zero slope of its transform turns into 0.

#[cfg(test)]
mod conformance;
mod error;
mod expected_log;
mod family;
mod floored;
#[cfg(test)]
mod golden;
mod link;
mod logistic;
pub mod multinomial;
mod probit;
mod quadrature;
mod smooth;
mod softmax;

pub use error::LikelihoodError;
pub(crate) use expected_log::expected_log;
pub use family::LikelihoodFamily;
pub use link::Link;
pub use probit::{ContaminatedProbit, Member};
pub use smooth::Smooth;

use crate::data::Sign;
use crate::param::{Param, Role};
use serde::{Deserialize, Serialize};

/// A one-dimensional Gaussian.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gaussian {
    /// Where it is centred.
    pub mean: f64,
    /// Its variance, not negative.
    pub var: f64,
}

/// What expectation propagation needs of Z = E p(y|f)^power under the cavity N(m, s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// ln Z.
    pub log_z: f64,
    /// d ln Z / dm.
    pub d1: f64,
    /// d2 ln Z / dm2.
    pub d2: f64,
    /// 1 + d2 s, the tilted variance over s, computed without cancellation.
    pub shrink: f64,
}

/// What the exact leave-one-out gradient needs in addition. // math 6.1
#[derive(Clone, Debug, PartialEq)]
pub struct Curvature {
    /// ln Z.
    pub log_z: f64,
    /// d^k ln Z / dm^k for k = 1..4; through the heat equation dZ/ds = 1/2 d2Z/dm2 they give every derivative in s.
    pub d: [f64; 4],
    /// For each parameter of the likelihood, the derivatives of (ln Z, d1, d2) at a fixed cavity, in natural units.
    pub by_param: Vec<[f64; 3]>,
}

/// The probabilities of the classes at one latent distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassProbabilities {
    /// Of the positive class.
    pub positive: f64,
    /// Logarithms for the negative and the positive class, accurate in both tails.
    pub logs: [f64; 2],
}

/// A likelihood with its parameter values.
///
/// ```
/// use gpclass::data::Sign;
/// use gpclass::likelihood::{Gaussian, Likelihood};
///
/// // With one label in ten wrong, no latent value makes a label more certain than 0.9.
/// let robust = Likelihood::robust(0.1)?;
/// assert!((robust.predict(Gaussian { mean: 50.0, var: 1.0 }) - 0.9).abs() < 1e-9);
/// assert!((robust.log_p(Sign::Negative, 50.0) - 0.1_f64.ln()).abs() < 1e-9);
///
/// // The whole family has a bias and noise besides.
/// let full = Likelihood::full(0.1, -0.5, 2.0)?;
/// assert_eq!((full.eps(), full.b(), full.sigma()), (0.1, -0.5, 2.0));
/// # Ok::<(), gpclass::likelihood::LikelihoodError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likelihood {
    /// p(y|f) = eps + (1 - 2 eps) Phi(y (f + b)/sigma).
    Probit(ContaminatedProbit),
    /// p(y|f) = 1/(1 + exp(-y f)).
    Logistic,
}

impl Likelihood {
    /// The step with label error `eps`; softness, if any, comes from noise in the covariance.
    pub fn step(eps: f64) -> Result<Self, LikelihoodError> {
        ContaminatedProbit::new(Member::Step, eps, 0.0, 0.0).map(Likelihood::Probit)
    }

    /// The plain probit, without parameters.
    pub fn probit() -> Self {
        Likelihood::Probit(ContaminatedProbit::plain())
    }

    /// The probit with a bias.
    pub fn probit_bias(b: f64) -> Result<Self, LikelihoodError> {
        ContaminatedProbit::new(Member::ProbitBias, 0.0, b, 1.0).map(Likelihood::Probit)
    }

    /// The probit with Gaussian noise of standard deviation `sigma` on the latent value.
    pub fn probit_noise(sigma: f64) -> Result<Self, LikelihoodError> {
        ContaminatedProbit::new(Member::ProbitNoise, 0.0, 0.0, sigma).map(Likelihood::Probit)
    }

    /// The probit with label error `eps`.
    pub fn robust(eps: f64) -> Result<Self, LikelihoodError> {
        ContaminatedProbit::new(Member::Robust, eps, 0.0, 1.0).map(Likelihood::Probit)
    }

    /// The probit with a label error for each class: the shares of negatives labelled positive and of positives labelled
    /// negative.
    pub fn robust_per_class(of_negatives: f64, of_positives: f64) -> Result<Self, LikelihoodError> {
        let errors = [of_negatives, of_positives];
        ContaminatedProbit::with_errors(Member::RobustPerClass, errors, 0.0, 1.0).map(Likelihood::Probit)
    }

    /// The whole family: label error, bias and noise.
    pub fn full(eps: f64, b: f64, sigma: f64) -> Result<Self, LikelihoodError> {
        ContaminatedProbit::new(Member::Full, eps, b, sigma).map(Likelihood::Probit)
    }

    /// The logistic likelihood, without parameters.
    pub fn logistic() -> Self {
        Likelihood::Logistic
    }

    /// The family whose parameters it has.
    pub fn family(&self) -> LikelihoodFamily {
        match self {
            Likelihood::Probit(probit) => probit.member().family(),
            Likelihood::Logistic => LikelihoodFamily::Logistic,
        }
    }

    /// The name of its family.
    pub fn name(&self) -> &'static str {
        self.family().name()
    }

    /// The parameters this member has, with their transforms and fixed flags.
    pub fn params(&self) -> Vec<Param> {
        match self {
            Likelihood::Probit(probit) => probit.params(),
            Likelihood::Logistic => Vec::new(),
        }
    }

    /// Sets the natural values, in the order of [`Likelihood::params`], fixed ones included. Values outside their domain
    /// are the caller's mistake: an optimiser's come out of the transforms, which stay inside it.
    pub fn set_values(&mut self, values: &[f64]) {
        if let Likelihood::Probit(probit) = self {
            probit.set_values(values);
        }
    }

    /// The likelihood itself if its values are within their domains.
    pub fn checked(self) -> Result<Self, LikelihoodError> {
        match &self {
            Likelihood::Probit(probit) => probit.check().map(|()| self),
            Likelihood::Logistic => Ok(self),
        }
    }

    /// Says whether learning may move a parameter.
    pub fn set_fixed(&mut self, name: &str, fixed: bool) -> Result<(), LikelihoodError> {
        match self {
            Likelihood::Probit(probit) => probit.set_fixed(name, fixed),
            Likelihood::Logistic => Err(unknown_parameter(self.name(), name, &[])),
        }
    }

    /// Holds the parameters of that role where they are.
    pub fn hold(&mut self, role: Role) {
        if let Likelihood::Probit(probit) = self {
            probit.hold(role);
        }
    }

    /// Whether labels depend on the sign of the latent value only, so that its scale is not identified. // math 2
    pub fn sees_signs_only(&self) -> bool {
        match self {
            Likelihood::Probit(probit) => probit.sigma() == 0.0 && probit.b() == 0.0,
            Likelihood::Logistic => false,
        }
    }

    /// The probability of a flipped label, the larger where each class has its own; 0 for the logistic.
    pub fn eps(&self) -> f64 {
        match self {
            Likelihood::Probit(probit) => probit.eps(),
            Likelihood::Logistic => 0.0,
        }
    }

    /// The share of negatives labelled positive and of positives labelled negative; 0 for the logistic.
    pub fn error_shares(&self) -> [f64; 2] {
        match self {
            Likelihood::Probit(probit) => probit.error_shares(),
            Likelihood::Logistic => [0.0; 2],
        }
    }

    /// The bias added to the latent value; 0 for the logistic.
    pub fn b(&self) -> f64 {
        match self {
            Likelihood::Probit(probit) => probit.b(),
            Likelihood::Logistic => 0.0,
        }
    }

    /// The standard deviation of the Gaussian noise; 0 for the logistic, whose softness is not Gaussian.
    pub fn sigma(&self) -> f64 {
        match self {
            Likelihood::Probit(probit) => probit.sigma(),
            Likelihood::Logistic => 0.0,
        }
    }

    /// ln p(y|f).
    pub fn log_p(&self, y: Sign, f: f64) -> f64 {
        self.log_predict(y, Gaussian { mean: f, var: 0.0 })
    }

    /// The probability of the positive class under f ~ N(mean, var); var may be 0.
    pub fn predict(&self, f: Gaussian) -> f64 {
        match self {
            Likelihood::Probit(probit) => probit.predict(f),
            Likelihood::Logistic => self.class_probabilities(f).positive,
        }
    }

    /// The probabilities of both classes under f ~ N(mean, var), with a single integration where there is no closed form.
    pub fn class_probabilities(&self, f: Gaussian) -> ClassProbabilities {
        match self {
            Likelihood::Probit(probit) => ClassProbabilities {
                positive: probit.predict(f),
                logs: [Sign::Negative, Sign::Positive].map(|y| probit.log_z(y, f, 1.0)),
            },
            Likelihood::Logistic => logistic::class_probabilities(f),
        }
    }

    /// The logarithm of the probability of `y` under f ~ N(mean, var), accurate in both tails.
    pub fn log_predict(&self, y: Sign, f: Gaussian) -> f64 {
        match self {
            Likelihood::Probit(probit) => probit.log_z(y, f, 1.0),
            Likelihood::Logistic => quadrature::log_z(self, y, f, 1.0),
        }
    }

    /// The moments of p(y|f)^power under the cavity, power in (0, 1].
    pub fn moments(&self, y: Sign, cavity: Gaussian, power: f64) -> Moments {
        match self {
            Likelihood::Probit(probit) if probit.has_closed_form(power) => probit.moments(y, cavity, power),
            _ => quadrature::moments(self, y, cavity, power),
        }
    }

    /// Four derivatives in the cavity mean, and those in the parameters, of ln E p(y|f)^power.
    pub fn curvature(&self, y: Sign, cavity: Gaussian, power: f64) -> Curvature {
        match self {
            Likelihood::Probit(probit) if probit.has_closed_form(power) => probit.curvature(y, cavity, power),
            _ => quadrature::curvature(self, y, cavity, power),
        }
    }

    /// d ln E p(y|f)^power / d each parameter, in natural units and at a fixed cavity.
    pub fn gradient(&self, y: Sign, cavity: Gaussian, power: f64) -> Vec<f64> {
        match self {
            Likelihood::Probit(probit) if probit.member().slots().is_empty() => Vec::new(),
            Likelihood::Probit(probit) if probit.has_closed_form(power) => probit.gradient(y, cavity, power),
            Likelihood::Logistic => Vec::new(),
            _ => quadrature::gradient(self, y, cavity, power),
        }
    }

    /// The probability that the label is wrong, given everything else: eps (1 - Phi(z))/Z, eps that of the class that the
    /// label hides. // math 8
    pub fn flip_probability(&self, y: Sign, cavity: Gaussian) -> f64 {
        match self {
            Likelihood::Probit(probit) => probit.flip_probability(y, cavity),
            Likelihood::Logistic => 0.0,
        }
    }

    /// The same if no label were wrong.
    pub(crate) fn clean(&self) -> Likelihood {
        match self {
            Likelihood::Probit(probit) => Likelihood::Probit(probit.clean()),
            Likelihood::Logistic => Likelihood::Logistic,
        }
    }

    /// Of classes against the rest: the probability of a row to have the label of one particular class that is not its own. One label
    /// error for all rows is the share of those whose side is wrong, which a wrong label makes two of the functions' sides.
    pub(crate) fn error_against_rest(&self, classes: usize) -> f64 {
        let count = classes as f64;
        let rho = match self {
            Likelihood::Probit(probit) if probit.member() == Member::RobustPerClass => probit.floor(Sign::Positive),
            Likelihood::Probit(probit) => 0.5 * count * probit.eps() / (count - 1.0),
            Likelihood::Logistic => 0.0,
        };
        rho.min(1.0 / count)
    }

    /// True where ln p(y|f) is concave in f: the posterior has one mode and every EP site a positive precision.
    pub fn is_log_concave(&self) -> bool {
        self.eps() == 0.0
    }

    /// The derivatives of ln p(y|f) that Laplace's method needs, if there are any.
    pub fn smooth(&self) -> Result<Smooth<'_>, LikelihoodError> {
        Smooth::new(self)
    }
}

fn unknown_parameter(likelihood: &'static str, name: &str, known: &[Param]) -> LikelihoodError {
    let names: Vec<&str> = known.iter().map(|param| param.name.as_str()).collect();
    let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
    LikelihoodError::UnknownParameter { likelihood, name: name.to_string(), known }
}
