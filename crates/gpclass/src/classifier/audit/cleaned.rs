//! What would change without suspect labels: scores of the rows that nobody touches.

use super::super::{Classifier, ClassifierError};
use crate::data::{Class, Targets};
use crate::evaluate::{ClassForecasts, ScoreOptions, Scores, score_classes};
use crate::model::{ModelError, Predictions, TrainingData};
use serde::Serialize;
use std::sync::Arc;

/// Scores of left-out rows whose labels are not suspect, at the hyperparameters that were learned with all. The rows were chosen by
/// the same model, so that the first number flatters; what counts is by how much the others differ from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cleaned {
    /// Rows that are scored.
    pub rows: usize,
    /// With the suspects as they are.
    pub before: Scores,
    /// With the suspects given the label that they have rather.
    pub mended: Scores,
    /// Without the suspects.
    pub dropped: Scores,
}

impl Classifier {
    /// The other training rows as they would be predicted if these were mended, or dropped. Nothing where that would leave fewer
    /// than two classes.
    pub fn cleaned(&self, suspects: &[usize]) -> Result<Option<Cleaned>, ClassifierError> {
        let data = self.training();
        let kept: Vec<usize> = (0..data.rows()).filter(|row| !suspects.contains(row)).collect();
        let labels: Vec<Class> = kept.iter().map(|&row| data.labels()[row]).collect();
        if suspects.is_empty() || !labels.iter().any(|label| Some(label) != labels.first()) {
            return Ok(None);
        }
        let mut classes = data.labels().to_vec();
        suspects.iter().for_each(|&row| classes[row] = self.summary().suspects.rather(row, classes[row]));
        let Some(mended) = Targets::new(classes, data.targets().count()) else { return Ok(None) };
        let weights: Option<Vec<f64>> = data.weights().map(|weights| kept.iter().map(|&row| weights[row]).collect());
        let score = |rows: &Predictions| -> Result<Scores, ClassifierError> {
            let mut forecasts = ClassForecasts::new(&rows.probability, &labels);
            if let Some(weights) = &weights {
                forecasts = forecasts.with_weights(weights);
            }
            Ok(score_classes(&forecasts, &ScoreOptions::default())?)
        };
        let before = self.members.left_out()?.select_rows(&kept);
        let with_mended = self.refitted(|own| own.relabelled(mended.clone()))?.select_rows(&kept);
        let without = self.refitted(|own| own.with_rows(&kept).with_view(own.view().clone()))?;
        Ok(Some(Cleaned {
            rows: kept.len(),
            before: score(&before)?,
            mended: score(&with_mended)?,
            dropped: score(&without)?,
        }))
    }

    /// Rows left out of the members' posteriors on other data.
    fn refitted(
        &self,
        changed: impl Fn(&TrainingData) -> Result<TrainingData, ModelError>,
    ) -> Result<Predictions, ClassifierError> {
        self.members.mixed(|_, fitted| {
            let again = fitted.model().infer(&Arc::new(changed(fitted.data())?), None)?;
            Ok(again.left_out())
        })
    }
}
