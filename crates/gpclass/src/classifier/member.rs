//! The fitted models that a classifier predicts with.

use super::ClassifierError;
use crate::learn::{Contender, Selection};
use crate::model::FittedModel;

/// Candidates with a smaller share of the predictions than this are left out of an average.
const LEAST_WEIGHT: f64 = 1e-3;

/// A model and its share in the predictions.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) name: String,
    pub(super) weight: f64,
    pub(super) fitted: FittedModel,
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
    pub fn fitted(&self) -> &FittedModel {
        &self.fitted
    }
}

/// The members of a selection, the chosen one first. Their posteriors are those that a file would give back.
pub(super) fn members(selection: &Selection) -> Result<Vec<Member>, ClassifierError> {
    let mut order: Vec<&Contender> =
        selection.contenders.iter().filter(|c| c.summary.chosen || c.summary.weight >= LEAST_WEIGHT).collect();
    let rank = |c: &Contender| (c.summary.chosen, c.summary.weight);
    order.sort_by(|a, b| {
        let ((a_chosen, a), (b_chosen, b)) = (rank(a), rank(b));
        b_chosen.cmp(&a_chosen).then(b.total_cmp(&a))
    });
    let total: f64 = order.iter().map(|c| c.summary.weight).sum();
    let member = |contender: &Contender| {
        let found = &contender.learned.fitted;
        let fitted = found.model().restore(found.data(), found.keep())?;
        Ok(Member { name: contender.summary.name.clone(), weight: contender.summary.weight / total, fitted })
    };
    order.into_iter().map(member).collect()
}
