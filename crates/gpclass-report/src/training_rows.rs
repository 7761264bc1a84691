//! Training rows as their owner wrote them, from what the model keeps of them.

use crate::text::number;
use gpclass::data::{Coding, DiscreteMissing, Encoder, Inputs, Standardiser, date_text};

/// The number that a feature is for a training row, in the user's units; nothing of features that are no numbers.
pub(crate) fn measure(encoder: &Encoder, inputs: &Inputs, row: usize, feature: usize) -> Option<f64> {
    let column = inputs.features()[feature].columns.start;
    match &encoder.columns()[feature].coding {
        Coding::Continuous(standardiser) => Some(standardiser.invert(inputs.values()[(row, column)])),
        _ => None,
    }
}

/// The value of a feature for a training row, in the user's units. A value that was missing is what replaced it.
pub(crate) fn value(encoder: &Encoder, inputs: &Inputs, row: usize, feature: usize) -> String {
    let columns = inputs.features()[feature].columns.clone();
    let encoded = |column: usize| inputs.values()[(row, column)];
    let slot = columns.clone().position(|column| encoded(column) > 0.0);
    match &encoder.columns()[feature].coding {
        Coding::Continuous(standardiser) => measured(standardiser, encoded(columns.start)),
        Coding::Date(standardiser) => date_text(standardiser.invert(encoded(columns.start)).round()),
        Coding::Ordered(levels) => {
            let place = levels.positions.invert(encoded(columns.start)).round().max(0.0) as usize;
            levels.names.get(place).cloned().unwrap_or_default()
        }
        Coding::Discrete(levels) => match slot {
            Some(slot) if slot < levels.names.len() => levels.names[slot].clone(),
            _ if levels.missing == DiscreteMissing::OwnCategory => "(missing)".to_owned(),
            _ => "(unseen)".to_owned(),
        },
        Coding::Missing { .. } => if slot == Some(1) { "yes" } else { "no" }.to_owned(),
    }
}

/// A number without the digits that encoding and back left.
fn measured(standardiser: &Standardiser, encoded: f64) -> String {
    let value = standardiser.invert(encoded);
    number(if (value - value.round()).abs() < 1e-9 * value.abs().max(1.0) { value.round() + 0.0 } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpclass::data::{Column, EncoderOptions, Table};

    #[test]
    fn values_come_back_as_they_were_written() {
        let columns = vec![
            Column::continuous("age", vec![17.0, 45.25, 80.0]),
            Column::categories("ward", ["a", "b", "a"]),
            Column::dates("seen", vec![0.0, 19_782.0, -1.0]),
            Column::categories("stage", ["II", "I", "III"]),
        ];
        let mut options = EncoderOptions::default();
        options.ordered.insert("stage".to_owned(), ["I", "II", "III"].map(str::to_owned).to_vec());
        let table = Table::new(columns).unwrap();
        let (encoder, _) = Encoder::fit(&table, &options).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        let row = |row: usize| (0..4).map(|feature| value(&encoder, &inputs, row, feature)).collect::<Vec<_>>();
        assert_eq!(row(0), ["17", "a", "1970-01-01", "II"]);
        assert_eq!(row(1), ["45.25", "b", "2024-02-29", "I"]);
        assert_eq!(row(2), ["80", "a", "1969-12-31", "III"]);
    }
}
