//! The fitted models that a classifier predicts with.

use crate::learn::{Selection, Share};
use crate::model::FittedModel;

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

/// The members of a selection, the chosen one first, which it gives up.
pub(super) fn members(selection: &mut Selection) -> Vec<Member> {
    let contenders = &selection.contenders;
    let member = |Share { contender, weight, fitted }: Share| {
        let name = contenders[contender].summary.name.clone();
        Member { name, weight, fitted }
    };
    std::mem::take(&mut selection.members).into_iter().map(member).collect()
}
