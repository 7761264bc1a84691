//! What a report shows: the library's account of a fit, and the curves that are computed for the page.

use crate::{ReportError, ReportOptions};
use gpclass::classifier::{Classifier, Note, Provenance, Summary};
use gpclass::data::{Class, FeatureKind};
use gpclass::evaluate::Forecasts;
use gpclass::evaluate::calibration::{CalibrationCurve, CalibrationOptions, calibration_curve};
use gpclass::evaluate::curves::{PrecisionRecallCurve, RocPoint, precision_recall_curve, roc_curve};
use gpclass::explain::{DecisionSurface, EffectCurve, decision_surface, effect_curves};
use gpclass::learn::ranking;

/// A classifier made ready to be shown, as a page by [`html`](Report::html) or as single figures by
/// [`figures`](Report::figures). Classes are named by their position in the summary's list of them.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Heading of the page.
    pub(crate) title: String,
    /// The account of the fit.
    pub(crate) summary: &'a Summary,
    /// Where the model comes from.
    pub(crate) provenance: &'a Provenance,
    /// How many models the predictions are averaged over.
    pub(crate) averaged: usize,
    /// The class of every training row.
    pub(crate) class_of_row: Vec<usize>,
    /// The line of every training row in its file, if it is known.
    pub(crate) lines: Option<Vec<u64>>,
    /// Training rows whose labels look wrong, most suspect first.
    pub(crate) suspects: Vec<usize>,
    /// ROC curve of the leave-one-out predictions; empty with one class only.
    pub(crate) roc: Vec<RocPoint>,
    /// Precision-recall curve of the leave-one-out predictions.
    pub(crate) precision_recall: Option<PrecisionRecallCurve>,
    /// Calibration of the leave-one-out predictions.
    pub(crate) calibration: CalibrationCurve,
    /// Effects of the most relevant features.
    pub(crate) effects: Vec<EffectCurve>,
    /// For two continuous features the probability over their plane.
    pub(crate) surface: Option<DecisionSurface>,
}

impl<'a> Report<'a> {
    /// All there is to show of a classifier. Effects and the decision surface are those of the chosen model, also where
    /// predictions are averaged over several.
    pub fn of(classifier: &'a Classifier, options: &ReportOptions) -> Result<Report<'a>, ReportError> {
        let (summary, provenance) = (classifier.summary(), classifier.provenance());
        let (training, encoder) = (classifier.training(), classifier.encoder());
        let mut forecasts = Forecasts::new(summary.loo_probability.of_class(Class::POSITIVE), training.labels());
        if let Some(weights) = training.weights() {
            forecasts = forecasts.with_weights(weights);
        }
        let top: Vec<usize> = ranking(&summary.relevances).into_iter().take(options.effects).collect();
        let name = provenance.source.as_deref().unwrap_or("Classification report");
        Ok(Report {
            title: options.title.as_deref().unwrap_or(name).to_owned(),
            summary,
            provenance,
            averaged: classifier.members().len(),
            class_of_row: training.labels().iter().map(|class| class.position()).collect(),
            lines: options.lines.clone().filter(|lines| lines.len() == training.rows()),
            suspects: summary.suspects.above(options.suspect_threshold),
            roc: roc_curve(&forecasts, options.curve_points)?.unwrap_or_default(),
            precision_recall: precision_recall_curve(&forecasts, options.curve_points)?,
            calibration: calibration_curve(&forecasts, &CalibrationOptions::default())?,
            effects: effect_curves(classifier.fitted(), encoder, &top, &options.effect)?,
            surface: decision_surface(classifier.fitted(), encoder, &options.surface)?,
        })
    }

    /// The class whose probability is shown where a row has one number: the last of two.
    pub(crate) const SHOWN_CLASS: usize = 1;

    /// The name of a class.
    pub(crate) fn class(&self, class: usize) -> &str {
        &self.summary.classes[class].class
    }

    /// The name of the class whose probability is shown.
    pub(crate) fn shown_class(&self) -> &str {
        self.class(Self::SHOWN_CLASS)
    }

    /// The share of training rows that have a class.
    pub(crate) fn share_of(&self, class: usize) -> f64 {
        self.summary.classes[class].rows as f64 / self.summary.rows.max(1) as f64
    }

    /// The probability of a class for a training row as the others predict it.
    pub(crate) fn left_out(&self, row: usize, class: usize) -> f64 {
        self.summary.loo_probability.as_mat()[(row, class)]
    }

    /// The class that a training row most probably has if its label is wrong.
    pub(crate) fn instead(&self, row: usize) -> usize {
        let own = self.class_of_row[row];
        let others = (0..self.summary.classes.len()).filter(|&class| class != own);
        others.max_by(|&a, &b| self.left_out(row, a).total_cmp(&self.left_out(row, b))).unwrap_or(own)
    }

    /// What a reader finds a training row by: its line, or its number from 1.
    pub(crate) fn place(&self, row: usize) -> u64 {
        self.lines.as_ref().map_or(row as u64 + 1, |lines| lines[row])
    }

    /// How many features are of a kind.
    pub(crate) fn features_of(&self, kind: FeatureKind) -> usize {
        self.summary.features.iter().filter(|feature| feature.kind == kind).count()
    }

    /// What a reader should know.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &'a Note> {
        self.summary.data_notes.iter().chain(&self.summary.fit_notes)
    }
}
