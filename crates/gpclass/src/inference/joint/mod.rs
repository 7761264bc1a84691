//! Several classes at once: one latent function for each, coupled by the labels (multiclass 1 to 6).
//!
//! `probit` is expectation propagation under the multinomial probit, `softmax` Laplace's method under the softmax. Both end
//! in the same [`CoupledFactor`](crate::posterior::CoupledFactor) and so in the same [`JointInferred`]; [`Method`] chooses between them here.

mod cavity;
mod group;
mod inferred;
mod kept;
mod observations;
mod own_label;
mod probit;
mod softmax;

pub use cavity::RowGaussian;
pub use inferred::{JointInferred, JointSensitivity, JointStart};
pub use kept::JointKept;
pub use observations::ClassObservations;
pub use own_label::OwnLabels;
pub use probit::PairSites;

use super::{InferenceError, Method};
use crate::interrupt::Interrupt;
use crate::likelihood::Link;
use crate::posterior::FunctionPriors;

impl Method {
    /// Infers the posterior of all classes' functions. `start` warms the search up.
    pub fn infer_jointly(
        &self,
        prior: FunctionPriors,
        observations: &ClassObservations<'_>,
        start: Option<&JointStart>,
        interrupt: Interrupt<'_>,
    ) -> Result<JointInferred, InferenceError> {
        check(&prior, observations)?;
        let start = start.filter(|start| start.suits(observations));
        let found = match (self, observations.link) {
            (Method::Ep(options), Link::Probit { .. }) => {
                probit::infer(prior, observations, start.and_then(JointStart::sites), options, interrupt)
            }
            (Method::Laplace(options), Link::Softmax { .. }) => {
                softmax::infer(prior, observations, start.and_then(JointStart::weights), options, interrupt)
            }
            _ => return Err(InferenceError::NotJoint { method: self.name(), likelihood: observations.link.name() }),
        };
        found?.finite()
    }

    /// Whether it can infer several classes at once under that link.
    pub fn is_joint_under(&self, link: Link) -> bool {
        matches!((self, link), (Method::Ep(_), Link::Probit { .. }) | (Method::Laplace(_), Link::Softmax { .. }))
    }
}

/// Whether shapes agree and every number is finite.
fn check(prior: &FunctionPriors, observations: &ClassObservations<'_>) -> Result<(), InferenceError> {
    let (n, rows) = (observations.len(), prior.rows());
    if rows != n {
        return Err(InferenceError::Shape { n, rows, cols: rows });
    }
    match prior.overflow() {
        Some((row, other, value)) => Err(InferenceError::Covariance { row, other, value }),
        None => Ok(()),
    }
}
