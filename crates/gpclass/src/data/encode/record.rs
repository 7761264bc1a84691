//! The stored form of an encoder, checked when it is read: a file may have been damaged.

use crate::data::{
    Coding, ColumnEncoder, ContinuousMissing, DataError, DiscreteMissing, Encoder, LeftOut, Levels, OrderedLevels,
    Standardiser,
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What is written: the columns, from which the rest follows.
#[derive(Serialize, Deserialize)]
pub(super) struct EncoderRecord {
    columns: Vec<ColumnEncoder>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
}

impl From<Encoder> for EncoderRecord {
    fn from(encoder: Encoder) -> Self {
        let (columns, left_out) = encoder.into_parts();
        EncoderRecord { columns, left_out }
    }
}

impl TryFrom<EncoderRecord> for Encoder {
    type Error = DataError;

    fn try_from(record: EncoderRecord) -> Result<Self, DataError> {
        let damaged = |reason: String| DataError::DamagedEncoder { reason };
        if record.columns.is_empty() {
            return Err(damaged("it has no columns".to_owned()));
        }
        let read: HashSet<&String> =
            record.columns.iter().filter(|c| c.standardiser().is_some()).map(|column| &column.name).collect();
        let mut names = HashSet::new();
        for (position, column) in record.columns.iter().enumerate() {
            let sound = match &column.coding {
                Coding::Continuous(standardiser) | Coding::Date(standardiser) => sound_standardiser(standardiser),
                Coding::Discrete(levels) => sound_levels(levels),
                Coding::Ordered(levels) => {
                    OrderedLevels::check(&column.name, &levels.names).is_ok() && sound_standardiser(&levels.positions)
                }
                Coding::Missing { of } => read.contains(of),
            };
            if !sound {
                return Err(damaged(format!("its column {} makes no sense", position + 1)));
            }
            if !names.insert(&column.name) {
                return Err(damaged(format!("its column {} repeats a name", position + 1)));
            }
        }
        let all = record.columns.len() + record.left_out.len();
        if record.left_out.iter().any(|column| column.position >= all || !names.insert(&column.name)) {
            return Err(damaged("a column that is left out makes no sense".to_owned()));
        }
        Ok(Encoder::from_columns(record.columns).leaving_out(record.left_out))
    }
}

fn sound_standardiser(standardiser: &Standardiser) -> bool {
    let fill = match standardiser.missing {
        ContinuousMissing::Error => 0.0,
        ContinuousMissing::Fill(value) => value,
    };
    standardiser.centre.is_finite() && standardiser.scale.is_finite() && standardiser.scale > 0.0 && fill.is_finite()
}

fn sound_levels(levels: &Levels) -> bool {
    let fill = match levels.missing {
        DiscreteMissing::Fill(level) => level,
        _ => 0,
    };
    fill < levels.names.len() && levels.names.is_sorted_by(|a, b| a < b)
}

#[cfg(test)]
mod tests {
    use crate::data::{Column, Encoder, EncoderOptions, MissingPolicy, Table};

    fn stored() -> (Encoder, String) {
        let table =
            Table::new(vec![Column::continuous("x", vec![0.1, 0.7, 1.9]), Column::categories("c", ["a", "b", "b"])])
                .unwrap();
        let options = EncoderOptions { missing: MissingPolicy::impute(), ..EncoderOptions::default() };
        let (encoder, _) = Encoder::fit(&table, &options).unwrap();
        let text = serde_json::to_string(&encoder).unwrap();
        (encoder, text)
    }

    #[test]
    fn an_encoder_reads_back_as_itself() {
        let (encoder, text) = stored();
        assert_eq!(serde_json::from_str::<Encoder>(&text).unwrap(), encoder);
    }

    #[test]
    fn damage_is_an_error_and_not_a_crash_later() {
        let (_, text) = stored();
        for (from, to, reason) in [
            ("\"fill\":1", "\"fill\":2", "its column 2 makes no sense"),
            ("[\"a\",\"b\"]", "[\"b\",\"a\"]", "its column 2 makes no sense"),
            ("[\"a\",\"b\"]", "[]", "its column 2 makes no sense"),
            ("\"scale\":", "\"scale\":-", "its column 1 makes no sense"),
            ("\"name\":\"c\"", "\"name\":\"x\"", "its column 2 repeats a name"),
        ] {
            let broken = text.replacen(from, to, 1);
            assert_ne!(broken, text, "{from} is not in {text}");
            let message = serde_json::from_str::<Encoder>(&broken).unwrap_err().to_string();
            assert!(message.contains(&format!("the stored preprocessing is damaged: {reason}")), "{message}");
        }
        let empty = serde_json::from_str::<Encoder>("{\"columns\":[]}").unwrap_err().to_string();
        assert!(empty.contains("it has no columns"), "{empty}");
    }
}
