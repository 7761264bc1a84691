//! One-feature effects: partial dependence with credible bands.

use super::ExplainError;
use super::setting::{FeatureValue, Setting, check_encoder, settings};
use crate::data::{Class, Encoder, FeatureKind, Inputs};
use crate::likelihood::Gaussian;
use crate::model::{FittedModel, Predictions};
use crate::special::normal_quantile;
use gpclass_linalg::{Mat, map_tasks, vector};
use serde::{Deserialize, Serialize};

/// Choices of effect curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EffectOptions {
    /// Values of a continuous feature, evenly over its training range. Default 41.
    pub grid: usize,
    /// Training rows, evenly spaced in their order, over which a curve is averaged. Default 60.
    pub rows: usize,
    /// Categories of a discrete feature, the most frequent first. Default 12.
    pub max_levels: usize,
    /// Coverage of the bands. Default 0.95.
    pub level: f64,
    /// The class whose probability is shown. Default the positive one.
    pub class: Class,
}

impl Default for EffectOptions {
    fn default() -> Self {
        EffectOptions { grid: 41, rows: 60, max_levels: 12, level: 0.95, class: Class::POSITIVE }
    }
}

/// The average over training rows when one feature of all of them is set to a value and the others stay as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectPoint {
    /// What the feature is set to.
    pub value: FeatureValue,
    /// The exact posterior of the averaged latent value, from the joint posterior of the rows; without the noise that a
    /// kernel adds to single rows.
    pub latent: Gaussian,
    /// Lower end of the credible band of the averaged latent value.
    pub latent_low: f64,
    /// Upper end of the credible band of the averaged latent value.
    pub latent_high: f64,
    /// The averaged probability of the class that was asked for: exactly the posterior mean of that average.
    pub probability: f64,
    /// Lower end of its band. The rows' latent values are moved together along the one direction of their joint posterior
    /// in which the average probability varies most, to first order; what is left of their variances is averaged over.
    /// Exact for a single row.
    pub low: f64,
    /// Upper end of its band.
    pub high: f64,
}

/// The effect of one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectCurve {
    /// The feature's name.
    pub feature: String,
    /// Continuous or discrete.
    pub kind: FeatureKind,
    /// By increasing value, or by category.
    pub points: Vec<EffectPoint>,
    /// Coverage of the bands.
    pub level: f64,
}

/// The effects of the given features, by their position in the inputs.
///
/// A curve answers: if this feature alone had another value, what would the model say on average? A value that never
/// occurs together with a row's other values is extrapolated to, which the band shows by widening.
pub fn effect_curves(
    fit: &FittedModel,
    encoder: &Encoder,
    features: &[usize],
    options: &EffectOptions,
) -> Result<Vec<EffectCurve>, ExplainError> {
    check_encoder(fit, encoder)?;
    options.check()?;
    let known = fit.data().inputs().features().len();
    if let Some(&feature) = features.iter().find(|&&feature| feature >= known) {
        return Err(ExplainError::Feature { feature, features: known });
    }
    let background = background(fit.data().inputs(), options.rows);
    features.iter().map(|&feature| curve(fit, encoder, feature, &background, options)).collect()
}

impl EffectOptions {
    fn check(&self) -> Result<(), ExplainError> {
        for (option, value, least) in
            [("grid", self.grid, 2), ("rows", self.rows, 1), ("max_levels", self.max_levels, 1)]
        {
            if value < least {
                let wanted = if least == 2 { "at least 2" } else { "at least 1" };
                return Err(ExplainError::Option { option, value: value as f64, wanted });
            }
        }
        if self.level > 0.0 && self.level < 1.0 {
            return Ok(());
        }
        Err(ExplainError::Option { option: "level", value: self.level, wanted: "above 0 and below 1" })
    }
}

/// At most `rows` training rows, evenly spaced.
fn background(inputs: &Inputs, rows: usize) -> Inputs {
    let (n, kept) = (inputs.rows(), rows.min(inputs.rows()));
    inputs.select_rows(&(0..kept).map(|k| k * n / kept).collect::<Vec<_>>())
}

fn curve(
    fit: &FittedModel,
    encoder: &Encoder,
    feature: usize,
    background: &Inputs,
    options: &EffectOptions,
) -> Result<EffectCurve, ExplainError> {
    let settings = settings(fit.data().inputs(), encoder, feature, options.grid, options.max_levels);
    let points = map_tasks(settings.len(), |k| point(fit, &settings[k], feature, background, options));
    let about = &fit.data().inputs().features()[feature];
    Ok(EffectCurve {
        feature: about.name.clone(),
        kind: about.kind,
        points: points.into_iter().collect::<Result<_, _>>()?,
        level: options.level,
    })
}

fn point(
    fit: &FittedModel,
    setting: &Setting,
    feature: usize,
    background: &Inputs,
    options: &EffectOptions,
) -> Result<EffectPoint, ExplainError> {
    let rows = with_feature_set(background, feature, &setting.encoded);
    let predictions = fit.predict(&rows)?;
    let joint = JointPosterior::new(fit, &rows);
    let count = predictions.rows() as f64;
    let average = |values: &[f64]| values.iter().sum::<f64>() / count;
    let quantile = -normal_quantile(0.5 * (1.0 - options.level));

    let latent =
        Gaussian { mean: average(predictions.mean.col(0)), var: joint.spread(&vec![1.0 / count; rows.rows()]).var };
    let half = quantile * latent.var.sqrt();
    let probability = average(predictions.probability.of_class(options.class));
    let slope = |row: usize| fit.probability_slope(options.class, predictions.latent(row, 0)) / count;
    let slopes: Vec<f64> = (0..predictions.rows()).map(slope).collect();
    let spread = joint.spread(&slopes);
    let ends = [-quantile, quantile].map(|t| moved(fit, options.class, &predictions, &spread, t));
    Ok(EffectPoint {
        value: setting.value.clone(),
        latent,
        latent_low: latent.mean - half,
        latent_high: latent.mean + half,
        probability,
        // The mean of a very skew distribution can lie outside its own quantiles.
        low: ends[0].min(ends[1]).min(probability),
        high: ends[0].max(ends[1]).max(probability),
    })
}

fn with_feature_set(rows: &Inputs, feature: usize, encoded: &[f64]) -> Inputs {
    let columns = rows.features()[feature].columns.clone();
    let mut values = rows.values().clone();
    for (column, &value) in columns.zip(encoded) {
        values.col_mut(column).fill(value);
    }
    Inputs::new(rows.features().to_vec(), values)
}

/// A weighted sum `wᵀ f` of latent values: its variance, and its covariance with each of them.
struct Spread {
    var: f64,
    covariance: Vec<f64>,
}

/// The joint posterior of the latent values of some rows, noise of single rows left out.
struct JointPosterior<'a> {
    fit: &'a FittedModel,
    cross: Mat,
    prior: Mat,
}

impl<'a> JointPosterior<'a> {
    fn new(fit: &'a FittedModel, rows: &Inputs) -> Self {
        let kernel = &fit.model().kernel;
        JointPosterior { fit, cross: kernel.cross(fit.data().inputs(), rows), prior: kernel.cross(rows, rows) }
    }

    /// `(K** - K*ᵀ R K*) w` with `R = (I + T K)⁻¹ T`: one solve, whatever the number of rows. // math 4, 8
    fn spread(&self, weights: &[f64]) -> Spread {
        let posterior = &self.fit.inferred().posterior;
        let mut site = self.cross.mul_vec(weights);
        site.iter_mut().zip(&posterior.sites().tau).for_each(|(x, tau)| *x *= tau);
        let explained = self.cross.transpose_mul_vec(&posterior.solve_site(&site));
        let mut covariance = self.prior.mul_vec(weights);
        vector::add_scaled(&mut covariance, -1.0, &explained);
        // Rounding can take a fully explained variance just below zero.
        Spread { var: vector::dot(weights, &covariance).max(0.0), covariance }
    }
}

/// The averaged probability given that the sum lies `t` standard deviations from its mean.
fn moved(fit: &FittedModel, class: Class, predictions: &Predictions, sum: &Spread, t: f64) -> f64 {
    let deviation = sum.var.sqrt();
    let probability = |row: usize, covariance: f64| {
        let latent = predictions.latent(row, 0);
        let shift = if deviation > 0.0 { covariance / deviation } else { 0.0 };
        let given = Gaussian { mean: latent.mean + shift * t, var: (latent.var - shift * shift).max(0.0) };
        fit.probability(class, given)
    };
    sum.covariance.iter().enumerate().map(|(row, &c)| probability(row, c)).sum::<f64>() / predictions.rows() as f64
}

#[cfg(test)]
#[path = "effects_tests.rs"]
mod tests;
