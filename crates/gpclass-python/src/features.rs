//! Which features a table has, and which to keep.

use crate::convert::{Columns, parse, table};
use crate::errors::value_error;
use gpclass::data::{Encoder, EncoderOptions};
use gpclass::learn::{FeatureChoice, PriorRelevance};
use pyo3::prelude::*;

/// Positions of the features that stay by their effects; the choice in serialised form.
#[pyfunction]
pub fn choose_features(effects: Vec<f64>, choice: &str) -> PyResult<Vec<usize>> {
    let choice: FeatureChoice = parse("choice of features", choice)?;
    // The choice looks at effects alone.
    let relevance = |effect: f64| PriorRelevance { feature: String::new(), effect, share: 0.0 };
    Ok(choice.choose(&effects.into_iter().map(relevance).collect::<Vec<_>>()))
}

/// Names of the features that a fit on these columns has; the encoder's options in serialised form.
#[pyfunction]
pub fn feature_names(columns: Columns<'_>, options: &str) -> PyResult<Vec<String>> {
    let options: EncoderOptions = parse("options", options)?;
    let (encoder, _) = Encoder::fit(&table(columns)?, &options).map_err(value_error)?;
    Ok(encoder.features().iter().map(|feature| feature.name.clone()).collect())
}
