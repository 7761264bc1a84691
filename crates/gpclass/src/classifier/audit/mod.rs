//! What a classifier makes of the labels that it was trained on: how many are wrong, what contradicts them, and what would change
//! without them.

mod cleaned;
mod expected;
mod twins;

pub use cleaned::Cleaned;
pub use expected::{ClassErrors, WrongCount};
pub use twins::Twins;

use super::{Classifier, ClassifierError, Neighbour, SuspectSource, nearest};
use crate::data::Class;
use expected::RateDraws;

impl Classifier {
    /// How many labels are wrong, of all rows and of each class; nothing where no model gave that probability.
    pub fn wrong_labels(&self) -> Option<(WrongCount, Vec<ClassErrors>)> {
        let suspects = &self.summary().suspects;
        if suspects.source == SuspectSource::LeaveOneOut {
            return None;
        }
        let (labels, p) = (self.training().labels(), &suspects.probability);
        let draws = RateDraws::new(p);
        let of_class = |class: Class| {
            let own: Vec<f64> = (0..p.len()).filter(|&row| labels[row] == class).map(|row| p[row]).collect();
            ClassErrors { class: self.classes().name(class).to_owned(), rows: own.len(), wrong: draws.count(&own) }
        };
        Some((draws.count(p), self.classes().classes().map(of_class).collect()))
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
