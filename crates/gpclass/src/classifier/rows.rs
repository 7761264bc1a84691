//! What is known of training rows beside their columns and labels.

use crate::data::Groups;
use serde::{Deserialize, Serialize};

/// Weights and groups of the rows of a table.
#[derive(Clone, Debug, Default)]
pub struct RowDetails {
    /// One per row; `None` is all ones.
    pub weights: Option<Vec<f64>>,
    /// Rows that belong together and are left out together; `None` where each stands for itself.
    pub groups: Option<Groups>,
}

impl From<Option<Vec<f64>>> for RowDetails {
    fn from(weights: Option<Vec<f64>>) -> Self {
        RowDetails { weights, groups: None }
    }
}

/// The groups by which rows were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// What they are called: the column that names them.
    pub name: String,
    /// How many there are.
    pub groups: usize,
    /// Rows of the largest.
    pub largest: usize,
}

impl GroupSummary {
    pub(super) fn of(groups: &Groups) -> Self {
        let largest = groups.members().iter().map(Vec::len).max().unwrap_or(0);
        GroupSummary { name: groups.name().to_owned(), groups: groups.members().len(), largest }
    }
}
