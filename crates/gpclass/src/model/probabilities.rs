//! Class probabilities of rows.

use crate::data::Class;
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};

/// For every row the probability of each class: rows x classes.
///
/// Stored for two classes as the probabilities of the positive one, for more as one list per row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Probabilities(Mat);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Positive(Vec<f64>),
    Rows(Vec<Vec<f64>>),
}

/// Why stored numbers are not class probabilities.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
enum StoredError {
    #[error("a class probability is {0}, which is not between 0 and 1")]
    Range(f64),
    #[error("the rows have different numbers of class probabilities")]
    Ragged,
}

impl TryFrom<Stored> for Probabilities {
    type Error = StoredError;

    fn try_from(stored: Stored) -> Result<Self, StoredError> {
        let probabilities = match stored {
            Stored::Positive(positive) => Probabilities::of_positive(positive),
            Stored::Rows(rows) => {
                let classes = rows.first().map_or(0, Vec::len);
                if rows.iter().any(|row| row.len() != classes || classes < 3) {
                    return Err(StoredError::Ragged);
                }
                Probabilities(Mat::from_fn(rows.len(), classes, |i, c| rows[i][c]))
            }
        };
        match probabilities.0.as_slice().iter().find(|p| !(0.0..=1.0).contains(*p)) {
            Some(&bad) => Err(StoredError::Range(bad)),
            None => Ok(probabilities),
        }
    }
}

impl From<Probabilities> for Stored {
    fn from(Probabilities(mat): Probabilities) -> Self {
        match mat.cols() {
            2 => Stored::Positive(mat.col(1).to_vec()),
            classes => Stored::Rows((0..mat.rows()).map(|i| (0..classes).map(|c| mat[(i, c)]).collect()).collect()),
        }
    }
}

impl Probabilities {
    /// Of two classes, from the probabilities of the positive one.
    pub fn of_positive(positive: Vec<f64>) -> Self {
        let rows = positive.len();
        let mut columns: Vec<f64> = positive.iter().map(|p| 1.0 - p).collect();
        columns.extend(positive);
        Probabilities(Mat::from_columns(rows, 2, columns))
    }

    /// From a matrix of rows x classes. Of two classes the second column counts, so that the two sum to one.
    pub fn new(mat: Mat) -> Self {
        if mat.cols() == 2 { Self::of_positive(mat.col(1).to_vec()) } else { Probabilities(mat) }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }

    /// The classes in order.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Class> + Clone {
        Class::first(self.0.cols())
    }

    /// As a matrix of rows x classes.
    pub fn as_mat(&self) -> &Mat {
        &self.0
    }

    /// The probability of a class in a row.
    pub fn at(&self, row: usize, class: Class) -> f64 {
        self.0[(row, class.position())]
    }

    /// The probability of a class in every row.
    pub fn of_class(&self, class: Class) -> &[f64] {
        self.0.col(class.position())
    }

    /// The most probable class of a row; the first of equals, so the negative one at exactly one half.
    pub fn most_probable(&self, row: usize) -> Class {
        self.best(row, self.classes())
    }

    /// The most probable class of a row other than `class`.
    pub fn rival(&self, row: usize, class: Class) -> Class {
        self.best(row, self.classes().filter(|other| *other != class))
    }

    /// The probability that a row is of any class but this one.
    pub fn of_others(&self, row: usize, class: Class) -> f64 {
        self.classes().filter(|other| *other != class).map(|other| self.at(row, other)).sum()
    }

    fn best(&self, row: usize, classes: impl Iterator<Item = Class>) -> Class {
        let better = |best: Class, class: Class| if self.at(row, class) > self.at(row, best) { class } else { best };
        classes.reduce(better).unwrap_or(Class::NEGATIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_follow_from_the_positive_one() {
        let p = Probabilities::of_positive(vec![0.5, 0.7, f64::MIN_POSITIVE]);
        assert_eq!(p.at(1, Class::NEGATIVE), 1.0 - 0.7);
        assert_eq!(p.of_others(1, Class::NEGATIVE).to_bits(), 0.7_f64.to_bits());
        let best: Vec<usize> = (0..3).map(|row| p.most_probable(row).position()).collect();
        assert_eq!(best, [0, 1, 0], "a tie goes to the negative class");
        assert_eq!(p.rival(1, Class::POSITIVE), Class::NEGATIVE);
        let text = serde_json::to_string(&p).unwrap();
        assert_eq!(text, "[0.5,0.7,2.2250738585072014e-308]");
        assert_eq!(serde_json::from_str::<Probabilities>(&text).unwrap(), p);
    }

    #[test]
    fn three_classes_keep_their_rows() {
        let p = Probabilities::new(Mat::from_columns(2, 3, vec![0.2, 0.1, 0.5, 0.1, 0.3, 0.8]));
        assert_eq!((p.most_probable(0).position(), p.rival(0, Class::POSITIVE).position()), (1, 2));
        assert_eq!(p.of_others(1, Class::from(2)), 0.2);
        let text = serde_json::to_string(&p).unwrap();
        assert_eq!(text, "[[0.2,0.5,0.3],[0.1,0.1,0.8]]");
        assert_eq!(serde_json::from_str::<Probabilities>(&text).unwrap(), p);
    }

    #[test]
    fn what_is_no_probability_is_not_read() {
        for text in ["[0.5,1.5]", "[-0.1]", "[[0.1,0.2,2.0]]", "[[0.1,0.9]]", "[[0.1,0.2,0.7],[0.5,0.5]]"] {
            assert!(serde_json::from_str::<Probabilities>(text).is_err(), "{text}");
        }
    }
}
