//! A fitted candidate and the number it is judged by.

use super::integral::log_marginal;
use super::relevance::{PriorRelevance, prior_relevances};
use super::score::{Score, ScoreKind, Scores};
use crate::learn::search::{Departure, Priors, Space};
use crate::learn::{Control, Learned, corrected_left_out, loo_summary};
use crate::model::FittedModel;
use crate::objective::{Criterion, Objective};
use crate::param::Param;
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};

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
    /// Share in the predictions: one for the chosen model, or by evidence if averaging was asked for.
    pub weight: f64,
}

/// A candidate with what was learned.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The numbers it is compared and reported by.
    pub summary: CandidateSummary,
    /// The model at the end of its search, with the course of the search.
    pub learned: Learned,
    pub(in crate::learn) scores: Scores,
    /// How much weight its prior gives to each feature, in the order of the features.
    pub relevances: Vec<PriorRelevance>,
    departure: Departure,
}

impl Contender {
    /// `alone`: nothing will be compared, so the integral is not needed.
    pub(in crate::learn) fn new(
        name: String,
        departure: Departure,
        learned: Learned,
        space: &Space,
        objective: Objective,
        alone: bool,
        control: &Control,
    ) -> Self {
        let fit = &learned.fitted;
        let relevances = prior_relevances(&fit.model().kernel, fit.data().inputs());
        let effective_parameters = effective_parameters(&learned, &relevances);
        let n = fit.data().rows() as f64;
        let penalty = COST * effective_parameters;
        let only = |value, kind| Scores::Only(Score { value, kind });
        let scores = match objective {
            Objective::Evidence if alone => only(fit.log_evidence(), ScoreKind::Evidence),
            Objective::Evidence => Scores::Evidence {
                integrated: log_marginal(fit, space, control),
                penalised: fit.log_evidence() - penalty,
            },
            Objective::LeaveOneOut { criterion: Criterion::Nlp, .. } => {
                only(n * learned.objective - penalty, ScoreKind::Penalised)
            }
            // Criteria that are no log-probabilities have no common scale with a penalty.
            Objective::LeaveOneOut { .. } => only(learned.objective, ScoreKind::Criterion),
        };
        let (loo_error, loo_nlp) = loo_summary(fit);
        let Score { value, kind } = scores.preferred();
        let summary = CandidateSummary {
            name,
            log_evidence: fit.log_evidence(),
            score: value,
            score_kind: Some(kind),
            effective_parameters,
            loo_error,
            loo_nlp,
            chosen: false,
            weight: 0.0,
        };
        Contender { summary, scores, relevances, learned, departure }
    }

    /// Hyperparameters that were learned.
    pub(crate) fn free_parameters(&self) -> usize {
        let model = self.learned.fitted.model();
        model.kernel.params().iter().chain(&model.likelihood.params()).filter(|param| !param.fixed).count()
    }

    /// Its predictions of the training rows left out as [`corrected_left_out`] has them; `fitted` is its posterior.
    pub(crate) fn corrected(&self, fitted: &FittedModel, priors: &Priors, control: &Control) -> Option<Mat> {
        let space = Space::new(fitted.model(), fitted.data(), priors, self.departure).ok()?;
        corrected_left_out(fitted, &space, control)
    }

    /// Gives it the score by which it is compared.
    pub(super) fn judge(&mut self, score: Score) {
        self.summary.score = score.value;
        self.summary.score_kind = Some(score.kind);
    }
}

/// Every free parameter counts one, except that a feature's own counts its share of the most relevant one's variance:
/// a weight that went to nothing cost nothing.
fn effective_parameters(learned: &Learned, relevances: &[PriorRelevance]) -> f64 {
    let model = learned.fitted.model();
    let largest = relevances.iter().fold(0.0_f64, |m, r| m.max(r.effect));
    let share = |feature: usize| {
        let own = relevances.get(feature).map_or(largest, |r| r.effect);
        if largest > 0.0 { (own / largest).powi(2) } else { 1.0 }
    };
    let counted = |p: &Param| if p.fixed { 0.0 } else { p.role.feature().map_or(1.0, share) };
    model.kernel.params().iter().chain(&model.likelihood.params()).map(counted).sum()
}
