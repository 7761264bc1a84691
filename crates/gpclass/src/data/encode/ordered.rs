//! Ordered categories: levels in the order that the user gives, with a number for each.

use super::column::numbers_of;
use super::levels::LevelFinder;
use crate::data::{DataError, Standardiser, Texts};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The levels of an ordered column, lowest first, and how their positions 0, 1, 2, ... are scaled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderedLevels {
    /// All levels, lowest first, whether or not training rows have them.
    pub names: Vec<String>,
    /// Centre and scale of the positions.
    pub positions: Standardiser,
}

impl OrderedLevels {
    /// Refuses levels that are fewer than two, or not all different.
    pub(super) fn check(column: &str, names: &[String]) -> Result<(), DataError> {
        let mut seen = HashSet::new();
        let column = column.to_owned();
        if let Some(level) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(DataError::RepeatedLevel { column, level: level.clone() });
        }
        if names.len() < 2 {
            return Err(DataError::FewLevels { column, levels: names.len() });
        }
        Ok(())
    }

    /// The positions of texts, NaN where missing; a text that is no level is what `unknown` makes of it, by its row.
    pub(super) fn positions(
        names: &[String],
        texts: &Texts,
        unknown: impl FnMut(usize, &str) -> Result<f64, DataError>,
    ) -> Result<Vec<f64>, DataError> {
        let finder = LevelFinder::new(names);
        numbers_of(texts, |text| finder.find(text).map(|position| position as f64), unknown)
    }
}
