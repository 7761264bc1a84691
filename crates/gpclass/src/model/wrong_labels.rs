//! How the labels of training rows look in the light of all others.

use super::found::Found;
use super::{FittedModel, Probabilities};
use crate::data::{Class, Sign};
use gpclass_linalg::Mat;

impl FittedModel {
    /// For every training row the probability of each class to be the true one, its label taken for what it may be worth
    /// (multiclass 6): certainty where the likelihood knows no label error. A wrong label is as likely to have become of one class
    /// as of another, so that the other classes share its probability as the other rows predict them.
    pub fn true_class(&self) -> Probabilities {
        let (wrong, left_out) = (self.label_error(), self.leave_one_out().probability);
        let labels = self.data.labels();
        let at = |row: usize, class: Class| match labels[row] {
            label if label == class => 1.0 - wrong[row],
            label => wrong[row] * self.clean(left_out.at(row, class)) / self.clean_others(&left_out, row, label),
        };
        let classes = self.data.targets().count();
        let all: Vec<Class> = Class::first(classes).collect();
        Probabilities::new(Mat::from_fn(labels.len(), classes, |row, c| at(row, all[c])))
    }

    /// A probability without the share that label errors have in it.
    fn clean(&self, p: f64) -> f64 {
        let rho = if let Found::Joint(_, link) = &self.found { link.label_error() } else { 0.0 };
        (p - rho).max(f64::MIN_POSITIVE)
    }

    fn clean_others(&self, left_out: &Probabilities, row: usize, label: Class) -> f64 {
        left_out.classes().filter(|other| *other != label).map(|other| self.clean(left_out.at(row, other))).sum()
    }

    /// For every training row the posterior probability that its label is wrong (math 8, multiclass 6): zero for a likelihood
    /// without label error.
    pub fn label_error(&self) -> Vec<f64> {
        let likelihood = &self.model.likelihood;
        let labels = self.data.labels().iter().enumerate();
        match &self.found {
            Found::Binary(inferred) => {
                let rows = self.cavities(inferred, 0).iter().zip(self.data.signs());
                rows.map(|(&cavity, &y)| likelihood.flip_probability(y, inferred.observed(cavity))).collect()
            }
            Found::Joint(_, link) => {
                let (rho, left_out) = (link.label_error(), self.leave_one_out());
                let clean = 1.0 - self.data.targets().count() as f64 * rho;
                let wrong = |(row, &label): (usize, &Class)| {
                    // rho (1 - P0) / p with p = rho + (1 - C rho) P0, the probability of the label.
                    let p = left_out.probability(row, label);
                    let right = ((p - rho) / clean).clamp(0.0, 1.0);
                    if rho > 0.0 { (rho * (1.0 - right) / p).clamp(0.0, 1.0) } else { 0.0 }
                };
                labels.map(wrong).collect()
            }
            Found::OneVsRest(each, _) => {
                let wrong = |(row, label): (usize, &Class)| {
                    let own = &each[label.position()];
                    likelihood.flip_probability(Sign::Positive, own.observed(self.cavities(own, label.position())[row]))
                };
                labels.map(wrong).collect()
            }
        }
    }
}
