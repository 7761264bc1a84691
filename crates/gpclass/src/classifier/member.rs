//! The fitted models that a classifier predicts with.

use super::ClassifierError;
use crate::learn::Fit;
use crate::model::{FittedModel, LeftOut};
use crate::special::log_add_exp;

/// Candidates with a smaller share of the predictions than this are left out of an average.
const LEAST_WEIGHT: f64 = 1e-3;

/// A model and its share in the predictions.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) name: String,
    pub(super) weight: f64,
    pub(super) fit: FittedModel,
}

impl Member {
    /// The candidate's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its share, positive; the shares of all members sum to one.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The model with its posterior.
    pub fn fit(&self) -> &FittedModel {
        &self.fit
    }
}

/// The members of a fit, the chosen one first. Their posteriors are those that a file would give back.
pub(super) fn members(fit: &Fit) -> Result<Vec<Member>, ClassifierError> {
    let mut order: Vec<usize> =
        (0..fit.contenders.len()).filter(|&i| i == fit.chosen || fit.weights[i] >= LEAST_WEIGHT).collect();
    order.sort_by(|&a, &b| (b == fit.chosen).cmp(&(a == fit.chosen)).then(fit.weights[b].total_cmp(&fit.weights[a])));
    let total: f64 = order.iter().map(|&i| fit.weights[i]).sum();
    let member = |i: usize| {
        let contender = &fit.contenders[i];
        let found = &contender.learned.fit;
        let restored = found.model().restore(found.data(), found.inferred().keep())?;
        Ok(Member { name: contender.name.clone(), weight: fit.weights[i] / total, fit: restored })
    };
    order.into_iter().map(member).collect()
}

/// Every training row as the members together predict it from the others: probability of the positive class, and
/// log-probability of its label.
pub(super) fn left_out(members: &[Member]) -> (Vec<f64>, Vec<f64>) {
    let each: Vec<(f64, Vec<LeftOut>)> = members.iter().map(|m| (m.weight, m.fit.leave_one_out())).collect();
    let rows = members.first().map_or(0, |m| m.fit.data().rows());
    let probability = |i: usize| each.iter().map(|(w, left)| w * left[i].prediction.probability).sum::<f64>();
    let log_label = |i: usize| {
        let terms = each.iter().map(|(w, left)| w.ln() + left[i].log_prob_label);
        terms.reduce(log_add_exp).unwrap_or(f64::NEG_INFINITY)
    };
    ((0..rows).map(|i| probability(i).clamp(0.0, 1.0)).collect(), (0..rows).map(log_label).collect())
}
