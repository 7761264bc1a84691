//! The outcome of a fit.

use super::{Contender, FitNote, LearnError};
use crate::model::FittedModel;

/// A contender that predicts.
#[derive(Clone, Debug)]
pub struct Share {
    /// Its position among the contenders.
    pub contender: usize,
    /// Its share in the predictions, positive; those of all members sum to one.
    pub weight: f64,
    /// The model with its posterior, exactly as a file would give it back.
    pub fitted: FittedModel,
}

/// The outcome: every candidate, which was chosen, what predicts, and what a user should know.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Every candidate whose search could start, in the order of fitting.
    pub contenders: Vec<Contender>,
    /// Index of the chosen one: of those that predict the heaviest.
    pub chosen: usize,
    /// Those that predict: the chosen one, then the others by falling weight.
    pub members: Vec<Share>,
    /// What a user should know about them.
    pub notes: Vec<FitNote>,
}

impl Selection {
    /// Restores the contenders that have a share.
    pub(super) fn new(contenders: Vec<Contender>, chosen: usize, notes: Vec<FitNote>) -> Result<Self, LearnError> {
        let mut order: Vec<usize> = (0..contenders.len()).filter(|&i| contenders[i].summary.weight > 0.0).collect();
        let weight = |i: usize| contenders[i].summary.weight;
        order.sort_by(|&a, &b| (b == chosen).cmp(&(a == chosen)).then(weight(b).total_cmp(&weight(a))));
        let share = |i: usize| Ok(Share { contender: i, weight: weight(i), fitted: contenders[i].restore()? });
        let members = order.into_iter().map(share).collect::<Result<_, LearnError>>()?;
        Ok(Selection { contenders, chosen, members, notes })
    }

    /// The contender that was chosen.
    pub fn chosen(&self) -> &Contender {
        &self.contenders[self.chosen]
    }

    /// The chosen model with its posterior.
    pub fn fitted(&self) -> &FittedModel {
        &self.members[0].fitted
    }
}
