//! What to do about missing values.

use serde::{Deserialize, Serialize};

/// Missing numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingContinuous {
    /// A missing number is an error that names its row and column.
    #[default]
    Error,
    /// A missing number is replaced by the mean of the training values.
    Impute,
}

/// Missing categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingDiscrete {
    /// A missing category is an error that names its row and column.
    #[default]
    Error,
    /// A missing category is replaced by the most frequent one in training (of equals, the first by name).
    Impute,
    /// Missing is a category like any other, at distance 1 from all of them.
    OwnCategory,
}

/// The policy for both kinds of columns; by default missing values are errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MissingPolicy {
    /// For columns of numbers.
    pub continuous: MissingContinuous,
    /// For columns of categories.
    pub discrete: MissingDiscrete,
}

impl MissingPolicy {
    /// Missing values are errors: the default.
    pub fn error() -> Self {
        MissingPolicy::default()
    }

    /// The mean for numbers, the most frequent category for categories.
    pub fn impute() -> Self {
        MissingPolicy { continuous: MissingContinuous::Impute, discrete: MissingDiscrete::Impute }
    }

    /// Missing categories are a category of their own; numbers as given.
    pub fn own_category(continuous: MissingContinuous) -> Self {
        MissingPolicy { continuous, discrete: MissingDiscrete::OwnCategory }
    }
}
