//! What several models say together, as a mixture of what each says.

use super::effects::{EffectCurve, EffectOptions, EffectPoint, class_effect_curves};
use super::{ClassEffect, DecisionSurface, ExplainError, SurfaceOptions, class_effects, decision_surface};
use crate::data::{Class, Encoder};
use crate::likelihood::Gaussian;
use crate::model::{FittedModel, Probabilities};
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

/// [`class_effect_curves`] of models that predict together. Probabilities and latent means are the mixture's. So are the
/// variances of the latent values, to which the differences between models add; the band of a probability is as wide on either
/// side as the models' own half-widths and their differences together, in squares.
pub fn class_effect_curves_together(
    models: &[Weighed<'_>],
    encoder: &Encoder,
    features: &[usize],
    classes: &[Class],
    options: &EffectOptions,
) -> Result<Vec<Vec<EffectCurve>>, ExplainError> {
    let of_model = |model: &Weighed<'_>| class_effect_curves(model.fit, encoder, features, classes, options);
    let each = models.iter().map(of_model).collect::<Result<Vec<_>, _>>()?;
    let weights: Vec<f64> = models.iter().map(|model| model.weight).collect();
    let curve = |feature: usize, class: usize| {
        let own: Vec<&EffectCurve> = each.iter().map(|curves| &curves[feature][class]).collect();
        let point =
            |k: usize| mixed(&own.iter().map(|curve| &curve.points[k]).collect::<Vec<_>>(), &weights, options.level);
        EffectCurve { points: (0..own[0].points.len()).map(point).collect(), ..own[0].clone() }
    };
    Ok((0..features.len()).map(|f| (0..classes.len()).map(|c| curve(f, c)).collect()).collect())
}

/// [`class_effects`] of models that predict together.
pub fn class_effects_together(
    models: &[Weighed<'_>],
    encoder: &Encoder,
    features: &[usize],
    options: &EffectOptions,
) -> Result<Vec<ClassEffect>, ExplainError> {
    let mut sum: Option<Vec<ClassEffect>> = None;
    for Weighed { weight, fit } in models {
        let mut own = class_effects(fit, encoder, features, options)?;
        probabilities(&mut own).for_each(|p| *p *= weight);
        match &mut sum {
            None => sum = Some(own),
            Some(sum) => probabilities(sum).zip(probabilities(&mut own)).for_each(|(sum, p)| *sum += *p),
        }
    }
    Ok(sum.unwrap_or_default())
}

/// [`decision_surface`] of models that predict together.
pub fn decision_surface_together(
    models: &[Weighed<'_>],
    encoder: &Encoder,
    options: &SurfaceOptions,
) -> Result<Option<DecisionSurface>, ExplainError> {
    let mut sum: Option<DecisionSurface> = None;
    for Weighed { weight, fit } in models {
        let Some(mut own) = decision_surface(fit, encoder, options)? else { return Ok(None) };
        scale(&mut own, *weight);
        match &mut sum {
            None => sum = Some(own),
            Some(sum) => add(sum, &own),
        }
    }
    Ok(sum)
}

fn probabilities(effects: &mut [ClassEffect]) -> impl Iterator<Item = &mut f64> {
    effects.iter_mut().flat_map(|effect| &mut effect.points).flat_map(|point| &mut point.probability)
}

/// A point of the mixture.
fn mixed(points: &[&EffectPoint], weights: &[f64], level: f64) -> EffectPoint {
    let mean = |of: &dyn Fn(&EffectPoint) -> f64| points.iter().zip(weights).map(|(p, w)| w * of(p)).sum::<f64>();
    let latent_mean = mean(&|p| p.latent.mean);
    let latent = Gaussian {
        mean: latent_mean,
        var: mean(&|p| p.latent.var + (p.latent.mean - latent_mean) * (p.latent.mean - latent_mean)),
    };
    let half = -normal_quantile(0.5 * (1.0 - level)) * latent.var.sqrt();
    let probability = mean(&|p| p.probability);
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

fn scale(surface: &mut DecisionSurface, weight: f64) {
    surface.probability.iter_mut().for_each(|p| *p *= weight);
    if let Some(every) = &mut surface.every_class {
        let mat = every.as_mat();
        let values = mat.as_slice().iter().map(|p| weight * p).collect();
        *every = Probabilities::new(Mat::from_columns(mat.rows(), mat.cols(), values));
    }
}

fn add(sum: &mut DecisionSurface, own: &DecisionSurface) {
    sum.probability.iter_mut().zip(&own.probability).for_each(|(sum, p)| *sum += p);
    if let (Some(all), Some(own)) = (&mut sum.every_class, &own.every_class) {
        let (a, b) = (all.as_mat(), own.as_mat());
        let values = a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| a + b).collect();
        *all = Probabilities::new(Mat::from_columns(a.rows(), a.cols(), values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{EncoderOptions, Sign, Table};
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

    #[test]
    fn curves_and_surfaces_are_mixtures() {
        let ([first, second], encoder, _) = two_models();
        let both = [Weighed { weight: 0.3, fit: &first }, Weighed { weight: 0.7, fit: &second }];
        let options = EffectOptions { grid: 4, rows: 10, ..EffectOptions::default() };
        let of = |models: &[Weighed<'_>]| {
            class_effect_curves_together(models, &encoder, &[0, 1], &[Class::POSITIVE], &options).unwrap()
        };
        let alone = |fit| of(&[Weighed { weight: 1.0, fit }]);
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
        let surface = |models: &[Weighed<'_>]| decision_surface_together(models, &encoder, &small).unwrap().unwrap();
        let (mix, one) = (surface(&both), surface(&[Weighed { weight: 1.0, fit: &first }]));
        let two = surface(&[Weighed { weight: 1.0, fit: &second }]);
        for ((m, a), b) in mix.probability.iter().zip(&one.probability).zip(&two.probability) {
            assert!((m - 0.3 * a - 0.7 * b).abs() < 1e-12);
        }
    }
}
