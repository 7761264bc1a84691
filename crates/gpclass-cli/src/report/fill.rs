//! From a fitted classifier to what its report shows.

use super::data::{
    CandidateRow, ClassPair, DataSummary, HyperparameterRow, LeftOutRow, ModelSummary, ReportData, SuspectRow,
};
use gpclass::classifier::{Classifier, Provenance, Summary};
use gpclass::data::{Class, FeatureKind};
use gpclass::evaluate::calibration::{CalibrationOptions, calibration_curve};
use gpclass::evaluate::curves::{precision_recall_curve, roc_curve};
use gpclass::evaluate::{EvaluateError, Forecasts};
use gpclass::explain::{EffectOptions, ExplainError, SurfaceOptions, decision_surface, effect_curves};
use gpclass::inference::{Outcome, Report};
use gpclass::learn::ranking;

/// Choices of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// Heading of the page; by default the name of the data.
    pub title: Option<String>,
    /// Most relevant features whose effects are shown. Default 6.
    pub effects: usize,
    /// Labels at least this probably wrong are listed. Default 0.5.
    pub suspect_threshold: f64,
    /// Points of the ROC and precision-recall curves at most. Default 200.
    pub curve_points: usize,
    /// How effect curves are computed.
    pub effect: EffectOptions,
    /// How the decision surface of two features is computed.
    pub surface: SurfaceOptions,
}

impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions {
            title: None,
            effects: 6,
            suspect_threshold: 0.5,
            curve_points: 200,
            effect: EffectOptions::default(),
            surface: SurfaceOptions::default(),
        }
    }
}

/// Why a report could not be filled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReportError {
    /// A curve of the leave-one-out predictions.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// An effect curve or the decision surface.
    #[error(transparent)]
    Explain(#[from] ExplainError),
}

impl ReportData {
    /// All there is to show of a classifier. Effects and the decision surface are those of the chosen model, also where
    /// predictions are averaged over several.
    pub fn from_classifier(classifier: &Classifier, options: &ReportOptions) -> Result<ReportData, ReportError> {
        let (summary, fit) = (classifier.summary(), classifier.fitted());
        let labels = fit.data().labels();
        let mut forecasts = Forecasts::new(summary.loo_probability.of_class(Class::POSITIVE), labels);
        if let Some(weights) = fit.data().weights() {
            forecasts = forecasts.with_weights(weights);
        }
        let top: Vec<usize> = ranking(&summary.relevances).into_iter().take(options.effects).collect();
        let provenance = classifier.provenance();
        let name = provenance.source.as_deref().unwrap_or("Classification report");
        Ok(ReportData {
            title: options.title.clone().unwrap_or_else(|| name.to_owned()),
            classes: ClassPair {
                negative: classifier.classes().name(Class::NEGATIVE).to_owned(),
                positive: classifier.classes().name(Class::POSITIVE).to_owned(),
            },
            data: data_summary(summary, provenance),
            model: model_summary(classifier),
            candidates: candidates(summary),
            hyperparameters: hyperparameters(summary),
            scores: Some(summary.loo.clone()),
            relevances: summary.relevances.clone(),
            left_out: left_out(summary, labels),
            roc: roc_curve(&forecasts, options.curve_points)?.unwrap_or_default(),
            precision_recall: precision_recall_curve(&forecasts, options.curve_points)?,
            calibration: Some(calibration_curve(&forecasts, &CalibrationOptions::default())?),
            suspects: suspects(summary, labels, options.suspect_threshold),
            suspect_source: summary.suspects.source.to_string(),
            trace: summary.trace.entries.clone(),
            effects: effect_curves(fit, classifier.encoder(), &top, &options.effect)?,
            surface: decision_surface(fit, classifier.encoder(), &options.surface)?,
            notes: summary.data_notes.iter().chain(&summary.fit_notes).map(ToString::to_string).collect(),
            provenance: origin(provenance),
        })
    }
}

fn data_summary(summary: &Summary, provenance: &Provenance) -> DataSummary {
    let rows = |class: Class| summary.classes.get(class.position()).map_or(0, |class| class.rows);
    let of_kind = |kind| summary.features.iter().filter(|feature| feature.kind == kind).count();
    DataSummary {
        source: provenance.source.clone(),
        negative_rows: rows(Class::NEGATIVE),
        positive_rows: rows(Class::POSITIVE),
        continuous: of_kind(FeatureKind::Continuous),
        discrete: of_kind(FeatureKind::Discrete),
    }
}

fn model_summary(classifier: &Classifier) -> ModelSummary {
    let summary = classifier.summary();
    let averaged = match classifier.members().len() {
        1 => String::new(),
        n => format!("; predictions are averaged over {n} candidates by their evidence"),
    };
    ModelSummary {
        kernel: summary.kernel.clone(),
        likelihood: summary.likelihood.clone(),
        method: summary.method.clone(),
        log_evidence: classifier.fitted().log_evidence(),
        outcome: format!("{}; the search ended because {}{averaged}", inference_text(&summary.inference), summary.stop),
    }
}

fn inference_text(report: &Report) -> String {
    match report.outcome {
        Outcome::Converged => "inference converged".to_owned(),
        Outcome::OnePass => "inference made one pass".to_owned(),
        Outcome::GivenSites => "inference used given sites".to_owned(),
        Outcome::NotConverged(reason) => format!("inference did not converge: {reason}"),
    }
}

fn candidates(summary: &Summary) -> Vec<CandidateRow> {
    let row = |c: &gpclass::classifier::CandidateSummary| CandidateRow {
        name: c.name.clone(),
        log_evidence: c.log_evidence,
        score: c.score,
        loo_error: c.loo_error,
        loo_nlp: c.loo_nlp,
        chosen: c.chosen,
    };
    summary.candidates.iter().map(row).collect()
}

fn hyperparameters(summary: &Summary) -> Vec<HyperparameterRow> {
    let row = |h: &gpclass::classifier::Hyperparameter| HyperparameterRow {
        name: h.name.clone(),
        value: h.value,
        meaning: h.meaning.clone(),
        fixed: h.fixed,
    };
    summary.hyperparameters.iter().map(row).collect()
}

fn left_out(summary: &Summary, labels: &[Class]) -> Vec<LeftOutRow> {
    let rows = summary.loo_probability.of_class(Class::POSITIVE).iter().zip(labels);
    rows.map(|(&probability, &label)| LeftOutRow { positive: label == Class::POSITIVE, probability }).collect()
}

fn suspects(summary: &Summary, labels: &[Class], threshold: f64) -> Vec<SuspectRow> {
    let row = |row: usize| {
        let positive = labels[row] == Class::POSITIVE;
        let loo_probability = summary.loo_probability.at(row, labels[row]);
        SuspectRow { row, positive, wrong: summary.suspects.probability[row], loo_probability }
    };
    summary.suspects.above(threshold).into_iter().map(row).collect()
}

fn origin(provenance: &Provenance) -> Vec<(String, String)> {
    let mut items = vec![("version".to_owned(), provenance.version.clone())];
    items.extend(provenance.source.iter().map(|source| ("data".to_owned(), source.clone())));
    items.extend(provenance.time.iter().map(|time| ("fitted".to_owned(), time.clone())));
    items.push(("seed".to_owned(), provenance.seed.to_string()));
    items.push(("SHA-256 of the encoded data".to_owned(), provenance.data_digest.clone()));
    items
}
