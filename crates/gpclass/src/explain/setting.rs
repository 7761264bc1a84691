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

/// The settings of one feature: `grid` numbers over the training range, or the categories that training rows have, the
/// `max_levels` most frequent ones in the order of their block.
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
            numbers(inputs.values().col(columns.start), standardiser, grid)
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

fn numbers(values: &[f64], standardiser: &Standardiser, grid: usize) -> Vec<Setting> {
    let (low, high) = range(values);
    let points = if high > low { grid } else { 1 };
    let at = |k: usize| low + (high - low) * k as f64 / (points - 1).max(1) as f64;
    let setting = |z: f64| Setting { value: FeatureValue::Number(standardiser.invert(z)), encoded: vec![z] };
    (0..points).map(|k| setting(at(k))).collect()
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
