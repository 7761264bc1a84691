//! Encoded rows in the words of their table.

use super::setting::{FeatureValue, level_name};
use crate::data::{Coding, ColumnEncoder, Encoder, Inputs, date_text};

/// Digits to which a number survives being standardised and taken back.
const DIGITS: usize = 12;

/// The values of an encoded row in the columns that the encoder reads, in their order: `None` where one is missing. A missing
/// number that no feature tells of is what stands in for it.
pub fn row_values(encoder: &Encoder, inputs: &Inputs, row: usize) -> Vec<Option<FeatureValue>> {
    let at = |feature: usize, slot: usize| inputs.values()[(row, encoder.features()[feature].columns.start + slot)];
    let is_missing = |column: &ColumnEncoder| {
        let indicator = |other: &ColumnEncoder| matches!(&other.coding, Coding::Missing { of } if *of == column.name);
        encoder.columns().iter().position(indicator).is_some_and(|feature| at(feature, 1) > 0.0)
    };
    let slot = |feature: usize| (0..encoder.features()[feature].columns.len()).find(|&slot| at(feature, slot) > 0.0);
    let value = |(feature, column): (usize, &ColumnEncoder)| {
        if is_missing(column) {
            return Some(None);
        }
        match &column.coding {
            Coding::Missing { .. } => None,
            Coding::Continuous(standardiser) => {
                Some(Some(FeatureValue::Number(rounded(standardiser.invert(at(feature, 0))))))
            }
            Coding::Date(standardiser) => {
                Some(Some(FeatureValue::Category(date_text(rounded(standardiser.invert(at(feature, 0)))))))
            }
            Coding::Ordered(levels) => {
                let position = levels.positions.invert(at(feature, 0)).round().max(0.0) as usize;
                Some(levels.names.get(position).map(|name| FeatureValue::Category(name.clone())))
            }
            Coding::Discrete(levels) => {
                Some(slot(feature).map(|slot| FeatureValue::Category(level_name(levels, slot))))
            }
        }
    };
    encoder.columns().iter().enumerate().filter_map(value).collect()
}

/// Without the rounding errors of standardising.
fn rounded(value: f64) -> f64 {
    format!("{value:.DIGITS$e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, EncoderOptions, Table};

    #[test]
    fn rows_read_back_as_they_were_written() {
        let n = 24;
        let gaps = |i: usize| if i.is_multiple_of(3) { f64::NAN } else { 0.1 * i as f64 };
        let table = Table::new(vec![
            Column::continuous("dose", (0..n).map(gaps).collect()),
            Column::categories("colour", (0..n).map(|i| ["red", "green"][i % 2])),
            Column::categories("size", (0..n).map(|i| ["S", "M", "L"][i % 3])),
            Column::categories("seen", (0..n).map(|i| format!("2031-05-{:02}", i % 20 + 1))),
        ])
        .unwrap();
        let ordered = [("size".to_owned(), ["S", "M", "L"].map(str::to_owned).to_vec())].into_iter().collect();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions { ordered, ..EncoderOptions::default() }).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        for i in 0..n {
            let word = |text: &str| Some(FeatureValue::Category(text.to_owned()));
            let dose = (!gaps(i).is_nan()).then(|| FeatureValue::Number(rounded(gaps(i))));
            let seen = format!("2031-05-{:02}", i % 20 + 1);
            let want = vec![dose, word(["red", "green"][i % 2]), word(["S", "M", "L"][i % 3]), word(&seen)];
            assert_eq!(row_values(&encoder, &inputs, i), want);
        }
    }
}
