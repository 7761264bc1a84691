//! Training inputs in a file: a number per continuous feature, a position per category, whatever the width of its block.

use super::ModelFileError;
use super::columns::{bytes_of, numbers, positions};
use crate::data::{Encoder, Feature, FeatureKind, Inputs};
use gpclass_linalg::Mat;
use std::f64::consts::FRAC_1_SQRT_2;

/// Most numbers that the encoded rows may take: 8 GB.
const MAX_VALUES: usize = 1 << 30;
const SECTION: &str = "inputs";

pub(super) fn pack(inputs: &Inputs) -> Vec<u8> {
    let mut bytes = Vec::new();
    for feature in inputs.features() {
        match feature.kind {
            FeatureKind::Continuous => {
                feature.columns.clone().for_each(|c| bytes.extend(bytes_of(inputs.values().col(c))))
            }
            FeatureKind::Discrete => (0..inputs.rows()).for_each(|row| {
                let set = |c: usize| inputs.values()[(row, c)] != 0.0;
                let position = feature.columns.clone().position(set).unwrap_or_default();
                bytes.extend((position as u32).to_le_bytes());
            }),
        }
    }
    bytes
}

/// The encoded rows; `encoder` says which features there are.
pub(super) fn unpack(mut bytes: &[u8], rows: usize, encoder: &Encoder) -> Result<Inputs, ModelFileError> {
    let packed = |f: &Feature| if f.kind == FeatureKind::Continuous { 8 } else { 4 };
    let due: usize = encoder.features().iter().map(|f| rows * packed(f)).sum();
    if bytes.len() != due {
        return Err(ModelFileError::nonsense(SECTION, format!("they are {} bytes where {due} are due", bytes.len())));
    }
    if rows.checked_mul(encoder.width()).is_none_or(|values| values > MAX_VALUES) {
        return Err(ModelFileError::nonsense(SECTION, "they would not fit into memory"));
    }
    let mut values = Mat::zeros(rows, encoder.width());
    for feature in encoder.features() {
        let (own, rest) = bytes.split_at(rows * packed(feature));
        bytes = rest;
        match feature.kind {
            FeatureKind::Continuous => {
                values.col_mut(feature.columns.start).copy_from_slice(&numbers(own, rows, SECTION)?)
            }
            FeatureKind::Discrete => {
                for (row, position) in positions(own, rows, SECTION)?.into_iter().enumerate() {
                    let column = feature.columns.start + position as usize;
                    if column >= feature.columns.end {
                        return Err(ModelFileError::nonsense(SECTION, "a category does not exist"));
                    }
                    values[(row, column)] = FRAC_1_SQRT_2; // math 1
                }
            }
        }
    }
    Ok(Inputs::new(encoder.features().to_vec(), values))
}
