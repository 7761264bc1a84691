//! The fitted models that a classifier predicts with.

use super::ClassifierError;
use crate::learn::Fit;
use crate::model::FittedModel;

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
