//! What a classifier makes of the labels that it was trained on: how many are wrong, what contradicts them, and what would change
//! without them.

mod cleaned;
mod expected;
mod held;
mod rates;
mod twins;

pub use cleaned::Cleaned;
pub use expected::{ClassErrors, WrongCount, WrongShare};
pub(super) use rates::Doubts;
pub use rates::ErrorRates;
pub use twins::Twins;

use super::{Classifier, ClassifierError, Neighbour, SuspectSource, nearest};
use crate::data::Class;
use expected::Draws;
use held::Held;
use serde::Serialize;

/// How many labels are wrong, and how often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelErrors {
    /// Of all rows.
    pub wrong: WrongCount,
    /// Of each class.
    pub classes: Vec<ClassErrors>,
    /// Of two classes: whether each has a share of its own, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates: Option<ErrorRates>,
}

impl LabelErrors {
    /// Of two classes: how often labels are wrong, and whether each class has a share of its own.
    pub fn sentence(&self) -> Option<String> {
        let rates = self.rates.as_ref()?;
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let each = || {
            let of =
                |class: &ClassErrors| Some(format!("{} of '{}'", percent(class.share.as_ref()?.value), class.class));
            self.classes.iter().filter_map(of).collect::<Vec<_>>().join(" and ")
        };
        let ErrorRates { per_class, worth, .. } = *rates;
        Some(match (per_class, rates.gain) {
            (true, Some(gain)) => format!(
                "each class has a label error of its own, {}: that explains the labels by {gain:.1} nats better than one for \
                 both, and {worth:.1} are asked for",
                each()
            ),
            (true, None) => format!("each class has a label error of its own, {}", each()),
            (false, Some(gain)) => format!(
                "the label error is {} in both classes: one for each would explain the labels by {:.1} nats better, and {worth:.1} \
                 are asked for",
                percent(rates.positive),
                gain.max(0.0)
            ),
            (false, None) => format!("the label error is {} in both classes", percent(rates.positive)),
        })
    }
}

impl Classifier {
    /// How many labels are wrong, of all rows and of each class; nothing where no model gave that probability.
    pub fn label_errors(&self) -> Option<LabelErrors> {
        let suspects = &self.summary().suspects;
        if suspects.source == SuspectSource::LeaveOneOut {
            return None;
        }
        let (labels, p) = (self.training().labels(), &suspects.probability);
        // Of several classes, and of models that were saved before shares were told, there is one share.
        let mean = p.iter().sum::<f64>() / p.len().max(1) as f64;
        let one = vec![Class::NEGATIVE; p.len()];
        let held = match &suspects.rates {
            Some(rates) => Held { labels, weights: self.training().weights(), wrong: p, at: rates.shares() },
            None => Held { labels: &one, weights: None, wrong: p, at: [mean; 2] },
        };
        let draws = Draws::of(&held, !suspects.rates.is_some_and(|rates| rates.per_class), suspects.spread);
        let count = |of_row: &dyn Fn(usize) -> Option<f64>| {
            let rows = (0..p.len()).filter_map(|row| Some((labels[row], p[row], of_row(row)?)));
            draws.count(&rows.collect::<Vec<_>>())
        };
        let of_class = |class: Class| ClassErrors {
            class: self.classes().name(class).to_owned(),
            rows: labels.iter().filter(|label| **label == class).count(),
            wrong: count(&|row| (labels[row] == class).then_some(1.0)),
            hidden: count(&|row| (labels[row] != class).then(|| suspects.part_of(row, class))),
            share: suspects.rates.map(|rates| draws.share(class, rates.shares()[class.position()])),
        };
        Some(LabelErrors {
            wrong: count(&|_| Some(1.0)),
            classes: self.classes().classes().map(of_class).collect(),
            rates: suspects.rates,
        })
    }

    /// For each of these training rows those most like it that have the label it has rather, the nearest first.
    pub fn contradictions(&self, rows: &[usize], count: usize) -> Result<Vec<Vec<Neighbour>>, ClassifierError> {
        let (data, suspects) = (self.training(), &self.summary().suspects);
        let labels = data.labels();
        let rather: Vec<Class> = rows.iter().map(|&row| suspects.rather(row, labels[row])).collect();
        let wanted = |at: usize, other: usize| labels[other] == rather[at];
        nearest::nearest_of(self.members(), &data.given().select_rows(rows), count, wanted)
    }
}

#[cfg(test)]
mod tests;
