//! Rows that are as good as the same and have different labels.

use super::super::{Classifier, ClassifierError, nearest};
use serde::Serialize;

/// Rows nearer than this, in mean distances between rows, are as good as the same.
const NEAR: f64 = 0.02;

/// Two rows of different labels that no model tells apart, or hardly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Twins {
    /// The earlier row, from 0.
    pub first: usize,
    /// The later one.
    pub second: usize,
    /// How far they are apart: one is the mean distance between two rows.
    pub distance: f64,
    /// Whether their inputs are equal.
    pub exact: bool,
}

impl Classifier {
    /// For every training row the nearest of another label, where that is as good as the same; each pair once, equal rows first.
    pub fn twins(&self) -> Result<Vec<Twins>, ClassifierError> {
        let data = self.training();
        let labels = data.labels();
        let wanted = |row: usize, other: usize| labels[row] != labels[other];
        let near = nearest::nearest_of(self.members(), data.given(), 1, wanted)?;
        let values = data.given().values();
        let equal = |a: usize, b: usize| values.columns().all(|column| column[a] == column[b]);
        let mut found: Vec<Twins> = Vec::new();
        for (row, nearest) in near.iter().enumerate() {
            let Some(other) = nearest.first() else { continue };
            let (first, second) = (row.min(other.row), row.max(other.row));
            let exact = equal(first, second);
            let known = found.iter().any(|twins| (twins.first, twins.second) == (first, second));
            if (exact || other.distance < NEAR) && !known {
                found.push(Twins { first, second, distance: other.distance, exact });
            }
        }
        found.sort_by(|a, b| b.exact.cmp(&a.exact).then(a.distance.total_cmp(&b.distance)).then(a.first.cmp(&b.first)));
        Ok(found)
    }
}
