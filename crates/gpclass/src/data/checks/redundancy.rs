//! Columns of the training data that say nothing, or nothing new.

use crate::data::{Coding, Column, ColumnEncoder, ColumnValues, DataNote, DiscreteMissing, Table, canonical_number};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Fewer rows are too few to call a column of different categories an identifier.
const ID_LIKE_MIN_ROWS: usize = 3;

/// Notes on constant columns, identifiers, copies and missing values, in the order of the columns.
pub(in crate::data) fn column_notes(table: &Table, encoders: &[ColumnEncoder]) -> Vec<DataNote> {
    let mut notes = Vec::new();
    let mut earlier: HashMap<u64, Vec<&Column>> = HashMap::new();
    for (column, encoder) in table.columns().iter().zip(encoders) {
        notes.extend(missing_note(column, encoder));
        if let Some(value) = only_value(column, encoder) {
            notes.push(DataNote::Constant { column: column.name.clone(), value });
            continue;
        }
        notes.extend(id_note(column, encoder, table.rows()));
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

fn missing_note(column: &Column, encoder: &ColumnEncoder) -> Option<DataNote> {
    let values = column.values.missing();
    let name = column.name.clone();
    match &encoder.coding {
        _ if values == 0 => None,
        Coding::Discrete(levels) if levels.missing == DiscreteMissing::OwnCategory => {
            Some(DataNote::MissingCategory { column: name, values })
        }
        _ => Some(DataNote::Imputed { column: name, values }),
    }
}

/// The value that every row has once missing ones are replaced.
fn only_value(column: &Column, encoder: &ColumnEncoder) -> Option<String> {
    match (&column.values, &encoder.coding) {
        (ColumnValues::Continuous(values), _) => {
            let mut present = values.iter().filter(|value| !value.is_nan());
            let first = present.next()?;
            present.all(|value| value == first).then(|| canonical_number(*first))
        }
        (ColumnValues::Discrete(_), Coding::Discrete(levels)) => {
            let alone = levels.names.len() == 1 && levels.missing != DiscreteMissing::OwnCategory;
            alone.then(|| levels.names[0].clone())
        }
        _ => None,
    }
}

fn id_note(column: &Column, encoder: &ColumnEncoder, rows: usize) -> Option<DataNote> {
    match &encoder.coding {
        Coding::Discrete(levels) if levels.names.len() == rows && rows >= ID_LIKE_MIN_ROWS => {
            Some(DataNote::IdLike { column: column.name.clone(), rows })
        }
        _ => None,
    }
}

/// Bits that agree for equal numbers: one zero, one NaN.
pub(super) fn comparable_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

fn content_hash(values: &ColumnValues) -> u64 {
    let mut hasher = DefaultHasher::new();
    match values {
        ColumnValues::Continuous(values) => values.iter().for_each(|&value| comparable_bits(value).hash(&mut hasher)),
        ColumnValues::Discrete(values) => values.hash(&mut hasher),
    }
    hasher.finish()
}

fn same_content(a: &ColumnValues, b: &ColumnValues) -> bool {
    match (a, b) {
        (ColumnValues::Continuous(a), ColumnValues::Continuous(b)) => {
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
    fn identifiers_need_a_category_per_row() {
        let columns = vec![discrete("id", "p q r"), discrete("group", "p q q"), discrete("gaps", "p - r")];
        let found = notes(columns, MissingPolicy::own_category(MissingContinuous::Error));
        assert_eq!(
            found,
            [
                DataNote::IdLike { column: "id".into(), rows: 3 },
                DataNote::MissingCategory { column: "gaps".into(), values: 1 }
            ]
        );
        assert!(notes(vec![discrete("two", "p q")], MissingPolicy::error()).is_empty());
    }

    #[test]
    fn missing_values_are_reported_and_do_not_hide_a_constant() {
        let columns = vec![Column::continuous("a", vec![1.0, f64::NAN, 1.0]), discrete("b", "u - u")];
        let found = notes(columns.clone(), MissingPolicy::impute());
        let imputed = |column: &str| DataNote::Imputed { column: column.into(), values: 1 };
        let constant = |column: &str, value: &str| DataNote::Constant { column: column.into(), value: value.into() };
        assert_eq!(found, [imputed("a"), constant("a", "1"), imputed("b"), constant("b", "u")]);
        let found = notes(columns, MissingPolicy::own_category(MissingContinuous::Impute));
        assert_eq!(
            found,
            [imputed("a"), constant("a", "1"), DataNote::MissingCategory { column: "b".into(), values: 1 }]
        );
    }
}
