//! Why columns look like identifiers, and what became of missing values, in words.

use crate::text::quote::Quoted;
use std::fmt;

/// Why a column looks like an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifierReason {
    /// Integers that are all different and in ascending or descending order.
    InOrder,
    /// Integers that are all different, in no order.
    AllDifferent,
    /// Texts that are all different.
    Texts,
    /// Integers or texts that are all different, below the name of an identifier.
    Named,
}

impl fmt::Display for IdentifierReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IdentifierReason::InOrder => "holds integers that are all different and in order, like row numbers",
            IdentifierReason::AllDifferent => "holds integers that are all different, like an identifier",
            IdentifierReason::Texts => "holds texts that are all different, like an identifier",
            IdentifierReason::Named => "has the name of an identifier and values that are all different",
        })
    }
}

/// What became of missing values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The mean or median of the column.
    Middle,
    /// The median of the column, and the feature of this name says which rows they are.
    Told(String),
    /// The most frequent category.
    MostFrequent,
    /// A category of their own.
    Category,
    /// What training rows usually have.
    Usual,
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Replacement::Middle => f.write_str("replaced by its mean or median"),
            Replacement::Told(name) => {
                write!(f, "replaced by its median and told apart by the feature {}", Quoted(name))
            }
            Replacement::MostFrequent => f.write_str("replaced by its most frequent category"),
            Replacement::Category => f.write_str("treated as a separate category"),
            Replacement::Usual => f.write_str("replaced by the usual value of training rows"),
        }
    }
}
