//! Which classes were called what.

use crate::data::Class;
use serde::{Deserialize, Serialize};

/// The weight of the rows of each class that were called each class; without weights, their number. Stored as one list
/// per class that the rows have, of as many numbers as there are classes to call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<Vec<f64>>", try_from = "Vec<Vec<f64>>")]
pub struct Confusion {
    of_label: Vec<Vec<f64>>,
}

/// Why stored numbers are no confusion matrix.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the confusion matrix is not a square of finite numbers that are not negative")]
pub struct NotAConfusion;

impl TryFrom<Vec<Vec<f64>>> for Confusion {
    type Error = NotAConfusion;

    fn try_from(of_label: Vec<Vec<f64>>) -> Result<Self, NotAConfusion> {
        let fine = |row: &Vec<f64>| row.len() == of_label.len() && row.iter().all(|w| w.is_finite() && *w >= 0.0);
        if of_label.iter().all(fine) { Ok(Confusion { of_label }) } else { Err(NotAConfusion) }
    }
}

impl From<Confusion> for Vec<Vec<f64>> {
    fn from(confusion: Confusion) -> Self {
        confusion.of_label
    }
}

impl Confusion {
    /// From the label, the class that was called and the weight of every row.
    pub(super) fn count(classes: usize, rows: impl Iterator<Item = (Class, Class, f64)>) -> Self {
        let mut of_label = vec![vec![0.0; classes]; classes];
        for (label, called, weight) in rows {
            of_label[label.position()][called.position()] += weight;
        }
        Confusion { of_label }
    }

    /// The classes in order.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Class> + Clone {
        Class::first(self.of_label.len())
    }

    /// Of the rows that have a class, the weight of those called each class.
    pub fn of_label(&self, label: Class) -> &[f64] {
        &self.of_label[label.position()]
    }

    /// The weight of the rows that have one class and were called another, or the same.
    pub fn at(&self, label: Class, called: Class) -> f64 {
        self.of_label[label.position()][called.position()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_counted_and_survive_json() {
        let [a, b, c] = [0, 1, 2].map(Class::from);
        let rows = [(a, a, 1.0), (a, c, 0.5), (b, b, 1.0), (a, c, 2.0)];
        let confusion = Confusion::count(3, rows.into_iter());
        assert_eq!(confusion.of_label(a), [1.0, 0.0, 2.5]);
        assert_eq!((confusion.at(a, c), confusion.at(c, a), confusion.classes().len()), (2.5, 0.0, 3));
        let text = serde_json::to_string(&confusion).unwrap();
        assert_eq!(text, "[[1.0,0.0,2.5],[0.0,1.0,0.0],[0.0,0.0,0.0]]");
        assert_eq!(serde_json::from_str::<Confusion>(&text).unwrap(), confusion);
    }

    #[test]
    fn what_is_no_confusion_is_not_read() {
        for text in ["[[1.0]],", "[[1.0,0.0]]", "[[1.0,0.0],[0.0]]", "[[1.0,-1.0],[0.0,1.0]]", "[[1.0,null],[0.0,1.0]]"]
        {
            assert!(serde_json::from_str::<Confusion>(text).is_err(), "{text}");
        }
    }
}
