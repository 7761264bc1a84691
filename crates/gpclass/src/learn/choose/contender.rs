//! A fitted candidate and the number it is judged by.

use super::Candidate;
use super::integral::{NotIntegrated, log_marginal};
use super::relevance::{PriorRelevance, prior_relevances};
use super::score::{Score, ScoreKind, Scores, Scoring};
use super::wrong_labels::WrongLabels;
use crate::inference::Report;
use crate::learn::search::{Departure, LeftOut, Priors, Space};
use crate::learn::{Approach, Control, Course, Learned, Nearby};
use crate::model::{FittedModel, KeptForm, Model, ModelError, Multiclass, TrainingData};
use crate::objective::{Criterion, Objective};
use crate::param::Param;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a hyperparameter that the data determine costs, in nats, where it has no prior to be integrated over.
const COST: f64 = 1.0;

/// The account of a model that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateSummary {
    /// Name of the candidate, as `se ARD, robust`.
    pub name: String,
    /// Log evidence at the learned hyperparameters, in nats, without their priors.
    pub log_evidence: f64,
    /// What the choice is made by, of the same kind for all candidates: the log evidence with the hyperparameters
    /// integrated out under their priors, or what [`ScoreKind`] says instead.
    pub score: f64,
    /// What the score is, the same for all candidates; unknown of models that were saved before it was told.
    #[serde(default)]
    pub score_kind: Option<ScoreKind>,
    /// Hyperparameters that the data determine: the free ones, those of features counted by relevance.
    pub effective_parameters: f64,
    /// Share of training rows predicted wrongly when left out.
    pub loo_error: f64,
    /// Mean negative log-probability of the labels left out, in nats.
    pub loo_nlp: f64,
    /// Whether it is the model that was chosen.
    pub chosen: bool,
    /// Share in the predictions, by [`Combine`](crate::learn::Combine).
    pub weight: f64,
    /// Rows that it was judged on, where that was a part of them: what mattered little there was not learned on all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// A candidate with what was learned. Of its posterior it keeps a few numbers per row: matrices of all candidates together
/// would fill the memory.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The numbers it is compared and reported by.
    pub summary: CandidateSummary,
    /// The model at the end of its search.
    pub model: Model,
    /// The search.
    pub course: Course,
    /// How inference went at the learned values.
    pub report: Report,
    /// How much weight its prior gives to each feature, in the order of the features.
    pub relevances: Vec<PriorRelevance>,
    /// For every training row the log-probability of its label as the other rows predict it.
    pub left_out: Vec<f64>,
    /// Where its likelihood knows a label error.
    pub wrong_labels: Option<WrongLabels>,
    pub(in crate::learn) scores: Scores,
    departure: Departure,
    data: Arc<TrainingData>,
    kept: KeptForm,
}

impl Contender {
    pub(in crate::learn) fn new(
        candidate: &Candidate,
        learned: Learned,
        space: &Space,
        objective: Objective,
        scoring: Scoring,
        control: &Control,
    ) -> Self {
        let Learned { fitted: fit, course } = learned;
        let relevances = prior_relevances(&fit.model().kernel, fit.data().inputs());
        let effective_parameters = effective_parameters(fit.model(), &relevances);
        let n = fit.data().rows() as f64;
        let penalty = COST * effective_parameters;
        let LeftOut { error: loo_error, nlp: loo_nlp, of_labels } = LeftOut::of(&fit);
        let only = |value, kind| Scores::Only(Score { value, kind });
        let scores = match (objective, scoring) {
            (Objective::Evidence, Scoring::Alone) => only(fit.log_evidence(), ScoreKind::Evidence),
            (Objective::Evidence, Scoring::LeftOut) => only(weighted_sum(&of_labels, fit.data()), ScoreKind::LeftOut),
            // The sum over blocks is of the same rows for all candidates.
            (Objective::Evidence, Scoring::Compared) if course.approach != Approach::Exact => {
                Scores::Evidence { integrated: Err(NotIntegrated::ManyRows), penalised: course.objective - penalty }
            }
            (Objective::Evidence, Scoring::Compared) => Scores::Evidence {
                integrated: log_marginal(&fit, space, control),
                penalised: fit.log_evidence() - penalty,
            },
            (Objective::LeaveOneOut { criterion: Criterion::Nlp, .. }, _) => {
                only(n * course.objective - penalty, ScoreKind::Penalised)
            }
            // Criteria that are no log-probabilities have no common scale with a penalty.
            (Objective::LeaveOneOut { .. }, _) => only(course.objective, ScoreKind::Criterion),
        };
        let Score { value, kind } = scores.preferred();
        let summary = CandidateSummary {
            name: candidate.name.clone(),
            log_evidence: fit.log_evidence(),
            score: value,
            score_kind: Some(kind),
            effective_parameters,
            loo_error,
            loo_nlp,
            chosen: false,
            weight: 0.0,
            rows: None,
        };
        Contender {
            summary,
            model: fit.model().clone(),
            course,
            report: fit.report().clone(),
            relevances,
            left_out: of_labels,
            wrong_labels: WrongLabels::seen_by(&fit),
            scores,
            departure: candidate.departure,
            data: Arc::clone(fit.data()),
            kept: fit.keep(),
        }
    }

    /// The account of one that was judged by rows that the rows around them predict, and not fitted to all; `learned` is of
    /// those rows.
    pub(in crate::learn) fn judged_by(self, left_out: LeftOut) -> Self {
        let LeftOut { error: loo_error, nlp: loo_nlp, of_labels } = left_out;
        let score = Score { value: weighted_sum(&of_labels, &self.data), kind: ScoreKind::LeftOut };
        let summary = CandidateSummary { loo_error, loo_nlp, score: score.value, ..self.summary };
        Contender { summary, left_out: of_labels, scores: Scores::Only(score), ..self }
    }

    /// The same posterior of classes against the rest, whose functions become probabilities in another way.
    pub(in crate::learn) fn read_as(&self, multiclass: Multiclass) -> Result<Self, ModelError> {
        let model = Model { multiclass, ..self.model.clone() };
        let fit = model.restore(&self.data, self.kept.clone())?;
        let wrong_labels = WrongLabels::seen_by(&fit);
        Ok(Contender { model, wrong_labels, ..self.clone() }.judged_by(LeftOut::of(&fit)))
    }

    /// Hyperparameters that were learned.
    pub(crate) fn free_parameters(&self) -> usize {
        self.model.kernel.params().iter().chain(&self.model.likelihood.params()).filter(|param| !param.fixed).count()
    }

    /// Its predictions of the training rows left out beside the learned hyperparameters; `fitted` is its posterior.
    pub(crate) fn nearby(&self, fitted: &FittedModel, priors: &Priors, control: &Control) -> Option<Nearby> {
        // Beside the learned values all rows would be inferred again, exactly.
        if self.course.approach != Approach::Exact {
            return None;
        }
        let space = Space::new(fitted.model(), fitted.data(), priors, self.departure).ok()?;
        Nearby::of(fitted, &space, control)
    }

    /// The candidate that it was, started from what was learned.
    pub(in crate::learn) fn candidate(&self) -> Candidate {
        let (name, view) = (self.summary.name.clone(), self.data.view().kind());
        Candidate { name, model: self.model.clone(), departure: self.departure, view }
    }

    /// Rows that it was fitted to.
    pub fn rows(&self) -> usize {
        self.left_out.len()
    }

    /// Those rows, as it sees them.
    pub fn data(&self) -> &TrainingData {
        &self.data
    }

    /// The model with its whole posterior, exactly as a file would give it back.
    pub fn restore(&self) -> Result<FittedModel, ModelError> {
        self.model.restore(&self.data, self.kept.clone())
    }

    /// Gives it the score by which it is compared.
    pub(super) fn judge(&mut self, score: Score) {
        self.summary.score = score.value;
        self.summary.score_kind = Some(score.kind);
    }
}

/// Every free parameter counts one, except that a feature's own counts its share of the most relevant one's variance:
/// a weight that went to nothing cost nothing.
fn effective_parameters(model: &Model, relevances: &[PriorRelevance]) -> f64 {
    let largest = relevances.iter().fold(0.0_f64, |m, r| m.max(r.effect));
    let share = |feature: usize| {
        let own = relevances.get(feature).map_or(largest, |r| r.effect);
        if largest > 0.0 { (own / largest).powi(2) } else { 1.0 }
    };
    let counted = |p: &Param| if p.fixed { 0.0 } else { p.role.feature().map_or(1.0, share) };
    model.kernel.params().iter().chain(&model.likelihood.params()).map(counted).sum()
}

/// The sum over rows, each counted by its weight.
fn weighted_sum(values: &[f64], data: &TrainingData) -> f64 {
    let weight = |i: usize| data.scoring_weights().map_or(1.0, |weights| weights[i]);
    values.iter().enumerate().filter(|(i, _)| weight(*i) > 0.0).map(|(i, value)| weight(i) * value).sum()
}
