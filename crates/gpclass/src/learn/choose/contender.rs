//! A fitted candidate and the number it is judged by.

use super::integral::log_marginal;
use super::relevance::{Relevance, relevances};
use crate::learn::search::Space;
use crate::learn::{Control, LearnError, Learned, loo_summary};
use crate::objective::{Criterion, Objective};
use crate::param::Param;

/// What a hyperparameter that the data determine costs, in nats, where it has no prior to be integrated over.
const COST: f64 = 1.0;

/// A candidate with what was learned.
#[derive(Clone, Debug)]
pub struct Contender {
    pub name: String,
    pub learned: Learned,
    /// What the choice is made by: the log evidence with the hyperparameters integrated out under their priors. Without
    /// priors, or for a leave-one-out objective, the evidence or the objective itself less one nat for every
    /// hyperparameter that the data determine. A candidate that stands alone has the plain log evidence.
    pub score: f64,
    /// Free hyperparameters, those of features counted by relevance.
    pub effective_parameters: f64,
    pub relevances: Vec<Relevance>,
    pub loo_error: f64,
    pub loo_nlp: f64,
}

impl Contender {
    /// `alone`: nothing will be compared, so the integral is not needed.
    pub(in crate::learn) fn new(
        name: String,
        learned: Learned,
        space: &Space,
        objective: Objective,
        alone: bool,
        control: &Control,
    ) -> Result<Self, LearnError> {
        let fit = &learned.fit;
        let relevances = relevances(&fit.model().kernel, fit.data().inputs());
        let effective_parameters = effective_parameters(&learned, &relevances);
        let n = fit.data().rows() as f64;
        let penalty = COST * effective_parameters;
        let score = match objective {
            Objective::Evidence if alone => fit.log_evidence(),
            Objective::Evidence => log_marginal(fit, space, control)?.unwrap_or(fit.log_evidence() - penalty),
            Objective::LeaveOneOut { criterion: Criterion::Nlp, .. } => n * learned.objective - penalty,
            // Criteria that are no log-probabilities have no common scale with a penalty.
            Objective::LeaveOneOut { .. } => learned.objective,
        };
        let (loo_error, loo_nlp) = loo_summary(fit);
        Ok(Contender { name, score, effective_parameters, relevances, loo_error, loo_nlp, learned })
    }
}

/// Every free parameter counts one, except that a feature's own counts its share of the most relevant one's variance:
/// a weight that went to nothing cost nothing.
fn effective_parameters(learned: &Learned, relevances: &[Relevance]) -> f64 {
    let model = learned.fit.model();
    let largest = relevances.iter().fold(0.0_f64, |m, r| m.max(r.effect));
    let share = |feature: usize| {
        let own = relevances.get(feature).map_or(largest, |r| r.effect);
        if largest > 0.0 { (own / largest).powi(2) } else { 1.0 }
    };
    let counted = |p: &Param| if p.fixed { 0.0 } else { p.role.feature().map_or(1.0, share) };
    model.kernel.params().iter().chain(&model.likelihood.params()).map(counted).sum()
}

/// The contender with the highest score; the first of equals.
pub(in crate::learn) fn best(contenders: &[Contender]) -> usize {
    let mut best = 0;
    for (i, contender) in contenders.iter().enumerate() {
        if contender.score > contenders[best].score {
            best = i;
        }
    }
    best
}
