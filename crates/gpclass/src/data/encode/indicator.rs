//! Features that say whether a value is missing.

use crate::data::{Coding, ColumnEncoder, EncoderOptions, MissingContinuous, Table};
use std::collections::HashSet;

/// A feature that says where values are missing needs more than this many rows that miss the value, and as many that
/// have it, counted by weight: a handful says nothing about rows to come.
const HANDFUL: f64 = 5.0;

/// An indicator for each column of numbers of which more than a handful of rows are missing, after the policy. Columns
/// that miss the same rows share the first one's.
pub(super) fn indicators(
    table: &Table,
    columns: &[ColumnEncoder],
    weights: Option<&[f64]>,
    options: &EncoderOptions,
) -> Vec<ColumnEncoder> {
    if options.missing.continuous != MissingContinuous::Indicate {
        return Vec::new();
    }
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let mut names: HashSet<String> = table.names().map(str::to_owned).collect();
    let mut patterns = HashSet::new();
    let mut made = Vec::new();
    for column in columns.iter().filter(|column| column.standardiser().is_some()) {
        let Some(values) = table.get(&column.name).map(|found| &found.values) else { continue };
        let missing: Vec<bool> = (0..values.len()).map(|row| values.is_missing(row)).collect();
        let total = |wanted: bool| (0..missing.len()).filter(|&r| missing[r] == wanted).map(weight).sum::<f64>();
        if total(true) > HANDFUL && total(false) > HANDFUL && patterns.insert(missing) {
            let name = free_name(&column.name, &mut names);
            made.push(ColumnEncoder { name, coding: Coding::Missing { of: column.name.clone() } });
        }
    }
    made
}

/// A name for the indicator of a column that no other feature has.
fn free_name(column: &str, taken: &mut HashSet<String>) -> String {
    let mut name = format!("{column} is missing");
    while !taken.insert(name.clone()) {
        name.push('*');
    }
    name
}
