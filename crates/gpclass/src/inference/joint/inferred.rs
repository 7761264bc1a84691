//! What inference of several classes returns.

use super::{ClassObservations, PairSites, RowGaussian, cavity, softmax};
use crate::inference::{InferenceError, Report};
use crate::likelihood::Link;
use crate::posterior::CoupledFactor;
use crate::prior::Adjoint;
use gpclass_linalg::Mat;

/// What a search for the posterior of a similar model can start from.
#[derive(Clone, Debug, PartialEq)]
pub enum JointStart {
    /// The sites of expectation propagation.
    Sites(PairSites),
    /// `alpha = K⁻¹ f` of Laplace's mode, rows x classes.
    Weights(Mat),
}

impl JointStart {
    pub(super) fn sites(&self) -> Option<&PairSites> {
        if let JointStart::Sites(sites) = self { Some(sites) } else { None }
    }

    pub(super) fn weights(&self) -> Option<&Mat> {
        if let JointStart::Weights(alpha) = self { Some(alpha) } else { None }
    }

    /// Whether it has a finite number for every row and class.
    pub(super) fn suits(&self, observations: &ClassObservations<'_>) -> bool {
        let fits = |mat: &Mat| {
            (mat.rows(), mat.cols()) == (observations.len(), observations.count)
                && mat.as_slice().iter().all(|v| v.is_finite())
        };
        match self {
            JointStart::Sites(PairSites { tau, beta }) => fits(tau) && fits(beta),
            JointStart::Weights(alpha) => fits(alpha),
        }
    }
}

/// The posterior of several latent functions. Matrices are rows x classes.
#[derive(Clone, Debug)]
pub struct JointInferred {
    /// What a similar search can start from.
    pub start: JointStart,
    /// Site precisions `pi`, those of a row's copies together.
    pub pi: Mat,
    /// Linear terms `nu` of the row sites; each row sums to zero.
    pub nu: Mat,
    /// `K⁻¹ mu`.
    pub alpha: Mat,
    /// Posterior means.
    pub mean: Mat,
    /// The factorised posterior covariance.
    pub factor: CoupledFactor,
    /// Log evidence, the method's estimate of log p(y | X).
    pub log_z: f64,
    /// Derivative of `log_z` in the probability of each particular wrong label.
    pub by_label_error: f64,
    /// How the search went.
    pub report: Report,
}

/// How a number depends on the covariances and on the link.
#[derive(Clone, Debug)]
pub struct JointSensitivity {
    /// In the covariance: of all functions together where they share theirs, else of each.
    pub adjoints: Vec<Adjoint>,
    /// In the probability of each particular wrong label.
    pub label_error: f64,
}

impl JointInferred {
    /// The derivatives of `log_z`. Exact at the fixed point (EP) or mode (Laplace).
    pub fn evidence_sensitivity(&self, observations: &ClassObservations<'_>) -> JointSensitivity {
        let adjoints = match observations.link {
            Link::Probit { .. } => self.factor.adjoints(&self.alpha, None),
            Link::Softmax { .. } => {
                let (implicit, square) = softmax::implicit(self);
                self.factor.adjoints_with(&self.alpha, Some(&implicit), Some(&square))
            }
        };
        JointSensitivity { adjoints, label_error: self.by_label_error }
    }

    /// Every row with one copy of its site taken out (multiclass 4).
    pub fn cavities(&self, observations: &ClassObservations<'_>) -> Vec<RowGaussian> {
        cavity::cavities(self, observations)
    }

    /// Itself, if its evidence and its means are numbers.
    pub(super) fn finite(self) -> Result<Self, InferenceError> {
        let means = self.mean.as_slice().iter().chain(self.alpha.as_slice());
        let numbers = std::iter::once(("log evidence", self.log_z)).chain(means.map(|&m| ("posterior mean", m)));
        match numbers.into_iter().find(|(_, value)| !value.is_finite()) {
            Some((what, value)) => Err(InferenceError::Overflow { what, value }),
            None => Ok(self),
        }
    }
}
