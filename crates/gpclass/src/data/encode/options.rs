//! Choices made when an encoder is fitted.

use crate::data::{DataError, MissingPolicy, Standardise, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Choices made when an encoder is fitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EncoderOptions {
    /// Whether continuous columns are standardised; yes by default.
    pub standardise: Standardise,
    /// What to do about missing values; by default they are replaced, and told apart where that may matter.
    pub missing: MissingPolicy,
    /// The most categories a discrete column may have; 4096 by default. A block of one column per category is dense.
    pub max_levels: usize,
    /// Columns that hold categories whatever their texts look like: they are neither dates nor left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub discrete: Vec<String>,
    /// Columns that are used though they look like identifiers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// Columns of ordered categories, with their levels from the lowest to the highest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ordered: BTreeMap<String, Vec<String>>,
    /// Whether columns that look like identifiers are left out; yes by default.
    #[serde(skip_serializing_if = "is_true")]
    pub leave_out_ids: bool,
}

fn is_true(value: &bool) -> bool {
    *value
}

impl Default for EncoderOptions {
    fn default() -> Self {
        EncoderOptions {
            standardise: Standardise::Yes,
            missing: MissingPolicy::default(),
            max_levels: 4096,
            discrete: Vec::new(),
            keep: Vec::new(),
            ordered: BTreeMap::new(),
            leave_out_ids: true,
        }
    }
}

impl EncoderOptions {
    /// Refuses names that are no columns of the table.
    pub(super) fn check_names(&self, table: &Table) -> Result<(), DataError> {
        let mut names = self.discrete.iter().chain(&self.keep).chain(self.ordered.keys());
        names.try_for_each(|name| table.column(name).map(drop))
    }

    /// Whether the user has said something about the column that only makes sense if it is used.
    pub(in crate::data) fn names(&self, column: &str) -> bool {
        let listed = |list: &[String]| list.iter().any(|name| name == column);
        listed(&self.discrete) || listed(&self.keep) || self.ordered.contains_key(column)
    }
}
