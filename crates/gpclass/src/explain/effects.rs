//! One-feature effects: partial dependence with credible bands.

use super::ExplainError;
use super::setting::{EffectShape, FeatureValue, Setting, check_encoder, settings, shape};
use crate::data::{Class, Encoder, FeatureKind, Inputs};
use crate::inference::joint::RowGaussian;
use crate::likelihood::Gaussian;
use crate::model::{FittedModel, sharpened};
use crate::special::normal_quantile;
use gpclass_linalg::{Mat, map_tasks, vector};
use serde::{Deserialize, Serialize};

/// Choices of effect curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EffectOptions {
    /// Values of a continuous feature of more than `max_levels` values, evenly over its training range. Default 41.
    pub grid: usize,
    /// Training rows, evenly spaced in their order, over which a curve is averaged. Default 60.
    pub rows: usize,
    /// Categories of a discrete feature, the most frequent first, or values of a continuous one that has no more. Default 12.
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
    /// Whether the points are all the values that the feature has, to be drawn as bars, or some of a curve.
    #[serde(default)]
    pub shape: EffectShape,
    /// By increasing value, or by category.
    pub points: Vec<EffectPoint>,
    /// Coverage of the bands.
    pub level: f64,
    /// The same for single ones of the rows that the average is of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub individual: Vec<IndividualEffect>,
}

/// What the model would say about one training row if a feature of it had other values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IndividualEffect {
    /// Position of the row among the training rows.
    pub row: usize,
    /// The probability of the class at every point of the curve.
    pub probability: Vec<f64>,
}

/// The effects of the given features, by their position in the inputs, on the class of the options.
///
/// A curve answers: if this feature alone had another value, what would the model say on average? A value that never
/// occurs together with a row's other values is extrapolated to, which the band shows by widening.
pub fn effect_curves(
    fit: &FittedModel,
    encoder: &Encoder,
    features: &[usize],
    options: &EffectOptions,
) -> Result<Vec<EffectCurve>, ExplainError> {
    let on_one = class_effect_curves(fit, encoder, features, &[options.class], options)?;
    Ok(on_one.into_iter().flatten().collect())
}

/// The effects of the given features on several classes: for every feature a curve per class, in the order of `classes`.
/// The class of the options does not matter. Costs less than the curves of one class after the other.
pub fn class_effect_curves(
    fit: &FittedModel,
    encoder: &Encoder,
    features: &[usize],
    classes: &[Class],
    options: &EffectOptions,
) -> Result<Vec<Vec<EffectCurve>>, ExplainError> {
    let traced = traced_curves(fit, encoder, features, classes, options, 1.0)?;
    let of_feature = |Traced { curves, rows }: Traced| {
        let with = |(curve, &class)| with_individuals(curve, class, &rows, fit.data().rows());
        curves.into_iter().zip(classes).map(with).collect()
    };
    Ok(traced.into_iter().map(of_feature).collect())
}

/// Most rows that a curve is told of one by one.
const INDIVIDUALS: usize = 20;

/// A curve with those of single rows, evenly among the rows that it is the average of: `at_points` has the probabilities of all
/// classes in these, rows x classes, at every point.
pub(super) fn with_individuals(curve: EffectCurve, class: Class, at_points: &[Mat], training: usize) -> EffectCurve {
    let averaged = at_points.first().map_or(0, Mat::rows);
    let shown = evenly(averaged, INDIVIDUALS);
    let places = evenly(training, averaged);
    let one = |k: usize| IndividualEffect {
        row: places[k],
        probability: at_points.iter().map(|rows| rows[(k, class.position())]).collect(),
    };
    EffectCurve { individual: shown.into_iter().map(one).collect(), ..curve }
}

/// At most `most` of some positions, evenly spaced.
fn evenly(count: usize, most: usize) -> Vec<usize> {
    let kept = most.min(count);
    (0..kept).map(|k| k * count / kept).collect()
}

/// The curves of one feature with what they are averages of.
pub(super) struct Traced {
    /// One per class.
    pub curves: Vec<EffectCurve>,
    /// At every point the probabilities of all classes in every row, before they are raised to a power: rows x classes.
    pub rows: Vec<Mat>,
}

/// [`class_effect_curves`] of probabilities that are raised to a power and normalised in every row.
pub(super) fn traced_curves(
    fit: &FittedModel,
    encoder: &Encoder,
    features: &[usize],
    classes: &[Class],
    options: &EffectOptions,
    sharpness: f64,
) -> Result<Vec<Traced>, ExplainError> {
    check_encoder(fit, encoder)?;
    options.check()?;
    check_features(fit, features)?;
    let background = background(fit.data().given(), options.rows);
    let asked = Asked { fit, classes, level: options.level, sharpness };
    features.iter().map(|&feature| asked.curves(encoder, feature, &background, options)).collect()
}

impl EffectOptions {
    pub(super) fn check(&self) -> Result<(), ExplainError> {
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

/// Whether the model has features at these positions.
pub(super) fn check_features(fit: &FittedModel, features: &[usize]) -> Result<(), ExplainError> {
    let known = fit.data().inputs().features().len();
    match features.iter().find(|&&feature| feature >= known) {
        Some(&feature) => Err(ExplainError::Feature { feature, features: known }),
        None => Ok(()),
    }
}

/// At most `rows` training rows, evenly spaced.
pub(super) fn background(inputs: &Inputs, rows: usize) -> Inputs {
    inputs.select_rows(&evenly(inputs.rows(), rows))
}

/// What is asked about the effects of features.
struct Asked<'a> {
    fit: &'a FittedModel,
    classes: &'a [Class],
    level: f64,
    sharpness: f64,
}

impl Asked<'_> {
    fn curves(
        &self,
        encoder: &Encoder,
        feature: usize,
        background: &Inputs,
        options: &EffectOptions,
    ) -> Result<Traced, ExplainError> {
        let inputs = self.fit.data().given();
        let settings = settings(inputs, encoder, feature, options.grid, options.max_levels);
        let at_settings = map_tasks(settings.len(), |k| {
            let rows = with_feature_set(background, feature, &settings[k].encoded);
            self.points(&settings[k], &rows)
        });
        let at_settings = at_settings.into_iter().collect::<Result<Vec<_>, _>>()?;
        let about = &inputs.features()[feature];
        let curve = |c: usize| EffectCurve {
            feature: about.name.clone(),
            kind: about.kind,
            shape: shape(inputs, encoder, feature, options.max_levels),
            points: at_settings.iter().map(|(points, _)| points[c].clone()).collect(),
            level: self.level,
            individual: Vec::new(),
        };
        let curves = (0..self.classes.len()).map(curve).collect();
        Ok(Traced { curves, rows: at_settings.into_iter().map(|(_, rows)| rows).collect() })
    }

    /// A point for every class, from rows whose feature is set, and the probabilities in these rows.
    fn points(&self, setting: &Setting, rows: &Inputs) -> Result<(Vec<EffectPoint>, Mat), ExplainError> {
        let fit = self.fit;
        let at_rows = fit.functions_at(rows)?;
        let joint = JointPosterior::new(fit, rows);
        let plain: Vec<Vec<f64>> = at_rows.iter().map(|row| fit.class_probabilities(row)).collect();
        let probabilities: Vec<Vec<f64>> = plain.iter().map(|row| sharpened(row, self.sharpness)).collect();
        let (count, functions) = (rows.rows() as f64, fit.functions());
        let quantile = -normal_quantile(0.5 * (1.0 - self.level));
        let of_class = |&class: &Class| {
            let contrast = contrast(class, functions);
            let mean = |row: &RowGaussian| row.mean.iter().zip(&contrast).map(|(mean, w)| w * mean).sum::<f64>();
            let evenly = Mat::from_fn(rows.rows(), functions, |_, c| contrast[c] / count);
            let latent =
                Gaussian { mean: at_rows.iter().map(mean).sum::<f64>() / count, var: joint.spread(&evenly).var };
            let half = quantile * latent.var.sqrt();
            let probability = probabilities.iter().map(|row| row[class.position()]).sum::<f64>() / count;
            let slope = |i: usize| self.slopes(class, &at_rows[i], &plain[i], &probabilities[i]);
            let slopes: Vec<Vec<f64>> = (0..at_rows.len()).map(slope).collect();
            let spread = joint.spread(&Mat::from_fn(rows.rows(), functions, |row, c| slopes[row][c] / count));
            let ends = [-quantile, quantile].map(|t| self.moved(class, &at_rows, &spread, t));
            EffectPoint {
                value: setting.value.clone(),
                latent,
                latent_low: latent.mean - half,
                latent_high: latent.mean + half,
                probability,
                // The mean of a very skew distribution can lie outside its own quantiles.
                low: ends[0].min(ends[1]).min(probability),
                high: ends[0].max(ends[1]).max(probability),
            }
        };
        let points = self.classes.iter().map(of_class).collect();
        Ok((points, Mat::from_fn(plain.len(), fit.data().targets().count(), |row, c| plain[row][c])))
    }

    /// How the probability of a class, `raised` to the power, moves with the mean of each function, up to a factor that all rows
    /// have in common.
    fn slopes(&self, class: Class, row: &RowGaussian, plain: &[f64], raised: &[f64]) -> Vec<f64> {
        let mut slopes = self.fit.class_slopes(class, row, raised);
        if self.sharpness != 1.0 && slopes.len() == 1 {
            // Of two classes they are those of the plain probability p; that of q is s q (1 - q) / (p (1 - p)) times as steep.
            slopes[0] *= raised[0] * raised[1] / (plain[0] * plain[1]).max(f64::MIN_POSITIVE);
        }
        slopes
    }

    /// The averaged probability given that the sum lies `t` standard deviations from its mean.
    fn moved(&self, class: Class, rows: &[RowGaussian], sum: &Spread, t: f64) -> f64 {
        let deviation = sum.var.sqrt();
        let probability = |(i, row): (usize, &RowGaussian)| {
            let shift = |c: usize| if deviation > 0.0 { sum.covariance[(i, c)] / deviation } else { 0.0 };
            let functions = row.mean.len();
            let left = |c: usize, d: usize| row.cov[(c, d)] - shift(c) * shift(d);
            let given = RowGaussian {
                mean: (0..functions).map(|c| row.mean[c] + shift(c) * t).collect(),
                cov: Mat::from_fn(functions, functions, |c, d| if c == d { left(c, d).max(0.0) } else { left(c, d) }),
            };
            if self.sharpness == 1.0 {
                return self.fit.class_probability(class, &given);
            }
            sharpened(&self.fit.class_probabilities(&given), self.sharpness)[class.position()]
        };
        rows.iter().enumerate().map(probability).sum::<f64>() / rows.len() as f64
    }
}

/// What is called the latent value of a class: the one function of two classes, or by how much the function of the class
/// exceeds the mean of all. Only differences between functions mean anything.
pub(super) fn contrast(class: Class, functions: usize) -> Vec<f64> {
    if functions == 1 {
        return vec![1.0];
    }
    (0..functions).map(|c| f64::from(u8::from(c == class.position())) - 1.0 / functions as f64).collect()
}

pub(super) fn with_feature_set(rows: &Inputs, feature: usize, encoded: &[f64]) -> Inputs {
    let columns = rows.features()[feature].columns.clone();
    let mut values = rows.values().clone();
    for (column, &value) in columns.zip(encoded) {
        values.col_mut(column).fill(value);
    }
    Inputs::new(rows.features().to_vec(), values)
}

/// A weighted sum `wᵀ f` of latent values: its variance, and its covariance with each of them, rows x functions.
pub(super) struct Spread {
    pub var: f64,
    covariance: Mat,
}

/// The joint posterior of the latent values of some rows, noise of single rows left out.
pub(super) struct JointPosterior<'a> {
    fit: &'a FittedModel,
    /// With the training rows, and of the rows: for every kernel that differs.
    cross: Vec<Mat>,
    prior: Vec<Mat>,
}

impl<'a> JointPosterior<'a> {
    pub fn new(fit: &'a FittedModel, rows: &Inputs) -> Self {
        let seen = fit.data().view().apply(rows);
        let rows = seen.as_ref();
        let kernel = &fit.model().kernel;
        let different = 0..kernel.own_classes().unwrap_or(1);
        let of = |c: usize| kernel.of_class(c);
        JointPosterior {
            fit,
            cross: different.clone().map(|c| fit.prior(c).cross(of(c), fit.data().inputs(), rows)).collect(),
            prior: different.map(|c| of(c).cross(rows, rows)).collect(),
        }
    }

    /// `(K** - K*ᵀ R K*) w` with `R = (I + T K)⁻¹ T`: one solve, whatever the number of rows. // math 4, 8
    pub fn spread(&self, weights: &Mat) -> Spread {
        let functions = weights.cols();
        let of = |c: usize| c.min(self.cross.len() - 1);
        let columns = |column: &dyn Fn(usize) -> Vec<f64>| (0..functions).flat_map(column).collect::<Vec<f64>>();
        let training = self.cross[0].rows();
        let seen = Mat::from_columns(training, functions, columns(&|c| self.cross[of(c)].mul_vec(weights.col(c))));
        let solved = self.fit.information_times(&seen);
        let covariance = columns(&|c| {
            let mut own = self.prior[of(c)].mul_vec(weights.col(c));
            vector::add_scaled(&mut own, -1.0, &self.cross[of(c)].transpose_mul_vec(solved.col(c)));
            own
        });
        // Rounding can take a fully explained variance just below zero.
        let var = vector::dot(weights.as_slice(), &covariance).max(0.0);
        Spread { var, covariance: Mat::from_columns(weights.rows(), functions, covariance) }
    }
}

#[cfg(test)]
#[path = "effects_tests.rs"]
mod tests;
