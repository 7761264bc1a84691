//! How the labels of training rows look in the light of all others.

use super::found::Found;
use super::predictions::shares;
use super::{FittedModel, Probabilities};
use crate::data::Class;
use crate::inference::Inferred;
use crate::likelihood::Gaussian;
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
                let count = self.data.targets().count();
                let right = |row, label| (left_out.probability(row, label) - rho) / (1.0 - count as f64 * rho);
                let wrong = |(row, &label): (usize, &Class)| wrong(rho, count, right(row, label).clamp(0.0, 1.0));
                labels.map(wrong).collect()
            }
            Found::OneVsRest(each, _) => {
                let latent = |row: usize, c: usize| self.cavities(&each[c], c)[row];
                labels.map(|(row, &label)| self.wrong_against_rest(each, label, |c| latent(row, c))).collect()
            }
        }
    }

    /// The probability that this label of a row is wrong, from all functions' values without it: as for classes together, with what
    /// they make of the row if no label were wrong.
    pub(super) fn wrong_against_rest(
        &self,
        each: &[Inferred],
        label: Class,
        latent: impl Fn(usize) -> Gaussian,
    ) -> f64 {
        let count = each.len();
        let rho = self.model.likelihood.error_against_rest(count);
        if rho == 0.0 {
            return 0.0;
        }
        let clean = self.model.likelihood.clean();
        let claim = |c: usize| self.model.multiclass.log_claim(&clean, each[c].observed(latent(c)));
        wrong(rho, count, shares((0..count).map(claim).collect())[label.position()].exp())
    }
}

/// The probability of a label to be wrong whose class has the probability `right` if no label were: `rho (1 - P0) / (rho + (1 - C rho) P0)`.
fn wrong(rho: f64, classes: usize, right: f64) -> f64 {
    if rho > 0.0 { rho * (1.0 - right) / (rho + (1.0 - classes as f64 * rho) * right) } else { 0.0 }
}
