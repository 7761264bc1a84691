//! Columns of the training data that say nothing, or nothing new.

use crate::data::{Coding, Column, ColumnEncoder, ColumnValues, DataNote, DiscreteMissing, Replacement, Table};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Notes on constant columns, dates, copies and missing values, in the order of the columns.
pub(in crate::data) fn column_notes(table: &Table, encoders: &[ColumnEncoder]) -> Vec<DataNote> {
    let mut notes = Vec::new();
    let mut earlier: HashMap<u64, Vec<&Column>> = HashMap::new();
    for encoder in encoders.iter().filter(|encoder| encoder.column_kind().is_some()) {
        let Some(column) = table.get(&encoder.name) else { continue };
        notes.extend(missing_note(column, encoder, encoders));
        if matches!(encoder.coding, Coding::Date(_)) {
            notes.push(DataNote::Dates { column: column.name.clone() });
        }
        if let Some(value) = only_value(column, encoder) {
            notes.push(DataNote::Constant { column: column.name.clone(), value });
            continue;
        }
        let alike = earlier.entry(content_hash(&column.values)).or_default();
        match alike.iter().find(|other| same_content(&other.values, &column.values)) {
            Some(original) => {
                notes.push(DataNote::Copy { column: column.name.clone(), of: original.name.clone() });
            }
            None => alike.push(column),
        }
    }
    notes
}

fn missing_note(column: &Column, encoder: &ColumnEncoder, all: &[ColumnEncoder]) -> Option<DataNote> {
    let values = column.values.missing();
    let is_indicator = |other: &&ColumnEncoder| matches!(&other.coding, Coding::Missing { of } if *of == column.name);
    let replacement = match &encoder.coding {
        _ if values == 0 => return None,
        Coding::Discrete(levels) if levels.missing == DiscreteMissing::OwnCategory => Replacement::Category,
        Coding::Discrete(_) => Replacement::MostFrequent,
        Coding::Continuous(_) | Coding::Ordered(_) | Coding::Date(_) | Coding::Missing { .. } => {
            let indicator = all.iter().find(is_indicator);
            indicator.map_or(Replacement::Middle, |indicator| Replacement::Told(indicator.name.clone()))
        }
    };
    Some(DataNote::Missing { column: column.name.clone(), values, replacement })
}

/// The value that every row has once missing ones are replaced.
fn only_value(column: &Column, encoder: &ColumnEncoder) -> Option<String> {
    if matches!(&encoder.coding, Coding::Discrete(levels) if levels.missing == DiscreteMissing::OwnCategory) {
        return None;
    }
    let values = &column.values;
    let mut present = (0..values.len()).filter(|&row| !values.is_missing(row));
    let first = values.text(present.next()?)?;
    // A row that differs is found early in columns that are not constant.
    present.all(|row| values.text(row).as_ref() == Some(&first)).then(|| first.clone().into_owned())
}

/// Bits that agree for equal numbers: one zero, one NaN.
pub(super) fn comparable_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

fn content_hash(values: &ColumnValues) -> u64 {
    let mut hasher = DefaultHasher::new();
    match values {
        ColumnValues::Continuous(values) | ColumnValues::Dates(values) => {
            values.iter().for_each(|&value| comparable_bits(value).hash(&mut hasher));
        }
        ColumnValues::Discrete(values) => values.hash(&mut hasher),
    }
    hasher.finish()
}

fn same_content(a: &ColumnValues, b: &ColumnValues) -> bool {
    match (a, b) {
        (ColumnValues::Continuous(a), ColumnValues::Continuous(b))
        | (ColumnValues::Dates(a), ColumnValues::Dates(b)) => {
            a.iter().zip(b).all(|(&x, &y)| comparable_bits(x) == comparable_bits(y))
        }
        (ColumnValues::Discrete(a), ColumnValues::Discrete(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Encoder, EncoderOptions, MissingContinuous, MissingPolicy};

    fn notes(columns: Vec<Column>, missing: MissingPolicy) -> Vec<DataNote> {
        let options = EncoderOptions { missing, ..EncoderOptions::default() };
        Encoder::fit(&Table::new(columns).unwrap(), &options).unwrap().1
    }

    fn discrete(name: &str, text: &str) -> Column {
        Column::discrete(name, text.split(' ').map(|v| (v != "-").then(|| v.to_owned())).collect())
    }

    #[test]
    fn constant_columns_of_both_kinds_are_reported_once() {
        let columns = vec![
            Column::continuous("a", vec![2.0, 2.0]),
            Column::continuous("b", vec![2.0, 2.0]),
            discrete("c", "u u"),
        ];
        let constant = |column: &str, value: &str| DataNote::Constant { column: column.into(), value: value.into() };
        assert_eq!(
            notes(columns, MissingPolicy::error()),
            [constant("a", "2"), constant("b", "2"), constant("c", "u")]
        );
    }

    #[test]
    fn copies_point_to_the_first_of_their_kind() {
        let columns = vec![
            Column::continuous("a", vec![0.0, 1.0, 1.0]),
            Column::continuous("b", vec![-0.0, 1.0, 1.0]),
            Column::continuous("c", vec![0.0, 1.0, 2.0]),
            Column::continuous("d", vec![0.0, 1.0, 1.0]),
            discrete("e", "u v v"),
            discrete("f", "u v v"),
            discrete("g", "v u u"),
        ];
        let copy = |column: &str, of: &str| DataNote::Copy { column: column.into(), of: of.into() };
        assert_eq!(notes(columns, MissingPolicy::error()), [copy("b", "a"), copy("d", "a"), copy("f", "e")]);
    }

    #[test]
    fn missing_values_are_reported_and_do_not_hide_a_constant() {
        let columns = vec![Column::continuous("a", vec![1.0, f64::NAN, 1.0]), discrete("b", "u - u")];
        let found = notes(columns.clone(), MissingPolicy::impute());
        let missing = |column: &str, replacement| DataNote::Missing { column: column.into(), values: 1, replacement };
        let constant = |column: &str, value: &str| DataNote::Constant { column: column.into(), value: value.into() };
        assert_eq!(
            found,
            [
                missing("a", Replacement::Middle),
                constant("a", "1"),
                missing("b", Replacement::MostFrequent),
                constant("b", "u")
            ]
        );
        let found = notes(columns, MissingPolicy::own_category(MissingContinuous::Impute));
        assert_eq!(found, [missing("a", Replacement::Middle), constant("a", "1"), missing("b", Replacement::Category)]);
    }
}
