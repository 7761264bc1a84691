//! What there is to tell about a fit.

use super::member::{Member, left_out};
use super::{ClassifierError, Note, Spec, Suspects};
use crate::data::{FeatureKind, Labels, Sign};
use crate::evaluate::{Forecasts, ScoreOptions, Scores, score};
use crate::inference::Report;
use crate::learn::{Fit, Relevance, ScoreKind, Stop, Trace};
use serde::{Deserialize, Serialize};

/// A class and how many training rows have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRows {
    pub class: String,
    pub rows: usize,
}

/// A feature and how it entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureSummary {
    pub name: String,
    pub kind: FeatureKind,
}

/// A model that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateSummary {
    pub name: String,
    pub log_evidence: f64,
    /// What the choice was made by.
    pub score: f64,
    /// What the score is, the same for all candidates; unknown of models that were saved before it was told.
    #[serde(default)]
    pub score_kind: Option<ScoreKind>,
    /// Hyperparameters that the data determine.
    pub effective_parameters: f64,
    /// Share of training rows predicted wrongly when left out.
    pub loo_error: f64,
    /// Mean negative log-probability of the labels left out, in nats.
    pub loo_nlp: f64,
    pub chosen: bool,
    /// Share in the predictions.
    pub weight: f64,
}

/// A hyperparameter of the chosen model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hyperparameter {
    pub name: String,
    pub value: f64,
    /// What it says, in words.
    pub meaning: String,
    /// Whether it was given rather than learned.
    pub fixed: bool,
}

/// The account of a fit: what was seen, tried, chosen and found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Training rows.
    pub rows: usize,
    pub features: Vec<FeatureSummary>,
    /// The negative class, then the positive one.
    pub classes: [ClassRows; 2],
    /// Sentences about the data.
    pub data_notes: Vec<Note>,
    pub candidates: Vec<CandidateSummary>,
    /// Formula of the chosen covariance.
    pub kernel: String,
    pub likelihood: String,
    pub method: String,
    pub hyperparameters: Vec<Hyperparameter>,
    /// Scores of the leave-one-out predictions.
    pub loo: Scores,
    /// For every training row the probability of the positive class as the other rows predict it.
    pub loo_probability: Vec<f64>,
    pub relevances: Vec<Relevance>,
    /// For every training row how suspect its label is.
    pub suspects: Suspects,
    /// Sentences about the fit.
    pub fit_notes: Vec<Note>,
    /// How inference went at the chosen hyperparameters.
    pub inference: Report,
    /// Why the search for them ended.
    pub stop: Stop,
    /// The search for them.
    pub trace: Trace,
}

impl Summary {
    /// Whether both inference and the search for the hyperparameters ended where they should.
    pub fn converged(&self) -> bool {
        self.inference.outcome.converged() && self.stop.converged()
    }

    /// The candidate that was chosen.
    pub fn chosen(&self) -> Option<&CandidateSummary> {
        self.candidates.iter().find(|candidate| candidate.chosen)
    }
}

pub(super) fn summarise(
    fit: &Fit,
    members: &[Member],
    labels: &Labels,
    data_notes: Vec<Note>,
    spec: &Spec,
) -> Result<Summary, ClassifierError> {
    let chosen = fit.chosen();
    let model = fit.model();
    let (loo_probability, log_prob_label) = left_out(members);
    let mut forecasts = Forecasts::new(&loo_probability, labels.as_slice());
    // A label that a hard likelihood calls impossible has no finite log-probability; probabilities are then floored.
    if log_prob_label.iter().all(|log| log.is_finite()) {
        forecasts = forecasts.with_log_probs(&log_prob_label);
    }
    if let Some(weights) = model.data().weights() {
        forecasts = forecasts.with_weights(weights);
    }
    let class = |label| ClassRows { class: labels.classes().name(label).to_owned(), rows: labels.count(label) };
    let features = model.data().inputs().features().iter();
    Ok(Summary {
        rows: model.data().rows(),
        features: features.map(|f| FeatureSummary { name: f.name.clone(), kind: f.kind }).collect(),
        classes: [class(Sign::Negative), class(Sign::Positive)],
        data_notes,
        candidates: candidates(fit),
        kernel: model.model().kernel.describe(),
        likelihood: model.model().likelihood.name().to_owned(),
        method: model.model().method.name().to_owned(),
        hyperparameters: hyperparameters(fit),
        loo: score(&forecasts, &score_options(spec))?,
        suspects: Suspects::of(fit, members, &loo_probability, labels.as_slice()),
        loo_probability,
        relevances: chosen.relevances.clone(),
        fit_notes: fit.notes.iter().map(Note::from).collect(),
        inference: model.inferred().report.clone(),
        stop: chosen.learned.stop,
        trace: chosen.learned.trace.clone(),
    })
}

/// The scores weigh recall and false positives as the objective does.
fn score_options(spec: &Spec) -> ScoreOptions {
    use crate::objective::{Criterion, Objective};
    let mut options = ScoreOptions::default();
    match spec.fit.objective {
        Objective::LeaveOneOut { criterion: Criterion::FMeasure { zeta }, .. } => options.zeta = zeta,
        Objective::LeaveOneOut { criterion: Criterion::WeightedError { tau }, .. } => options.tau = tau,
        _ => {}
    }
    options
}

fn candidates(fit: &Fit) -> Vec<CandidateSummary> {
    let numbered = fit.contenders.iter().zip(&fit.weights).enumerate();
    numbered
        .map(|(i, (c, &weight))| CandidateSummary {
            name: c.name.clone(),
            log_evidence: c.learned.fit.log_evidence(),
            score: c.score.value,
            score_kind: Some(c.score.kind),
            effective_parameters: c.effective_parameters,
            loo_error: c.loo_error,
            loo_nlp: c.loo_nlp,
            chosen: i == fit.chosen,
            weight,
        })
        .collect()
}

fn hyperparameters(fit: &Fit) -> Vec<Hyperparameter> {
    let model = fit.model().model();
    let params = model.kernel.params().into_iter().chain(model.likelihood.params());
    params.map(|p| Hyperparameter { meaning: p.meaning(), name: p.name, value: p.value, fixed: p.fixed }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_say_what_their_score_is_and_older_ones_are_still_read() {
        let candidate = CandidateSummary {
            name: "se, probit".to_owned(),
            log_evidence: -20.0,
            score: -23.5,
            score_kind: Some(ScoreKind::Integrated),
            effective_parameters: 3.0,
            loo_error: 0.1,
            loo_nlp: 0.3,
            chosen: true,
            weight: 1.0,
        };
        let mut json = serde_json::to_value(&candidate).unwrap();
        assert_eq!(json["score_kind"], "integrated");
        assert_eq!(serde_json::from_value::<CandidateSummary>(json.clone()).unwrap(), candidate);
        json.as_object_mut().unwrap().remove("score_kind");
        let older = CandidateSummary { score_kind: None, ..candidate };
        assert_eq!(serde_json::from_value::<CandidateSummary>(json).unwrap(), older);
    }
}
