//! The outcome of a fit.

use super::{Contender, FitNote, LearnError, LeftOutClasses};
use crate::model::{FittedModel, Mixture, Predictions, TrainingData};
use std::convert::Infallible;

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
    /// The power that their mixture is raised to; one unless they are stacked and it gains something.
    pub sharpness: f64,
    /// Every training row as their mixture, before it is raised to its power, predicts it from those that do not belong to it.
    pub left_out: Predictions,
    /// What a user should know about them.
    pub notes: Vec<FitNote>,
}

impl Selection {
    /// Restores the contenders that have a share.
    pub(super) fn new(
        contenders: Vec<Contender>,
        chosen: usize,
        sharpen: bool,
        notes: Vec<FitNote>,
    ) -> Result<Self, LearnError> {
        let mut order: Vec<usize> = (0..contenders.len()).filter(|&i| contenders[i].summary.weight > 0.0).collect();
        let weight = |i: usize| contenders[i].summary.weight;
        order.sort_by(|&a, &b| (b == chosen).cmp(&(a == chosen)).then(weight(b).total_cmp(&weight(a))));
        let share = |i: usize| Ok(Share { contender: i, weight: weight(i), fitted: contenders[i].restore()? });
        let members = order.into_iter().map(share).collect::<Result<Vec<Share>, LearnError>>()?;
        let left_out = left_out(&members);
        let sharpness = if sharpen { seen(&left_out, members[0].fitted.data()).sharpness() } else { 1.0 };
        Ok(Selection { contenders, chosen, members, sharpness, left_out, notes })
    }

    /// How well the members together, at their power, predict the left-out labels: their log-probability with the prior of the power.
    pub(super) fn left_out_value(&self) -> f64 {
        seen(&self.left_out, self.members[0].fitted.data()).value(self.sharpness)
    }

    /// For every row of `data`, which are those of the fit, the power as it would be without it.
    pub(crate) fn sharpness_without_each(&self, data: &TrainingData) -> Vec<f64> {
        seen(&self.left_out, data).sharpness_without_each(self.sharpness)
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

/// What the members together say about rows that they did not see.
fn left_out(members: &[Share]) -> Predictions {
    let mixture = Mixture { weights: members.iter().map(|member| member.weight).collect(), sharpness: 1.0 };
    let Ok(together) = mixture.of(|k| Ok::<_, Infallible>(members[k].fitted.left_out()));
    together
}

fn seen<'a>(left_out: &'a Predictions, data: &'a TrainingData) -> LeftOutClasses<'a> {
    LeftOutClasses { logs: &left_out.log_probability, labels: data.labels(), omega: data.weights() }
}
