//! The numbers that a decision rests on, besides the scores of the summary.

use crate::ReportError;
use gpclass::classifier::Classifier;
use gpclass::data::Class;
use gpclass::evaluate::recalibration::{common_slope, recalibrate};
use gpclass::evaluate::skill::{Skill, skill};
use gpclass::evaluate::{ClassForecasts, Estimate, ScoreOptions};
use gpclass::explain::UNLIKE_TRAINING;
use serde::Serialize;

/// What a summary's scores of left-out rows do not say: how they compare, and what to look at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeadNumbers {
    /// How much better than the base rate left-out rows are predicted.
    pub skill: Skill,
    /// Of two classes the calibration intercept.
    pub intercept: Option<Estimate>,
    /// Of two classes the calibration slope, of several the one that all share.
    pub slope: Option<Estimate>,
    /// Labels that look wrong.
    pub suspects: usize,
    /// Rows unlike all others.
    pub novel: usize,
}

impl HeadNumbers {
    /// Of a classifier; labels at least that probably wrong are counted.
    pub fn of(classifier: &Classifier, suspect_threshold: f64) -> Result<HeadNumbers, ReportError> {
        let novelty = classifier.training_novelty()?;
        let novel = novelty.iter().filter(|novelty| **novelty > UNLIKE_TRAINING).count();
        HeadNumbers::with_novel_rows(classifier, suspect_threshold, novel)
    }

    /// Where that many rows are unlike all others.
    pub(crate) fn with_novel_rows(
        classifier: &Classifier,
        suspect_threshold: f64,
        novel: usize,
    ) -> Result<HeadNumbers, ReportError> {
        let forecasts = left_out(classifier);
        let two = classifier.classes().len() == 2;
        let line = recalibrate(&forecasts.of_class(Class::POSITIVE))?;
        Ok(HeadNumbers {
            skill: skill(&forecasts, ScoreOptions::default().probability_floor)?,
            intercept: line.intercept.filter(|_| two),
            slope: if two { line.slope } else { common_slope(&forecasts)? },
            suspects: classifier.summary().suspects.above(suspect_threshold).len(),
            novel,
        })
    }
}

/// The left-out predictions beside the labels.
pub(crate) fn left_out(classifier: &Classifier) -> ClassForecasts<'_> {
    let training = classifier.training();
    let forecasts = ClassForecasts::new(&classifier.summary().loo_probability, training.labels());
    training.scoring_weights().map_or(forecasts, |weights| forecasts.with_weights(weights))
}
