//! Features that alone tell the classes apart.

use crate::data::{Class, FeatureKind, Inputs};

/// Fewer rows of a class are too few: a feature may set them apart by chance.
const MIN_CLASS_ROWS: usize = 5;
/// Rows that a category has on average at least: categories of one row each belong to one class whatever they are.
const ROWS_PER_LEVEL: usize = 5;

/// The names of the features by each of which alone all rows could be told apart: numbers in which every class has an
/// interval of its own, categories each of which belongs to one class. Rows of weight 0 do not count.
pub(crate) fn giveaways(inputs: &Inputs, labels: &[Class], weights: Option<&[f64]>) -> Vec<String> {
    let counts = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
    let rows: Vec<usize> = (0..inputs.rows()).filter(|&row| counts(row)).collect();
    let mut classes: Vec<Class> = rows.iter().map(|&row| labels[row]).collect();
    classes.sort_unstable();
    let sizes: Vec<usize> = classes.chunk_by(|a, b| a == b).map(<[Class]>::len).collect();
    if sizes.len() < 2 || sizes.iter().any(|&size| size < MIN_CLASS_ROWS) {
        return Vec::new();
    }
    let separates = |m: &usize| {
        let columns = inputs.features()[*m].columns.clone();
        match inputs.features()[*m].kind {
            FeatureKind::Continuous => {
                let value = |row: usize| inputs.values()[(row, columns.start)];
                runs(&rows, labels, value).is_some_and(|runs| runs == sizes.len())
            }
            FeatureKind::Discrete => {
                let level = |row: usize| columns.clone().position(|c| inputs.values()[(row, c)] != 0.0);
                let mut levels: Vec<Option<usize>> = rows.iter().map(|&row| level(row)).collect();
                levels.sort_unstable();
                levels.dedup();
                let as_number = |row: usize| level(row).map_or(-1.0, |level| level as f64);
                levels.len() * ROWS_PER_LEVEL <= rows.len() && runs(&rows, labels, as_number).is_some()
            }
        }
    };
    (0..inputs.features().len()).filter(separates).map(|m| inputs.features()[m].name.clone()).collect()
}

/// Runs of rows of one class in the order of their values; `None` where rows of different classes share a value.
fn runs(rows: &[usize], labels: &[Class], value: impl Fn(usize) -> f64) -> Option<usize> {
    let mut sorted: Vec<(f64, Class)> = rows.iter().map(|&row| (value(row), labels[row])).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let shared = sorted.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
    (!shared).then(|| sorted.chunk_by(|a, b| a.1 == b.1).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Encoder, EncoderOptions, Table};

    fn found(columns: Vec<Column>, label: impl Fn(usize) -> u16, weights: Option<&[f64]>) -> Vec<String> {
        let table = Table::new(columns).unwrap();
        let labels: Vec<Class> = (0..table.rows()).map(|row| Class::from(label(row))).collect();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
        giveaways(&encoder.encode(&table).unwrap().0, &labels, weights)
    }

    fn numbers(name: &str, value: impl Fn(usize) -> f64) -> Column {
        Column::continuous(name, (0..40).map(value).collect())
    }

    #[test]
    fn a_column_that_follows_from_the_class_is_found() {
        let noise = |i: usize| (i * 37 % 23) as f64 / 7.0;
        let columns = vec![
            numbers("noise", noise),
            numbers("after", |i| (i % 2) as f64 * 10.0 + noise(i)),
            Column::categories("ward", (0..40).map(|i| ["in", "out"][i % 2])),
            Column::categories("town", (0..40).map(|i| ["a", "b", "c"][i % 3])),
            Column::categories("room", (0..40).map(|i| format!("{}", i % 20))),
        ];
        assert_eq!(found(columns, |row| (row % 2) as u16, None), ["after", "ward"]);
        let three = vec![numbers("noise", noise), numbers("grade", |i| (i % 3) as f64 + noise(i) / 9.0)];
        assert_eq!(found(three, |row| (row % 3) as u16, None), ["grade"]);
    }

    #[test]
    fn intervals_must_not_touch_and_rare_classes_prove_nothing() {
        let shared = vec![numbers("x", |i| if i == 1 { 0.25 } else { (i % 2) as f64 + (i % 8) as f64 / 8.0 })];
        assert!(found(shared.clone(), |row| (row % 2) as u16, None).is_empty());
        let mut weights = vec![1.0; 40];
        weights[1] = 0.0;
        assert_eq!(found(shared, |row| (row % 2) as u16, Some(&weights)), ["x"]);
        let extreme = vec![numbers("x", |i| i as f64 / 3.0)];
        assert!(found(extreme.clone(), |row| u16::from(row > 36), None).is_empty());
        assert_eq!(found(extreme, |row| u16::from(row > 30), None), ["x"]);
    }
}
