//! Which features to keep.

use crate::convert::parse;
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
