//! A fitted candidate and the number it is judged by.

use super::relevance::{Relevance, relevances};
use super::{LearnError, Learned, loo_summary};
use crate::objective::{Criterion, Objective};

/// A feature counts as a learned parameter when its effect is above this share of the largest.
const COUNTED_EFFECT: f64 = 0.05;

/// A candidate with what was learned.
#[derive(Clone, Debug)]
pub struct Contender {
    pub name: String,
    pub learned: Learned,
    /// What the choice is made by: log evidence less `½ ln n` for every hyperparameter that the data determine. For a
    /// leave-one-out objective its own value takes the place of the evidence.
    pub score: f64,
    /// Free hyperparameters, those of irrelevant features not counted.
    pub effective_parameters: f64,
    pub relevances: Vec<Relevance>,
    pub loo_error: f64,
    pub loo_nlp: f64,
}

impl Contender {
    pub(super) fn new(name: String, learned: Learned, objective: Objective) -> Result<Self, LearnError> {
        let fit = &learned.fit;
        let relevances = relevances(&fit.model().kernel, fit.data().inputs());
        let effective_parameters = effective_parameters(&learned, &relevances);
        let n = fit.data().rows() as f64;
        let penalty = 0.5 * n.ln() * effective_parameters;
        let score = match objective {
            Objective::Evidence => fit.log_evidence() - penalty,
            Objective::LeaveOneOut { criterion: Criterion::Nlp, .. } => n * learned.objective - penalty,
            // Criteria that are no log-probabilities have no common scale with a penalty.
            Objective::LeaveOneOut { .. } => learned.objective,
        };
        let (loo_error, loo_nlp) = loo_summary(fit);
        Ok(Contender { name, score, effective_parameters, relevances, loo_error, loo_nlp, learned })
    }
}

fn effective_parameters(learned: &Learned, relevances: &[Relevance]) -> f64 {
    let model = learned.fit.model();
    let largest = relevances.iter().fold(0.0_f64, |m, r| m.max(r.effect));
    let relevant = |name: &str| relevances.iter().any(|r| r.feature == name && r.effect > COUNTED_EFFECT * largest);
    let counts = |p: &crate::param::Param| !p.fixed && super::initial::feature(&p.name).is_none_or(relevant);
    model.kernel.params().iter().chain(&model.likelihood.params()).filter(|p| counts(p)).count() as f64
}

/// The contender with the highest score; the first of equals.
pub(super) fn best(contenders: &[Contender]) -> usize {
    let mut best = 0;
    for (i, contender) in contenders.iter().enumerate() {
        if contender.score > contenders[best].score {
            best = i;
        }
    }
    best
}
