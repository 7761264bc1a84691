//! Leave-one-out criteria and their gradients (math 6, 6.1).

use super::{Criterion, LooGradient, ObjectiveError, Scored};
use crate::inference::CavitySlopes;
use crate::model::{FittedModel, Gradient};

pub(super) fn value(fit: &FittedModel, criterion: Criterion) -> Result<f64, ObjectiveError> {
    let log_p = log_probabilities(fit);
    Ok(criterion.value(&scored(fit, &log_p))?)
}

pub(super) fn gradient(fit: &FittedModel, criterion: Criterion, mode: LooGradient) -> Result<Gradient, ObjectiveError> {
    let log_p = log_probabilities(fit);
    let (observations, inferred) = (fit.observations(), fit.inferred());
    let direct = CavitySlopes::of_criterion(&observations, inferred, &criterion.slopes(&scored(fit, &log_p))?);
    let held = mode == LooGradient::FixedSites;
    let found = fit.model().method.cavity_sensitivity(&observations, inferred, direct, held)?;
    Ok(fit.pull_back(found)?)
}

fn log_probabilities(fit: &FittedModel) -> Vec<f64> {
    fit.leave_one_out_log_probability()
}

fn scored<'a>(fit: &'a FittedModel, log_p: &'a [f64]) -> Scored<'a> {
    Scored { log_p, labels: fit.data().signs(), weights: fit.data().weights() }
}
