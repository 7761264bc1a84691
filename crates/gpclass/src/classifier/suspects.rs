//! Rows whose labels look wrong.

use super::Spec;
use super::audit::{Doubts, ErrorRates};
use super::member::Member;
use crate::data::Class;
use crate::learn::{Contender, Control, Nearby, Selection, WrongLabels};
use crate::model::{FittedModel, Probabilities};
use serde::{Deserialize, Serialize};

/// Where the probabilities of wrong labels come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuspectSource {
    /// The chosen model allows for wrong labels and gives their probability.
    Chosen,
    /// Several models predict together; those of them that allow for wrong labels give it, by their weights.
    Members,
    /// No model that predicts does; the best candidate that does gives it.
    Contender {
        /// The name of that candidate.
        name: String,
    },
    /// No candidate does: the number is the probability of the other classes as the other rows predict it, which says
    /// that a row is surprising but not why.
    LeaveOneOut,
}

impl std::fmt::Display for SuspectSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SuspectSource::Chosen => write!(f, "probability that the label is wrong, from the chosen model"),
            SuspectSource::Members => {
                write!(f, "probability that the label is wrong, from the members that know a label error")
            }
            SuspectSource::Contender { name } => write!(
                f,
                "probability that the label is wrong, from the candidate '{name}': the chosen model has no label error"
            ),
            SuspectSource::LeaveOneOut => write!(
                f,
                "probability of the other class when the row is left out: no candidate has a label error, so a high \
                 number means a surprising row, not necessarily a wrong label"
            ),
        }
    }
}

/// For every training row how suspect its label is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspects {
    /// What the numbers are and which model gave them.
    pub source: SuspectSource,
    /// One probability per row.
    pub probability: Vec<f64>,
    /// Of more than two classes: for every row the probability of each class to be the true one, by the same source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub true_class: Option<Probabilities>,
    /// Of two classes: how often labels are wrong, by the same source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<ErrorRates>,
    /// The standard deviation of the logarithm of the expected number of wrong labels over what the data leave open of the
    /// hyperparameters; where that is not known, that of a count of as many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
}

impl Suspects {
    /// The class that a row of this label has rather, if its label is wrong: the most probable other one.
    pub fn rather(&self, row: usize, label: Class) -> Class {
        match &self.true_class {
            Some(probabilities) => probabilities.rival(row, label),
            None if label == Class::POSITIVE => Class::NEGATIVE,
            None => Class::POSITIVE,
        }
    }

    /// If the label of a row is wrong: the probability that it is of this class, which is not that of the label.
    pub(super) fn part_of(&self, row: usize, class: Class) -> f64 {
        match &self.true_class {
            Some(probabilities) if self.probability[row] > 0.0 => {
                (probabilities.at(row, class) / self.probability[row]).clamp(0.0, 1.0)
            }
            _ => 1.0,
        }
    }

    /// The rows of at least this probability, most suspect first.
    pub fn above(&self, threshold: f64) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.probability.len()).filter(|&i| self.probability[i] >= threshold).collect();
        rows.sort_by(|&a, &b| self.probability[b].total_cmp(&self.probability[a]));
        rows
    }

    /// Of the members that allow for wrong labels, by their weights; where there are none, of the best contender that does.
    pub(super) fn of(found: &Found<'_>, loo: &Probabilities, labels: &[Class]) -> Self {
        let contenders = &found.selection.contenders;
        let knowing = || contenders.iter().filter(|c| c.wrong_labels.is_some() && c.rows() == labels.len());
        let members: Vec<&Contender> = knowing().filter(|c| c.summary.weight > 0.0).collect();
        let alone = contenders.iter().filter(|c| c.summary.weight > 0.0).count() == 1;
        if !members.is_empty() {
            let source = if alone { SuspectSource::Chosen } else { SuspectSource::Members };
            return Suspects::weighed(source, &members, found);
        }
        let by_score = |a: &&Contender, b: &&Contender| a.summary.score.total_cmp(&b.summary.score);
        match knowing().max_by(by_score) {
            Some(best) => {
                Suspects::weighed(SuspectSource::Contender { name: best.summary.name.clone() }, &[best], found)
            }
            None => {
                let probability = labels.iter().enumerate().map(|(row, &label)| loo.of_others(row, label)).collect();
                let true_class = (loo.classes().len() > 2).then(|| loo.clone());
                Suspects { source: SuspectSource::LeaveOneOut, probability, true_class, rates: None, spread: None }
            }
        }
    }

    /// The mean over contenders that know of wrong labels, by their shares in the predictions; of one alone its own numbers.
    fn weighed(source: SuspectSource, contenders: &[&Contender], found: &Found<'_>) -> Self {
        let total: f64 = contenders.iter().map(|c| c.summary.weight).sum();
        let share = |c: &Contender| if contenders.len() == 1 { 1.0 } else { c.summary.weight / total };
        let shared: Vec<(f64, &Contender)> = contenders.iter().map(|c| (share(c), *c)).collect();
        let compared = found.spec.fit.likelihood.is_none();
        let Doubts { wrong, rates } = Doubts::of(&shared, compared, &|c| found.restored(c), found.control);
        let WrongLabels { probability, true_class } = wrong;
        let spread = Some(found.spread(&shared).unwrap_or_else(|| spread_of_count(&probability)));
        Suspects { source, probability, true_class, rates, spread }
    }
}

/// The standard deviation of the logarithm of a count: functions that were not looked at beside what they have learned leave their
/// number no less open than this.
fn spread_of_count(probability: &[f64]) -> f64 {
    1.0 / probability.iter().sum::<f64>().max(1.0).sqrt()
}

/// What a fit has found, for those who look at its labels.
pub(super) struct Found<'a> {
    pub selection: &'a Selection,
    pub members: &'a [Member],
    /// The members beside their learned hyperparameters, where that is known.
    pub nearby: Option<&'a [Nearby]>,
    pub spec: &'a Spec,
    pub control: &'a Control,
}

impl Found<'_> {
    fn member(&self, contender: &Contender) -> Option<usize> {
        self.members.iter().position(|member| member.name() == contender.summary.name)
    }

    /// The posterior of a contender, which members have already.
    fn restored(&self, contender: &Contender) -> Option<FittedModel> {
        match self.member(contender) {
            Some(member) => Some(self.members[member].fitted().clone()),
            None => contender.restore().ok(),
        }
    }

    /// How much the number of wrong labels varies with the hyperparameters, by these contenders together; nothing where one is no
    /// member: only those were looked at beside what they have learned.
    fn spread(&self, contenders: &[(f64, &Contender)]) -> Option<f64> {
        let of = |&(share, contender): &(f64, &Contender)| {
            Some(share * self.nearby?[self.member(contender)?].spread_of_wrong())
        };
        contenders.iter().map(of).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_looked_into_is_as_open_as_a_count() {
        assert!((spread_of_count(&[0.5; 32]) - 0.25).abs() < 1e-15);
        assert_eq!(spread_of_count(&[0.01; 3]), 1.0);
    }
}
