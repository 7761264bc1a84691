//! Effects of numbers that take few values, as of categories.

use crate::text::number;
use gpclass::data::{Encoder, Inputs};
use gpclass::explain::{EffectCurve, EffectPoint, FeatureValue};
use gpclass::likelihood::Gaussian;

/// A number of at most this many different values is shown like categories.
const FEW: usize = 7;

/// The curve at the values that training rows have, between its points in proportion, where these are few; else as it is.
pub(crate) fn at_few_values(curve: EffectCurve, feature: usize, encoder: &Encoder, inputs: &Inputs) -> EffectCurve {
    let numbers: Option<Vec<f64>> = curve.points.iter().map(|point| position(&point.value)).collect();
    let standardiser = encoder.columns()[feature].standardiser();
    let (Some(numbers), Some(standardiser)) = (numbers, standardiser) else { return curve };
    let mut values = inputs.values().col(inputs.features()[feature].columns.start).to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.len() > FEW || curve.points.len() < 2 {
        return curve;
    }
    let points = values.iter().map(|z| between(&curve.points, &numbers, standardiser.invert(*z))).collect();
    EffectCurve { points, ..curve }
}

pub(crate) fn position(value: &FeatureValue) -> Option<f64> {
    match value {
        FeatureValue::Number(number) => Some(*number),
        FeatureValue::Category(_) => None,
    }
}

fn between(points: &[EffectPoint], numbers: &[f64], value: f64) -> EffectPoint {
    let above = numbers.partition_point(|number| *number < value).clamp(1, points.len() - 1);
    let (before, after) = (&points[above - 1], &points[above]);
    let share = ((value - numbers[above - 1]) / (numbers[above] - numbers[above - 1])).clamp(0.0, 1.0);
    let mix = |of: fn(&EffectPoint) -> f64| (1.0 - share) * of(before) + share * of(after);
    let tidy = if (value - value.round()).abs() < 1e-9 * value.abs().max(1.0) { value.round() + 0.0 } else { value };
    EffectPoint {
        value: FeatureValue::Category(number(tidy)),
        latent: Gaussian { mean: mix(|p| p.latent.mean), var: mix(|p| p.latent.var) },
        latent_low: mix(|p| p.latent_low),
        latent_high: mix(|p| p.latent_high),
        probability: mix(|p| p.probability),
        low: mix(|p| p.low),
        high: mix(|p| p.high),
    }
}
