//! The values that a feature is set to, in the user's units and as encoded.

use super::ExplainError;
use crate::data::{Coding, DiscreteMissing, Encoder, Inputs, Levels, Standardiser};
use crate::model::FittedModel;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::Range;

/// A value of a feature as the user would write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureValue {
    /// Of a continuous feature.
    Number(f64),
    /// Of a discrete feature.
    Category(String),
}

/// How an effect is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectShape {
    /// Between the points lie further values.
    #[default]
    Curve,
    /// Each point is a category, or a value of a number that has few.
    Bars,
}

/// A value with the encoded columns that stand for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub value: FeatureValue,
    pub encoded: Vec<f64>,
}

/// Refuses an encoder that did not make the model's inputs.
pub(super) fn check_encoder(fit: &FittedModel, encoder: &Encoder) -> Result<(), ExplainError> {
    let model = fit.data().inputs().features();
    if encoder.features() == model {
        return Ok(());
    }
    Err(ExplainError::Encoder { encoder: encoder.features().len(), model: model.len() })
}

/// Whether the settings of a feature are all the values it has.
pub(super) fn shape(inputs: &Inputs, encoder: &Encoder, feature: usize, max_levels: usize) -> EffectShape {
    let column = inputs.values().col(inputs.features()[feature].columns.start);
    match &encoder.columns()[feature].coding {
        Coding::Continuous(_) | Coding::Date(_) if few_values(column, max_levels).is_none() => EffectShape::Curve,
        Coding::Continuous(_) | Coding::Date(_) | Coding::Ordered(_) | Coding::Discrete(_) | Coding::Missing { .. } => {
            EffectShape::Bars
        }
    }
}

/// The values of a column in rising order, if they are at most so many.
fn few_values(column: &[f64], most: usize) -> Option<Vec<f64>> {
    let mut found: Vec<f64> = Vec::new();
    for &value in column {
        if let Err(at) = found.binary_search_by(|other| other.total_cmp(&value)) {
            found.insert(at, value);
        }
        if found.len() > most {
            return None;
        }
    }
    Some(found)
}

/// The settings of one feature: `grid` numbers over the training range, or all its values if these are at most `max_levels`, or the
/// categories that training rows have, the `max_levels` most frequent ones in the order of their block.
pub(super) fn settings(
    inputs: &Inputs,
    encoder: &Encoder,
    feature: usize,
    grid: usize,
    max_levels: usize,
) -> Vec<Setting> {
    let columns = inputs.features()[feature].columns.clone();
    match &encoder.columns()[feature].coding {
        Coding::Continuous(standardiser) | Coding::Date(standardiser) => {
            numbers(inputs.values().col(columns.start), standardiser, grid, max_levels)
        }
        Coding::Ordered(levels) => {
            let place = |(position, name): (usize, &String)| Setting {
                value: FeatureValue::Category(name.clone()),
                encoded: vec![levels.positions.apply(position as f64)],
            };
            levels.names.iter().enumerate().map(place).collect()
        }
        Coding::Discrete(levels) => categories(|slot| level_name(levels, slot), &rows_of(inputs, columns), max_levels),
        Coding::Missing { .. } => {
            categories(|slot| if slot == 0 { "no" } else { "yes" }.to_owned(), &rows_of(inputs, columns), max_levels)
        }
    }
}

/// How many rows have each slot of a block.
fn rows_of(inputs: &Inputs, columns: Range<usize>) -> Vec<usize> {
    columns.map(|c| inputs.values().col(c).iter().filter(|v| **v > 0.0).count()).collect()
}

/// The least and the largest encoded value.
pub(super) fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
}

fn numbers(values: &[f64], standardiser: &Standardiser, grid: usize, max_levels: usize) -> Vec<Setting> {
    let (low, high) = range(values);
    let at = |k: usize| low + (high - low) * k as f64 / (grid - 1) as f64;
    let setting = |z: f64| Setting { value: FeatureValue::Number(standardiser.invert(z)), encoded: vec![z] };
    let even = || (0..grid).map(at).collect();
    few_values(values, max_levels).unwrap_or_else(even).into_iter().map(setting).collect()
}

/// The slots that most rows have, `max_levels` of them at most, in the order of their block.
fn categories(name: impl Fn(usize) -> String, rows: &[usize], max_levels: usize) -> Vec<Setting> {
    let mut slots: Vec<usize> = (0..rows.len()).filter(|&slot| rows[slot] > 0).collect();
    slots.sort_by_key(|&slot| std::cmp::Reverse(rows[slot]));
    slots.truncate(max_levels);
    slots.sort_unstable();
    let encoded = |slot: usize| {
        let mut block = vec![0.0; rows.len()];
        block[slot] = FRAC_1_SQRT_2; // math 1
        block
    };
    slots
        .into_iter()
        .map(|slot| Setting { value: FeatureValue::Category(name(slot)), encoded: encoded(slot) })
        .collect()
}

pub(super) fn level_name(levels: &Levels, slot: usize) -> String {
    match levels.names.get(slot) {
        Some(name) => name.clone(),
        None if levels.missing == DiscreteMissing::OwnCategory && slot == levels.names.len() => "(missing)".to_owned(),
        None => "(unseen)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, EncoderOptions, Table};

    #[test]
    fn numbers_of_few_values_are_bars_of_each() {
        let table = Table::new(vec![
            Column::continuous("grade", (0..40).map(|i| [3.0, 1.0, 2.0, 7.0][i % 4]).collect()),
            Column::continuous("age", (0..40).map(|i| f64::from(i as u32) * 1.5).collect()),
            Column::categories("colour", (0..40).map(|i| ["red", "green"][i % 2])),
        ])
        .unwrap();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        let values = |feature: usize, most: usize| -> Vec<f64> {
            let number = |setting: Setting| match setting.value {
                FeatureValue::Number(number) => number,
                FeatureValue::Category(_) => f64::NAN,
            };
            settings(&inputs, &encoder, feature, 3, most).into_iter().map(number).collect()
        };
        let close = |got: Vec<f64>, want: &[f64]| {
            assert_eq!(got.len(), want.len());
            assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?}");
        };
        close(values(0, 12), &[1.0, 2.0, 3.0, 7.0]);
        close(values(0, 3), &[1.0, 4.0, 7.0]);
        close(values(1, 12), &[0.0, 29.25, 58.5]);
        let shapes = [0, 1, 2].map(|feature| shape(&inputs, &encoder, feature, 12));
        assert_eq!(shapes, [EffectShape::Bars, EffectShape::Curve, EffectShape::Bars]);
    }
}
