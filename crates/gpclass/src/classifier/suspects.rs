//! Rows whose labels look wrong.

use crate::data::Class;
use crate::learn::{Contender, Selection, WrongLabels};
use crate::model::Probabilities;
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

    /// The rows of at least this probability, most suspect first.
    pub fn above(&self, threshold: f64) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.probability.len()).filter(|&i| self.probability[i] >= threshold).collect();
        rows.sort_by(|&a, &b| self.probability[b].total_cmp(&self.probability[a]));
        rows
    }

    /// Of the members that allow for wrong labels, by their weights; where there are none, of the best contender that does.
    pub(super) fn of(selection: &Selection, loo: &Probabilities, labels: &[Class]) -> Self {
        let knowing = || selection.contenders.iter().filter(|c| c.wrong_labels.is_some() && c.rows() == labels.len());
        let members: Vec<&Contender> = knowing().filter(|c| c.summary.weight > 0.0).collect();
        let alone = selection.contenders.iter().filter(|c| c.summary.weight > 0.0).count() == 1;
        if !members.is_empty() {
            let source = if alone { SuspectSource::Chosen } else { SuspectSource::Members };
            return Suspects::weighed(source, &members);
        }
        let by_score = |a: &&Contender, b: &&Contender| a.summary.score.total_cmp(&b.summary.score);
        match knowing().max_by(by_score) {
            Some(best) => Suspects::weighed(SuspectSource::Contender { name: best.summary.name.clone() }, &[best]),
            None => {
                let probability = labels.iter().enumerate().map(|(row, &label)| loo.of_others(row, label)).collect();
                let true_class = (loo.classes().len() > 2).then(|| loo.clone());
                Suspects { source: SuspectSource::LeaveOneOut, probability, true_class }
            }
        }
    }

    /// The mean over contenders that know of wrong labels, by their shares in the predictions; of one alone its own numbers.
    fn weighed(source: SuspectSource, contenders: &[&Contender]) -> Self {
        let total: f64 = contenders.iter().map(|c| c.summary.weight).sum();
        let share = |c: &Contender| if contenders.len() == 1 { 1.0 } else { c.summary.weight / total };
        let mut sum: Option<WrongLabels> = None;
        for contender in contenders {
            let Some(own) = &contender.wrong_labels else { continue };
            match &mut sum {
                None => sum = Some(own.scaled(share(contender))),
                Some(sum) => sum.add(&own.scaled(share(contender))),
            }
        }
        let WrongLabels { probability, true_class } = sum.unwrap_or_default();
        Suspects { source, probability, true_class }
    }
}
