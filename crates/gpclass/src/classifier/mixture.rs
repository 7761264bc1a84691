//! Predictions of a classifier: one model's, or a mixture of its members'.

use super::{ClassifierError, Member};
use crate::data::Inputs;
use crate::model::{Predictions, Probabilities};
use crate::special::log_add_exp;
use gpclass_linalg::Mat;

/// Rows as the members together predict them. Means and variances of the latent values are those of the mixture.
pub(super) fn predict(members: &[Member], inputs: &Inputs) -> Result<Predictions, ClassifierError> {
    mixture(members, |_, member| Ok(member.fitted().predict(inputs)?))
}

/// Every training row as the members together predict it from those that do not belong to it.
pub(super) fn left_out(members: &[Member]) -> Result<Predictions, ClassifierError> {
    mixture(members, |_, member| Ok(member.fitted().left_out()))
}

/// The mixture of what each member says, which is asked for by its position.
pub(super) fn mixture(
    members: &[Member],
    predictions: impl Fn(usize, &Member) -> Result<Predictions, ClassifierError>,
) -> Result<Predictions, ClassifierError> {
    let mut sum = Share::of(&members[0], predictions(0, &members[0])?);
    for (k, member) in members.iter().enumerate().skip(1) {
        sum.add(&Share::of(member, predictions(k, member)?));
    }
    Ok(if members.len() > 1 { sum.mixed() } else { sum.alone() })
}

/// A member's share in predictions, or the sum of several.
struct Share {
    probability: Mat,
    log_probability: Mat,
    mean: Mat,
    /// The second moments of the latent values, which add up; their variances if the share is the whole.
    spread: Mat,
}

impl Share {
    fn of(member: &Member, own: Predictions) -> Self {
        let weight = member.weight();
        let Predictions { probability, log_probability, mean, var } = own;
        let square = |i: usize, j: usize| weight * (var[(i, j)] + mean[(i, j)] * mean[(i, j)]);
        Share {
            probability: each(probability.as_mat(), |p| weight * p),
            log_probability: each(&log_probability, |log| log + weight.ln()),
            spread: if weight == 1.0 { var.clone() } else { Mat::from_fn(var.rows(), var.cols(), square) },
            mean: each(&mean, |m| weight * m),
        }
    }

    fn add(&mut self, other: &Share) {
        let plus = |sum: &mut f64, part: f64| *sum += part;
        combine(&mut self.probability, &other.probability, plus);
        combine(&mut self.log_probability, &other.log_probability, |sum, part| *sum = log_add_exp(*sum, part));
        combine(&mut self.mean, &other.mean, plus);
        combine(&mut self.spread, &other.spread, plus);
    }

    /// The predictions of a single member.
    fn alone(self) -> Predictions {
        let Share { probability, log_probability, mean, spread: var } = self;
        Predictions { probability: Probabilities::new(probability), log_probability, mean, var }
    }

    /// The predictions of several members, whose shares sum to one.
    fn mixed(mut self) -> Predictions {
        combine(&mut self.spread, &self.mean, |square, mean| *square = (*square - mean * mean).max(0.0));
        Share { probability: each(&self.probability, |p| p.clamp(0.0, 1.0)), ..self }.alone()
    }
}

fn each(mat: &Mat, of: impl Fn(f64) -> f64) -> Mat {
    Mat::from_columns(mat.rows(), mat.cols(), mat.as_slice().iter().map(|&value| of(value)).collect())
}

fn combine(sum: &mut Mat, part: &Mat, with: impl Fn(&mut f64, f64)) {
    sum.as_mut_slice().iter_mut().zip(part.as_slice()).for_each(|(sum, &part)| with(sum, part));
}
