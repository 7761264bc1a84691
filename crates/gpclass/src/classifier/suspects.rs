//! Rows whose labels look wrong.

use super::Member;
use crate::data::Class;
use crate::learn::{Contender, Selection};
use crate::model::Probabilities;
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
}

impl Suspects {
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
            return Suspects { source: SuspectSource::Chosen, probability: chosen.fitted().label_error() };
        }
        let by_score = |a: &&Contender, b: &&Contender| a.summary.score.total_cmp(&b.summary.score);
        match selection.contenders.iter().filter(errs).max_by(by_score) {
            Some(best) => {
                let source = SuspectSource::Contender { name: best.summary.name.clone() };
                Suspects { source, probability: best.learned.fitted.label_error() }
            }
            None => {
                let probability = labels.iter().enumerate().map(|(row, &label)| loo.of_others(row, label)).collect();
                Suspects { source: SuspectSource::LeaveOneOut, probability }
            }
        }
    }
}
