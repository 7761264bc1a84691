//! What there is to tell about a fit.

use super::corrected;
use super::member::Members;
use super::relevance;
use super::suspects;
use super::{
    ClassifierError, CostDecision, CostMatrix, Decision, DecisionRule, GroupSummary, Note, Spec, Stability, Suspects,
};
use crate::data::{DataNote, FeatureKind, InputView, Labels, giveaways};
use crate::evaluate::{ClassForecasts, ScoreOptions, Scores, score_classes};
use crate::explain::Relevance;
use crate::inference::Report;
use crate::learn::{Approach, CandidateSummary, Control, Selection, Stop, Trace};
use crate::model::{Model, Multiclass, Probabilities, TrainingData};
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};

/// The area under the curve from which on left-out rows are as good as told apart.
const PERFECT_AUC: f64 = 0.999;

/// A class and how many training rows have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRows {
    /// Name of the class as written in the data.
    pub class: String,
    /// Training rows that have it, whatever their weights.
    pub rows: usize,
}

/// A feature and how it entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureSummary {
    /// Name of the column in the table.
    pub name: String,
    /// Whether it entered as a number or as categories.
    pub kind: FeatureKind,
}

/// A hyperparameter of the chosen model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hyperparameter {
    /// Name that is unique in the model, as `v0`, `l[age]` or `eps`.
    pub name: String,
    /// Its natural value, not the logarithm or whatever else the search moved.
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
    /// The columns that were learned from, in the order of the table.
    pub features: Vec<FeatureSummary>,
    /// In the order of the class probabilities; of two, the negative one first.
    pub classes: Vec<ClassRows>,
    /// Sentences about the data.
    pub data_notes: Vec<Note>,
    /// Every model that was fitted, in the order of fitting; one of them is the chosen one.
    pub candidates: Vec<CandidateSummary>,
    /// Formula of the chosen covariance.
    pub kernel: String,
    /// How the chosen model sees continuous columns.
    #[serde(default)]
    pub inputs: InputView,
    /// Name of the chosen likelihood's family, as `probit`.
    pub likelihood: String,
    /// Name of the inference method, as `ep`.
    pub method: String,
    /// How more than two classes are modelled: `joint` or `one-vs-rest`; `auto` for two.
    #[serde(default, skip_serializing_if = "Multiclass::is_auto")]
    pub multiclass: Multiclass,
    /// How the rows were learned from: all at once, by blocks, or by way of rows that stand for all.
    #[serde(default)]
    pub approach: Approach,
    /// The power that the mixture of the models is raised to before it is normalised; one leaves it as it is.
    #[serde(default = "plain")]
    pub sharpness: f64,
    /// The numbers of the chosen model: those of the covariance, then those of the likelihood.
    pub hyperparameters: Vec<Hyperparameter>,
    /// The groups by which rows were left out, if any were declared; else each was left out by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<GroupSummary>,
    /// Scores of the left-out predictions.
    pub loo: Scores,
    /// The rows that they are of, drawn by the seed, where these are not all: of many rows the others are left out less exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loo_rows: Option<Vec<usize>>,
    /// The same scores corrected, by one Newton step, for what learning the hyperparameters saw of the rows: what to expect of
    /// new rows. Nothing where that is not known, or would have cost more than the fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Scores>,
    /// For every training row the probabilities of the classes as the other rows predict them, or those of the other groups.
    pub loo_probability: Probabilities,
    /// How far those move with what the data leave open of the hyperparameters. Nothing where that is not known, or would have
    /// cost more than the fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<Stability>,
    /// The threshold to decide by, if costs or a threshold were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Of more than two classes: the costs to decide by, if any were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<CostDecision>,
    /// How much each feature matters to the predictions, in the order of the features.
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

/// The sharpness of models that were saved before it was learned.
fn plain() -> f64 {
    1.0
}

impl Summary {
    /// Whether both inference and the search for the hyperparameters ended where they should.
    pub fn converged(&self) -> bool {
        self.inference.outcome.converged() && self.stop.converged()
    }

    /// Adds a note if left-out rows are predicted without an error and there are features each of which would do for that:
    /// such a feature may follow from the class.
    pub(super) fn question_perfection(&mut self, data: &TrainingData) {
        let perfect = self.loo.error.value == 0.0 && self.loo.auc.is_some_and(|auc| auc.value > PERFECT_AUC);
        let columns = if perfect { giveaways(data.inputs(), data.labels(), data.weights()) } else { Vec::new() };
        if !columns.is_empty() {
            self.data_notes.extend(Note::of_data(&[DataNote::GivesAway { columns }]));
        }
    }

    /// The candidate that was chosen.
    pub fn chosen(&self) -> Option<&CandidateSummary> {
        self.candidates.iter().find(|candidate| candidate.chosen)
    }
}

/// The account of a selection, whose parts it takes over.
pub(super) fn summarise(
    selection: Selection,
    members: &Members,
    labels: &Labels,
    data_notes: Vec<Note>,
    spec: &Spec,
    control: &Control,
) -> Result<Summary, ClassifierError> {
    let left_out = selection.left_out.clone().sharpened(selection.sharpness);
    let log_prob_label = left_out.log_probability_of(labels.as_slice());
    let loo_probability = left_out.probability;
    let fitted = members.first();
    let class = |class| ClassRows { class: labels.classes().name(class).to_owned(), rows: labels.count(class) };
    let features = fitted.data().inputs().features().iter();
    let scored = |probability: &Probabilities, logs: &[f64]| {
        let mut forecasts = ClassForecasts::new(probability, labels.as_slice());
        // A label that a hard likelihood calls impossible has no finite log-probability; probabilities are then floored.
        if logs.iter().all(|log| log.is_finite()) {
            forecasts = forecasts.with_log_probs(logs);
        }
        if let Some(weights) = fitted.data().scoring_weights() {
            forecasts = forecasts.with_weights(weights);
        }
        score_classes(&forecasts, &score_options(spec))
    };
    let loo = scored(&loo_probability, &log_prob_label)?;
    let nearby = corrected::nearby(&selection, members.each(), spec, control);
    let stability =
        nearby.as_deref().and_then(|nearby| Stability::of(members, nearby, &loo_probability, spec.fit.seed));
    let found =
        suspects::Found { selection: &selection, members: members.each(), nearby: nearby.as_deref(), spec, control };
    let suspects = Suspects::of(&found, &loo_probability, labels.as_slice());
    let corrected = nearby.and_then(|nearby| corrected::left_out(&selection, members.each(), &nearby)).map(|logs| {
        let of_labels: Vec<f64> = labels.as_slice().iter().enumerate().map(|(i, c)| logs[(i, c.position())]).collect();
        let each = logs.as_slice().iter().map(|log| log.exp().clamp(0.0, 1.0)).collect();
        scored(&Probabilities::new(Mat::from_columns(logs.rows(), logs.cols(), each)), &of_labels)
    });
    let corrected = corrected.transpose()?;
    let (classes, data) = (labels.classes(), fitted.data());
    let (decision, costs) = match spec.decision.clone() {
        None => (None, None),
        Some(DecisionRule::Errors(errors)) if classes.len() > 2 => {
            let matrix = CostMatrix::new(&errors, classes)?;
            (None, Some(CostDecision::of(matrix, &loo_probability, data)))
        }
        Some(rule) => (Some(Decision::of(rule, &loo_probability, data, classes, spec.fit.seed)?), None),
    };
    let mut summary = Summary {
        rows: fitted.data().rows(),
        features: features.map(|f| FeatureSummary { name: f.name.clone(), kind: f.kind }).collect(),
        classes: labels.classes().classes().map(class).collect(),
        data_notes,
        candidates: Vec::new(),
        kernel: fitted.model().kernel.describe(),
        inputs: fitted.data().view().kind(),
        likelihood: fitted.model().likelihood.name().to_owned(),
        method: fitted.model().method.name().to_owned(),
        multiclass: fitted.model().multiclass,
        approach: selection.chosen().course.approach,
        sharpness: members.sharpness(),
        hyperparameters: hyperparameters(fitted.model()),
        groups: fitted.data().groups().map(GroupSummary::of),
        loo,
        loo_rows: fitted.data().scored_rows().map(<[usize]>::to_vec),
        corrected,
        loo_probability,
        stability,
        decision,
        costs,
        relevances: relevance::of(members)?,
        suspects,
        fit_notes: Note::of_fit(&selection.notes),
        inference: fitted.report().clone(),
        stop: selection.chosen().course.stop,
        trace: Trace::default(),
    };
    for contender in selection.contenders {
        if contender.summary.chosen {
            summary.trace = contender.course.trace;
        }
        summary.candidates.push(contender.summary);
    }
    Ok(summary)
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

fn hyperparameters(model: &Model) -> Vec<Hyperparameter> {
    let params = model.kernel.params().into_iter().chain(model.likelihood.params());
    params.map(|p| Hyperparameter { meaning: p.meaning(), name: p.name, value: p.value, fixed: p.fixed }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::ScoreKind;

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
            rows: None,
        };
        let mut json = serde_json::to_value(&candidate).unwrap();
        assert_eq!(json["score_kind"], "integrated");
        assert_eq!(serde_json::from_value::<CandidateSummary>(json.clone()).unwrap(), candidate);
        json.as_object_mut().unwrap().remove("score_kind");
        let older = CandidateSummary { score_kind: None, ..candidate };
        assert_eq!(serde_json::from_value::<CandidateSummary>(json).unwrap(), older);
    }
}
