//! Columns that look like the names of groups: of patients with several visits, of batches with several samples.

use super::identifiers::{is_id_name, words};
use crate::data::encode::are_dates;
use crate::data::{Class, Column, ColumnValues, DataNote, EncoderOptions, Table, Texts};
use std::collections::HashSet;

/// Fewer rows are too few to say so.
const MIN_ROWS: usize = 20;
/// Rows per value from which a column below such a name repeats its values.
const NAMED_ROWS_EACH: f64 = 1.5;
/// Values that a column below such a name has at least: a measurement of two or three levels is none.
const NAMED_VALUES: usize = 4;
/// Values of more than one row, each with one label throughout, that texts below any other name have at least.
const CONSTANT_VALUES: usize = 10;
/// Share of those values among all of more than one row.
const CONSTANT_SHARE: f64 = 0.95;
/// Share that would be constant among shuffled labels at most: above it there is nothing to see.
const BY_CHANCE: f64 = 0.5;

/// Words for what has several rows in many tables.
const GROUP_WORDS: [&str; 18] = [
    "patient",
    "patients",
    "subject",
    "subjects",
    "participant",
    "person",
    "donor",
    "user",
    "customer",
    "client",
    "household",
    "family",
    "animal",
    "mouse",
    "batch",
    "cluster",
    "respondent",
    "group",
];

/// Notes on columns that look like groups and about which the options say nothing, in the order of the table.
pub fn group_notes(table: &Table, labels: &[Class], options: &EncoderOptions) -> Vec<DataNote> {
    let unnamed = table.columns().iter().filter(|column| !options.names(&column.name));
    unnamed.filter_map(|column| group_note(column, labels)).collect()
}

fn group_note(column: &Column, labels: &[Class]) -> Option<DataNote> {
    let rows = column.values.len();
    let words = words(&column.name);
    let named = is_id_name(&words) || words.iter().any(|word| GROUP_WORDS.contains(&word.as_str()));
    let (values, follows) = match &column.values {
        _ if rows < MIN_ROWS || labels.len() != rows => return None,
        ColumnValues::Continuous(values) if named => (different_integers(values)?, false),
        ColumnValues::Discrete(texts) if texts.missing() == 0 && !are_dates(texts) => {
            (texts.names().len(), !named && labels_follow(texts, labels))
        }
        ColumnValues::Continuous(_) | ColumnValues::Discrete(_) | ColumnValues::Dates(_) => return None,
    };
    let repeats = values >= NAMED_VALUES && rows as f64 >= NAMED_ROWS_EACH * values as f64;
    let looks = if named { repeats } else { follows };
    looks.then(|| DataNote::GroupLike { column: column.name.clone(), values })
}

/// How many different numbers there are, if all are there and integers.
fn different_integers(values: &[f64]) -> Option<usize> {
    let mut seen = HashSet::new();
    let whole = values.iter().all(|&value| {
        seen.insert((value + 0.0).to_bits());
        value.fract() == 0.0
    });
    whole.then_some(seen.len())
}

/// The rows of one value.
#[derive(Clone, Copy)]
struct Own {
    rows: i32,
    label: Class,
    constant: bool,
}

/// Whether nearly every value of several rows has one label throughout, and shuffled labels would not.
fn labels_follow(texts: &Texts, labels: &[Class]) -> bool {
    let mut of_value = vec![Own { rows: 0, label: Class::NEGATIVE, constant: true }; texts.names().len()];
    for (code, &label) in texts.codes().zip(labels) {
        let Some(own) = code.map(|code| &mut of_value[code]) else { continue };
        own.constant &= own.rows == 0 || own.label == label;
        *own = Own { rows: own.rows.saturating_add(1), label, constant: own.constant };
    }
    let several: Vec<Own> = of_value.into_iter().filter(|own| own.rows > 1).collect();
    let constant = several.iter().filter(|own| own.constant).count();
    let count = labels.iter().map(|label| label.position() + 1).max().unwrap_or(0);
    let share = |class: Class| labels.iter().filter(|label| **label == class).count() as f64 / labels.len() as f64;
    let shares: Vec<f64> = Class::first(count).map(share).collect();
    let alike = |own: &Own| shares.iter().map(|share| share.powi(own.rows)).sum::<f64>();
    let mut chances: Vec<f64> = several.iter().map(alike).collect();
    // A sum that does not depend on the order of the rows.
    chances.sort_by(f64::total_cmp);
    let by_chance: f64 = chances.iter().sum();
    let all = several.len() as f64;
    several.len() >= CONSTANT_VALUES && constant as f64 >= CONSTANT_SHARE * all && by_chance <= BY_CHANCE * all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(positive: bool) -> Class {
        if positive { Class::POSITIVE } else { Class::NEGATIVE }
    }

    fn is_noted(column: Column, labels: &[Class]) -> bool {
        let rows = column.values.len();
        let rest = Column::continuous("rest", (0..rows).map(|i| (i * 37 % 11) as f64 / 3.0).collect());
        let notes = group_notes(&Table::new(vec![rest, column]).unwrap(), labels, &EncoderOptions::default());
        assert!(notes.len() < 2);
        !notes.is_empty()
    }

    fn coded(name: &str, each: usize) -> Column {
        Column::continuous(name, (0..60).map(|i| 100.0 + (i / each) as f64).collect())
    }

    #[test]
    fn names_of_patients_that_repeat_are_told() {
        let any: Vec<Class> = (0..60).map(|i| label(i * 7 % 3 == 0)).collect();
        for name in ["patient_id", "Patient", "subject", "user id", "batch", "wardId"] {
            assert!(is_noted(coded(name, 4), &any), "{name}");
            // Every row has a value of its own: that is an identifier.
            assert!(!is_noted(coded(name, 1), &any), "{name}");
        }
        for name in ["age", "grade", "humid", "patience", "groups of blood cells"] {
            assert!(!is_noted(coded(name, 4), &any), "{name}");
        }
        assert!(!is_noted(coded("group", 30), &any), "two arms of a trial");
    }

    #[test]
    fn texts_whose_rows_share_a_label_are_told_whatever_their_name() {
        let text = |each: usize| Column::categories("who", (0..60).map(|i| format!("p{}", i / each)));
        let shared: Vec<Class> = (0..60).map(|i| label(i / 4 % 2 == 0)).collect();
        let mixed: Vec<Class> = (0..60).map(|i| label(i % 2 == 0)).collect();
        assert!(is_noted(text(4), &shared) && !is_noted(text(4), &mixed));
        // A predictive category of few levels is a feature.
        assert!(!is_noted(text(12), &(0..60).map(|i| label(i / 12 % 2 == 0)).collect::<Vec<_>>()));
        // Among rare positives most values are constant anyway.
        assert!(!is_noted(text(2), &(0..60).map(|i| label(i == 7)).collect::<Vec<_>>()));
        let named = EncoderOptions { discrete: vec!["who".to_owned()], ..EncoderOptions::default() };
        assert!(group_notes(&Table::new(vec![text(4)]).unwrap(), &shared, &named).is_empty());
    }
}
