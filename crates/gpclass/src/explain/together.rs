//! What several models say together, as a mixture of what each says.

use super::class_effects::class_effects_by;
use super::effects::{EffectCurve, EffectOptions, EffectPoint, Traced, traced_curves, with_individuals};
use super::surface::decision_surface_by;
use super::{ClassEffect, DecisionSurface, ExplainError, SurfaceOptions};
use crate::data::{Class, Encoder, Inputs};
use crate::likelihood::Gaussian;
use crate::model::{FittedModel, Mixture, Probabilities, sharpened};
use crate::special::normal_quantile;
use gpclass_linalg::Mat;

/// A model and its share in the predictions.
#[derive(Clone, Copy, Debug)]
pub struct Weighed<'a> {
    /// Positive; the weights of all sum to one.
    pub weight: f64,
    /// The model.
    pub fit: &'a FittedModel,
}

/// Models that predict together, at least one.
#[derive(Clone, Debug)]
pub struct Together<'a> {
    /// With their shares.
    pub models: Vec<Weighed<'a>>,
    /// The power that their mixture is raised to before it is normalised.
    pub sharpness: f64,
}

impl Together<'_> {
    fn weights(&self) -> Vec<f64> {
        self.models.iter().map(|model| model.weight).collect()
    }

    fn probability(&self, rows: &Inputs) -> Result<Probabilities, ExplainError> {
        let mixture = Mixture { weights: self.weights(), sharpness: self.sharpness };
        Ok(mixture.of(|k| self.models[k].fit.predict(rows))?.probability)
    }

    /// The probabilities of the classes in some rows, from those of every model: rows x classes.
    fn of_rows(&self, rows: &[&Mat]) -> Mat {
        let mut out = rows[0].clone();
        for row in 0..out.rows() {
            let share = |c: usize| self.models.iter().zip(rows).map(|(model, own)| model.weight * own[(row, c)]).sum();
            let mixed: Vec<f64> = (0..out.cols()).map(share).collect();
            let raised = sharpened(&mixed, self.sharpness);
            (0..out.cols()).for_each(|c| out[(row, c)] = raised[c]);
        }
        out
    }
}

/// [`class_effect_curves`](super::class_effect_curves) of models that predict together. Probabilities and latent means are the
/// mixture's. So are the variances of the latent values, to which the differences between models add; the band of a probability
/// is as wide on either side as the models' own half-widths and their differences together, in squares, each model raised to the
/// power of the mixture.
pub fn class_effect_curves_together(
    together: &Together<'_>,
    encoder: &Encoder,
    features: &[usize],
    classes: &[Class],
    options: &EffectOptions,
) -> Result<Vec<Vec<EffectCurve>>, ExplainError> {
    let of_model =
        |model: &Weighed<'_>| traced_curves(model.fit, encoder, features, classes, options, together.sharpness);
    let each = together.models.iter().map(of_model).collect::<Result<Vec<Vec<Traced>>, _>>()?;
    let weights = together.weights();
    let curves = |feature: usize| {
        let own: Vec<&Traced> = each.iter().map(|traced| &traced[feature]).collect();
        let of_rows = |k: usize| together.of_rows(&own.iter().map(|traced| &traced.rows[k]).collect::<Vec<_>>());
        let at_points: Vec<Mat> = (0..own[0].rows.len()).map(of_rows).collect();
        let curve = |(c, &class): (usize, &Class)| {
            let point = |(k, rows): (usize, &Mat)| {
                let points: Vec<&EffectPoint> = own.iter().map(|traced| &traced.curves[c].points[k]).collect();
                let average = rows.col(class.position()).iter().sum::<f64>() / rows.rows() as f64;
                mixed(&points, &weights, average, options.level)
            };
            let points = at_points.iter().enumerate().map(point).collect();
            let curve = EffectCurve { points, ..own[0].curves[c].clone() };
            with_individuals(curve, class, &at_points, together.models[0].fit.data().rows())
        };
        classes.iter().enumerate().map(curve).collect()
    };
    Ok((0..features.len()).map(curves).collect())
}

/// [`class_effects`](super::class_effects) of models that predict together.
pub fn class_effects_together(
    together: &Together<'_>,
    encoder: &Encoder,
    features: &[usize],
    options: &EffectOptions,
) -> Result<Vec<ClassEffect>, ExplainError> {
    class_effects_by(together.models[0].fit, encoder, features, options, |rows| together.probability(rows))
}

/// [`decision_surface`](super::decision_surface) of models that predict together.
pub fn decision_surface_together(
    together: &Together<'_>,
    encoder: &Encoder,
    options: &SurfaceOptions,
) -> Result<Option<DecisionSurface>, ExplainError> {
    decision_surface_by(together.models[0].fit, encoder, options, |rows| together.probability(rows))
}

/// A point of the mixture, whose probability is known.
fn mixed(points: &[&EffectPoint], weights: &[f64], probability: f64, level: f64) -> EffectPoint {
    let mean = |of: &dyn Fn(&EffectPoint) -> f64| points.iter().zip(weights).map(|(p, w)| w * of(p)).sum::<f64>();
    let latent_mean = mean(&|p| p.latent.mean);
    let latent = Gaussian {
        mean: latent_mean,
        var: mean(&|p| p.latent.var + (p.latent.mean - latent_mean) * (p.latent.mean - latent_mean)),
    };
    let half = -normal_quantile(0.5 * (1.0 - level)) * latent.var.sqrt();
    let apart = -normal_quantile(0.5 * (1.0 - level));
    let width = |end: &dyn Fn(&EffectPoint) -> f64| {
        let own = |p: &EffectPoint| (end(p) - p.probability).powi(2) + (apart * (p.probability - probability)).powi(2);
        mean(&own).sqrt()
    };
    EffectPoint {
        value: points[0].value.clone(),
        latent,
        latent_low: latent.mean - half,
        latent_high: latent.mean + half,
        probability,
        low: (probability - width(&|p| p.low)).max(0.0),
        high: (probability + width(&|p| p.high)).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{EncoderOptions, Sign, Table};
    use crate::explain::{FeatureValue, class_effect_curves};
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, TrainingData};
    use std::sync::Arc;

    fn two_models() -> ([FittedModel; 2], Encoder, Table) {
        let table = Table::from_matrix(&Mat::from_fn(24, 2, |i, j| ((i * (j + 3)) as f64).sin())).unwrap();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        let labels: Vec<Sign> = (0..24).map(|i| if i % 3 == 0 { Sign::Positive } else { Sign::Negative }).collect();
        let data = Arc::new(TrainingData::new(inputs, labels).unwrap());
        let kernels = [Kernel::squared_exponential(2.0, Scales::Single(0.8)), Kernel::linear(Scales::Single(1.0))];
        (kernels.map(|kernel| Model::new(kernel, Likelihood::probit()).infer(&data, None).unwrap()), encoder, table)
    }

    fn together<'a>(models: &[(f64, &'a FittedModel)], sharpness: f64) -> Together<'a> {
        let models = models.iter().map(|&(weight, fit)| Weighed { weight, fit }).collect();
        Together { models, sharpness }
    }

    /// Every row is raised to the power before rows are averaged; bands contain the curve and grow no wider than one.
    #[test]
    fn powers_are_those_of_the_rows() {
        let ([first, second], encoder, table) = two_models();
        let both = together(&[(0.3, &first), (0.7, &second)], 2.2);
        let options = EffectOptions { grid: 3, rows: 24, ..EffectOptions::default() };
        let curve = &class_effect_curves_together(&both, &encoder, &[0], &[Class::POSITIVE], &options).unwrap()[0][0];
        let every = &class_effects_together(&both, &encoder, &[0], &options).unwrap()[0];
        let rows = encoder.encode(&table).unwrap().0;
        for (point, all) in curve.points.iter().zip(&every.points) {
            let FeatureValue::Number(value) = point.value else { panic!("a number") };
            let z = encoder.columns()[0].standardiser().unwrap().apply(value);
            let set = super::super::effects::with_feature_set(&rows, 0, &[z]);
            let (one, two) = (first.predict(&set).unwrap().probability, second.predict(&set).unwrap().probability);
            let raised = |i: usize| {
                let p = 0.3 * one.at(i, Class::POSITIVE) + 0.7 * two.at(i, Class::POSITIVE);
                p.powf(2.2) / (p.powf(2.2) + (1.0 - p).powf(2.2))
            };
            let want = (0..24).map(raised).sum::<f64>() / 24.0;
            for one in &curve.individual {
                let k = curve.points.iter().position(|other| other == point).unwrap();
                assert!((one.probability[k] - raised(one.row)).abs() < 1e-9, "row {}", one.row);
            }
            assert_eq!(curve.individual.len(), 20);
            assert!((point.probability - want).abs() < 1e-9, "{} and {want}", point.probability);
            assert!((all.probability[1] - want).abs() < 1e-9);
            assert!(0.0 <= point.low && point.low < want && want < point.high && point.high <= 1.0);
        }
        let small = SurfaceOptions { resolution: 3, ..SurfaceOptions::default() };
        let at = |sharpness| {
            let models = Together { sharpness, ..both.clone() };
            decision_surface_together(&models, &encoder, &small).unwrap().unwrap().probability
        };
        for (p, q) in at(1.0).into_iter().zip(at(2.2)) {
            assert!((q - p.powf(2.2) / (p.powf(2.2) + (1.0 - p).powf(2.2))).abs() < 1e-12);
        }
    }

    #[test]
    fn curves_and_surfaces_are_mixtures() {
        let ([first, second], encoder, _) = two_models();
        let both = together(&[(0.3, &first), (0.7, &second)], 1.0);
        let options = EffectOptions { grid: 4, rows: 10, ..EffectOptions::default() };
        let of = |models: &Together<'_>| {
            class_effect_curves_together(models, &encoder, &[0, 1], &[Class::POSITIVE], &options).unwrap()
        };
        let alone = |fit| of(&together(&[(1.0, fit)], 1.0));
        let (mix, one, two) = (of(&both), alone(&first), alone(&second));
        let every = class_effects_together(&both, &encoder, &[0, 1], &options).unwrap();
        for feature in 0..2 {
            for k in 0..4 {
                let at = |curves: &[Vec<EffectCurve>]| curves[feature][0].points[k].clone();
                let (m, a, b) = (at(&mix), at(&one), at(&two));
                assert!((m.probability - 0.3 * a.probability - 0.7 * b.probability).abs() < 1e-12);
                assert!((m.latent.mean - 0.3 * a.latent.mean - 0.7 * b.latent.mean).abs() < 1e-12);
                assert!(m.latent.var >= 0.3 * a.latent.var + 0.7 * b.latent.var - 1e-12);
                assert!(m.low <= m.probability && m.probability <= m.high && m.low >= 0.0 && m.high <= 1.0);
                assert!((every[feature].points[k].probability[1] - m.probability).abs() < 1e-9);
            }
        }
        let plain = class_effect_curves(&first, &encoder, &[0, 1], &[Class::POSITIVE], &options).unwrap();
        for (curve, own) in plain.iter().flatten().zip(one.iter().flatten()) {
            for (p, q) in curve.points.iter().zip(&own.points) {
                assert!((p.low - q.low).abs() < 1e-12 && (p.high - q.high).abs() < 1e-12, "one model is itself");
            }
        }
        let small = SurfaceOptions { resolution: 5, ..SurfaceOptions::default() };
        let surface = |models: &Together<'_>| decision_surface_together(models, &encoder, &small).unwrap().unwrap();
        let (mix, one) = (surface(&both), surface(&together(&[(1.0, &first)], 1.0)));
        let two = surface(&together(&[(1.0, &second)], 1.0));
        for ((m, a), b) in mix.probability.iter().zip(&one.probability).zip(&two.probability) {
            assert!((m - 0.3 * a - 0.7 * b).abs() < 1e-12);
        }
    }
}
