//! Effect curves: how the probability changes with one feature, the others as they are in the data.

use crate::error::CliError;
use gpclass::classifier::Classifier;
use gpclass::data::{Coding, Feature, Inputs, Standardiser};
use gpclass::linalg::Mat;
use serde::Serialize;

/// Rows over which an effect is averaged, at most.
const MAX_ROWS: usize = 200;
/// Half the width of a 95 % band in standard deviations.
const BAND: f64 = 1.959963984540054;

/// The effect of one feature.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    pub feature: String,
    pub points: Vec<EffectPoint>,
}

/// Mean predictions over the rows, all of them given one value of the feature.
#[derive(Clone, Debug, Serialize)]
pub struct EffectPoint {
    /// In the units of the data; a category by its name.
    pub value: String,
    /// In the units of the data; none for a category.
    pub number: Option<f64>,
    /// Mean probability of the positive class.
    pub probability: f64,
    /// Mean over the rows of the 95 % credible band of the probability given the latent value.
    pub low: f64,
    pub high: f64,
}

/// The effect of feature `m` at `points` places between the extremes of `rows`, or at every category.
pub fn effect(classifier: &Classifier, m: usize, rows: &Inputs, points: usize) -> Result<Effect, CliError> {
    let rows = thinned(rows);
    let feature = &classifier.encoder().features()[m];
    let mut found = Vec::new();
    for place in places(classifier, m, &rows, points) {
        let at = rows_at(&rows, feature, &place);
        let predicted = classifier.predict_inputs(&at)?;
        let n = predicted.len() as f64;
        let likelihood = &classifier.model().model().likelihood;
        let at_latent = |latent: f64| likelihood.predict(gpclass::likelihood::Gaussian { mean: latent, var: 0.0 });
        let mean =
            |value: &dyn Fn(&gpclass::classifier::ClassPrediction) -> f64| predicted.iter().map(value).sum::<f64>() / n;
        let band = |sign: f64| mean(&|p| at_latent(p.latent.mean + sign * BAND * p.latent.var.sqrt()));
        found.push(EffectPoint {
            value: place.name,
            number: place.number,
            probability: mean(&|p| p.probability),
            low: band(-1.0),
            high: band(1.0),
        });
    }
    Ok(Effect { feature: feature.name.clone(), points: found })
}

/// A value of a feature, as encoded.
struct Place {
    name: String,
    number: Option<f64>,
    encoded: Vec<f64>,
}

fn places(classifier: &Classifier, m: usize, rows: &Inputs, points: usize) -> Vec<Place> {
    let feature = &classifier.encoder().features()[m];
    match &classifier.encoder().columns()[m].coding {
        Coding::Continuous(standardiser) => {
            let values = rows.values().col(feature.columns.start);
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let count = if low < high { points } else { 1 };
            let at = |k: usize| low + (high - low) * k as f64 / (count - 1).max(1) as f64;
            (0..count).map(|k| number_place(at(k), standardiser)).collect()
        }
        Coding::Discrete(levels) => {
            let width = feature.columns.len();
            let encoded =
                |k: usize| (0..width).map(move |j| if j == k { std::f64::consts::FRAC_1_SQRT_2 } else { 0.0 });
            let place =
                |(k, name): (usize, &String)| Place { name: name.clone(), number: None, encoded: encoded(k).collect() };
            levels.names.iter().enumerate().map(place).collect()
        }
    }
}

fn number_place(encoded: f64, standardiser: &Standardiser) -> Place {
    let value = standardiser.centre + encoded * standardiser.scale;
    Place { name: format!("{value:.4}"), number: Some(value), encoded: vec![encoded] }
}

fn thinned(rows: &Inputs) -> Inputs {
    let step = rows.rows().div_ceil(MAX_ROWS).max(1);
    rows.select_rows(&(0..rows.rows()).step_by(step).collect::<Vec<_>>())
}

fn rows_at(rows: &Inputs, feature: &Feature, place: &Place) -> Inputs {
    let mut values: Mat = rows.values().clone();
    for (column, value) in feature.columns.clone().zip(&place.encoded) {
        values.col_mut(column).fill(*value);
    }
    Inputs::new(rows.features().to_vec(), values)
}
