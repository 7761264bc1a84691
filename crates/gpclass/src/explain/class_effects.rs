//! One-feature effects on all classes at once, without bands.

use super::effects::{background, check_features, with_feature_set};
use super::setting::{EffectShape, FeatureValue, check_encoder, settings, shape};
use super::{EffectOptions, ExplainError};
use crate::data::{Encoder, FeatureKind, Inputs};
use crate::model::{FittedModel, Probabilities};
use gpclass_linalg::map_tasks;
use serde::{Deserialize, Serialize};

/// The average over training rows when one feature of all of them is set to a value and the others stay as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassEffectPoint {
    /// What the feature is set to.
    pub value: FeatureValue,
    /// The averaged probability of every class.
    pub probability: Vec<f64>,
}

/// The effect of one feature on the probabilities of all classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassEffect {
    /// The feature's name.
    pub feature: String,
    /// Continuous or discrete.
    pub kind: FeatureKind,
    /// Whether the points are all the values that the feature has, to be drawn as bars, or some of a curve.
    #[serde(default)]
    pub shape: EffectShape,
    /// By increasing value, or by category.
    pub points: Vec<ClassEffectPoint>,
}

/// The effects of the given features, by their position in the inputs, on all classes: the probabilities of
/// [`effect_curves`](super::effect_curves) at the cost of one prediction per row and value. Of the options, `class` and `level`
/// do not matter.
pub fn class_effects(
    fit: &FittedModel,
    encoder: &Encoder,
    features: &[usize],
    options: &EffectOptions,
) -> Result<Vec<ClassEffect>, ExplainError> {
    class_effects_by(fit, encoder, features, options, |rows| Ok(fit.predict(rows)?.probability))
}

/// The same of whatever gives the probabilities, whose training rows are those of `fit`.
pub(super) fn class_effects_by(
    fit: &FittedModel,
    encoder: &Encoder,
    features: &[usize],
    options: &EffectOptions,
    predict: impl Fn(&Inputs) -> Result<Probabilities, ExplainError> + Sync,
) -> Result<Vec<ClassEffect>, ExplainError> {
    check_encoder(fit, encoder)?;
    options.check()?;
    check_features(fit, features)?;
    let inputs = fit.data().given();
    let background = background(inputs, options.rows);
    let effect = |&feature: &usize| {
        let settings = settings(inputs, encoder, feature, options.grid, options.max_levels);
        let points = map_tasks(settings.len(), |k| {
            let rows = with_feature_set(&background, feature, &settings[k].encoded);
            let predicted = predict(&rows)?;
            let mean = |class| predicted.of_class(class).iter().sum::<f64>() / predicted.rows() as f64;
            let probability = predicted.classes().map(mean).collect();
            Ok(ClassEffectPoint { value: settings[k].value.clone(), probability })
        });
        let about = &inputs.features()[feature];
        let points = points.into_iter().collect::<Result<_, ExplainError>>()?;
        let shape = shape(inputs, encoder, feature, options.max_levels);
        Ok(ClassEffect { feature: about.name.clone(), kind: about.kind, shape, points })
    };
    features.iter().map(effect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Column, EncoderOptions, Table, Targets};
    use crate::explain::effect_curves;
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, Multiclass, TrainingData};
    use std::sync::Arc;

    #[test]
    fn they_are_the_probabilities_of_the_curves_of_every_class() {
        let table = Table::new(vec![
            Column::continuous("x", (0..18).map(|i| f64::from(i * 5).sin()).collect()),
            Column::categories("colour", (0..18).map(|i| ["red", "green"][i % 2])),
        ]);
        let table = table.unwrap();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        let labels = (0..18).map(|i| Class::from((i * i % 3 + i % 2) as u16)).collect();
        let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, 3).unwrap()).unwrap());
        for multiclass in [Multiclass::Joint, Multiclass::OneVsRest] {
            let kernel = Kernel::squared_exponential(2.0, Scales::Single(0.5));
            let model = Model { multiclass, ..Model::new(kernel, Likelihood::probit()) };
            let fit = model.infer(&data, None).unwrap();
            let options = EffectOptions { grid: 3, rows: 4, ..EffectOptions::default() };
            let effects = class_effects(&fit, &encoder, &[1, 0], &options).unwrap();
            for class in Class::first(3) {
                let of_class = EffectOptions { class, ..options.clone() };
                for (effect, curve) in effects.iter().zip(effect_curves(&fit, &encoder, &[1, 0], &of_class).unwrap()) {
                    assert_eq!((&effect.feature, effect.points.len()), (&curve.feature, curve.points.len()));
                    for (got, want) in effect.points.iter().zip(&curve.points) {
                        assert_eq!(got.value, want.value);
                        let gap = got.probability[class.position()] - want.probability;
                        assert!(gap.abs() < 1e-9, "{multiclass}: {got:?} and {want:?}");
                    }
                }
            }
        }
        let options = EffectOptions::default();
        let fit = Model::new(Kernel::bias(1.0), Likelihood::probit()).infer(&data, None).unwrap();
        assert!(matches!(class_effects(&fit, &encoder, &[2], &options), Err(ExplainError::Feature { .. })));
    }
}
