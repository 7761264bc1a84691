//! Wrong labels as a candidate sees them.

use crate::model::{FittedModel, Probabilities};
use gpclass_linalg::{Mat, vector};

/// How the labels of the training rows look to a model that allows for wrong ones, or to several together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrongLabels {
    /// For every row the probability that its label is wrong.
    pub probability: Vec<f64>,
    /// Of more than two classes: for every row the probability of each class to be the true one.
    pub true_class: Option<Probabilities>,
}

impl WrongLabels {
    /// None where the likelihood knows no label error.
    pub(super) fn seen_by(fit: &FittedModel) -> Option<Self> {
        let several = fit.data().targets().count() > 2;
        (fit.model().likelihood.eps() > 0.0)
            .then(|| WrongLabels { probability: fit.label_error(), true_class: several.then(|| fit.true_class()) })
    }

    /// Every probability times a weight.
    pub fn scaled(&self, weight: f64) -> Self {
        let times = |values: &[f64]| values.iter().map(|value| weight * value).collect::<Vec<f64>>();
        let of_classes = |p: &Probabilities| {
            let mat = p.as_mat();
            Probabilities::new(Mat::from_columns(mat.rows(), mat.cols(), times(mat.as_slice())))
        };
        WrongLabels { probability: times(&self.probability), true_class: self.true_class.as_ref().map(of_classes) }
    }

    /// Adds those of another model for the same rows.
    pub fn add(&mut self, other: &WrongLabels) {
        vector::add_scaled(&mut self.probability, 1.0, &other.probability);
        if let (Some(own), Some(other)) = (&mut self.true_class, &other.true_class) {
            let mut sum = own.as_mat().clone();
            vector::add_scaled(sum.as_mut_slice(), 1.0, other.as_mat().as_slice());
            *own = Probabilities::new(sum);
        }
    }
}
