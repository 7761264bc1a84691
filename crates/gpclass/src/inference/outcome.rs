//! What an inference method returns: the posterior and an honest account of how it was reached.

use super::InferenceError;
use crate::likelihood::Gaussian;
use crate::posterior::Posterior;
use serde::{Deserialize, Serialize};

/// A posterior with its evidence, its cavities and the account of the search.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The latent values of the training rows given their labels, ready to predict.
    pub posterior: Posterior,
    /// Log evidence, the method's estimate of log p(y | X).
    pub log_z: f64,
    /// Leave-one-out latent distributions of the training rows.
    pub cavities: Vec<Gaussian>,
    /// Variance of an observation about its latent value that the likelihood does not know of: the noise of the
    /// least-squares classifier, zero elsewhere. It widens predictive probabilities.
    pub observation_var: f64,
    /// How the search for it went.
    pub report: Report,
}

impl Inferred {
    /// Itself, if every number is one.
    pub(super) fn finite(self) -> Result<Self, InferenceError> {
        let posterior = &self.posterior;
        let of_cavities = |value: fn(&Gaussian) -> f64| self.cavities.iter().map(value).collect::<Vec<f64>>();
        for (what, values) in [
            ("log evidence", &[self.log_z][..]),
            ("weight of a training row in the mean", posterior.alpha()),
            ("latent mean of a training row", posterior.mean()),
            ("latent variance of a training row", posterior.var()),
            ("leave-one-out mean of a training row", &of_cavities(|cavity| cavity.mean)),
            ("leave-one-out variance of a training row", &of_cavities(|cavity| cavity.var)),
        ] {
            if let Some(&value) = values.iter().find(|v| !v.is_finite()) {
                return Err(InferenceError::Overflow { what, value });
            }
        }
        Ok(self)
    }

    /// The same where latent values were counted from the means that rows elsewhere give them.
    pub(super) fn counted_from_zero(mut self, offset: Option<&[f64]>) -> Self {
        if let Some(offset) = offset {
            self.posterior = self.posterior.counted_from_zero(offset);
            self.cavities.iter_mut().zip(offset).for_each(|(cavity, offset)| cavity.mean += offset);
        }
        self
    }

    /// A latent distribution as widened by the method's own observation noise.
    pub(crate) fn observed(&self, latent: Gaussian) -> Gaussian {
        Gaussian { mean: latent.mean, var: latent.var + self.observation_var }
    }
}

/// How the search went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Whether it reached its fixed point, and if not why.
    pub outcome: Outcome,
    /// Sweeps over all sites (EP: factorisations; Laplace: Newton steps), over all attempts.
    pub sweeps: usize,
    /// Distance from the fixed point, in posterior standard deviations, summed in squares over rows.
    pub residual: f64,
    /// Added to the diagonal of the covariance because it was not positive definite in floating point.
    pub jitter: f64,
    /// Sites with negative precision: rows that look mislabelled.
    pub negative_sites: usize,
}

impl Report {
    /// Of several searches together: the worst outcome, all sweeps, the largest residual and jitter.
    pub(crate) fn worst<'a>(all: impl Iterator<Item = &'a Report>) -> Report {
        let none = Report { outcome: Outcome::Converged, sweeps: 0, residual: 0.0, jitter: 0.0, negative_sites: 0 };
        all.fold(none, |sum, one| Report {
            outcome: if one.outcome.rank() > sum.outcome.rank() { one.outcome } else { sum.outcome },
            sweeps: sum.sweeps + one.sweeps,
            residual: sum.residual.max(one.residual),
            jitter: sum.jitter.max(one.jitter),
            negative_sites: sum.negative_sites + one.negative_sites,
        })
    }
}

/// Whether the fixed point was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The fixed point was reached to the tolerance asked for, or as near as the method accepts.
    Converged,
    /// As close to the fixed point as the rounding of the covariance matrix allows, which is not as close as was asked for:
    /// the prior variance exceeds the noise by so much that the matrix as stored does not determine the posterior any
    /// better. The residual says how close.
    ConvergedToRounding,
    /// One pass was asked for and made: assumed-density filtering has no fixed point to reach.
    OnePass,
    /// The posterior of sites that were given, not looked for.
    GivenSites,
    /// The numbers are those of the best state found, not of a fixed point.
    NotConverged(Reason),
}

impl Outcome {
    /// Whether the numbers are those of the fixed point, as far as floating-point numbers can tell.
    pub fn converged(self) -> bool {
        matches!(self, Outcome::Converged | Outcome::ConvergedToRounding)
    }

    /// How far it is from the best.
    fn rank(self) -> usize {
        match self {
            Outcome::Converged => 0,
            Outcome::ConvergedToRounding => 1,
            Outcome::OnePass => 2,
            Outcome::GivenSites => 3,
            Outcome::NotConverged(_) => 4,
        }
    }
}

/// What counts as converged where a search stopped before its tolerance.
pub(super) struct Acceptable {
    /// In any case.
    pub plain: f64,
    /// Where rounding accounts for the whole residual.
    pub rounded: f64,
}

impl Acceptable {
    /// The outcome of a search that stopped at a residual of which `rounding` may be due to rounding.
    pub fn judge(&self, residual: f64, rounding: impl FnOnce() -> f64, stopped: Reason) -> Outcome {
        match residual {
            r if r <= self.plain => Outcome::Converged,
            r if r <= rounding() => {
                if r <= self.rounded {
                    Outcome::ConvergedToRounding
                } else {
                    Outcome::NotConverged(Reason::Rounding)
                }
            }
            _ => Outcome::NotConverged(stopped),
        }
    }
}

/// Why the fixed point was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The sweep limit was reached while the residual was still falling.
    SweepLimit,
    /// The residual stopped falling.
    NoProgress,
    /// What is left of the residual is rounding, as in [`Outcome::ConvergedToRounding`], but too much to call it converged.
    Rounding,
    /// Every step led to sites without a proper posterior.
    Improper,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::SweepLimit => "the sweep limit was reached; allow more sweeps",
            Reason::NoProgress => {
                "the iterations stopped approaching a fixed point, which contradictory labels under a small label \
                 error can cause; check duplicated rows or raise eps"
            }
            Reason::Rounding => {
                "rounding hides the rest, because the prior variance exceeds the noise by ten orders of magnitude or \
                 more; lower the variances or raise sigma or v2"
            }
            Reason::Improper => {
                "every step led to an improper posterior, which contradictory labels under a small label error can \
                 cause; check duplicated rows or raise eps"
            }
        })
    }
}
