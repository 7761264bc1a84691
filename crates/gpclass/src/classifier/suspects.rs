//! Rows whose labels look wrong.

use super::Member;
use crate::data::Class;
use crate::learn::{Contender, Selection};
use crate::model::{FittedModel, Probabilities};
use serde::{Deserialize, Serialize};

/// Where the probabilities of wrong labels come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuspectSource {
    /// The chosen model allows for wrong labels and gives their probability.
    Chosen,
    /// The chosen model does not; the best candidate that does gives it.
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

    pub(super) fn of(selection: &Selection, members: &[Member], loo: &Probabilities, labels: &[Class]) -> Self {
        let errs = |contender: &&Contender| contender.learned.fitted.model().likelihood.eps() > 0.0;
        if let Some(chosen) = members.first()
            && errs(&selection.chosen())
        {
            return Suspects::by(SuspectSource::Chosen, chosen.fitted());
        }
        let by_score = |a: &&Contender, b: &&Contender| a.summary.score.total_cmp(&b.summary.score);
        match selection.contenders.iter().filter(errs).max_by(by_score) {
            Some(best) => {
                let source = SuspectSource::Contender { name: best.summary.name.clone() };
                Suspects::by(source, &best.learned.fitted)
            }
            None => {
                let probability = labels.iter().enumerate().map(|(row, &label)| loo.of_others(row, label)).collect();
                let true_class = (loo.classes().len() > 2).then(|| loo.clone());
                Suspects { source: SuspectSource::LeaveOneOut, probability, true_class }
            }
        }
    }

    /// As a model with label error has them.
    fn by(source: SuspectSource, fitted: &FittedModel) -> Self {
        let several = fitted.data().targets().count() > 2;
        Suspects { source, probability: fitted.label_error(), true_class: several.then(|| fitted.true_class()) }
    }
}
