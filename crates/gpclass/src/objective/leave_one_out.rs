//! Leave-one-out criteria and their gradients (math 6, 6.1).
//!
//! Of several classes the value is that of any model; its gradient is known for classes against the rest, whose
//! probabilities are functions of binary cavities.

use super::{Criterion, LooGradient, ObjectiveError, Scored, ScoredClasses};
use crate::data::Sign;
use crate::inference::{CavitySlopes, Inferred, Sensitivity};
use crate::model::{FittedModel, Gradient, Multiclass};
use gpclass_linalg::map_tasks;

pub(super) fn value(fit: &FittedModel, criterion: Criterion) -> Result<f64, ObjectiveError> {
    let left_out = fit.leave_one_out();
    let (labels, weights) = (fit.data().labels(), fit.data().weights());
    Ok(match fit.binary() {
        Some(_) => criterion.value(&scored(fit, &left_out.log_probability_of(labels)))?,
        None => criterion.value_of_classes(&ScoredClasses { log_p: &left_out.log_probability, labels, weights })?,
    })
}

pub(super) fn gradient(fit: &FittedModel, criterion: Criterion, mode: LooGradient) -> Result<Gradient, ObjectiveError> {
    let held = mode == LooGradient::FixedSites;
    if let Some(each) = fit.one_vs_rest() {
        return against_rest(fit, each, criterion, held);
    }
    let inferred = fit.two_classes().map_err(|_| ObjectiveError::Jointly)?;
    let log_p = fit.leave_one_out_log_probability();
    let observations = fit.observations();
    let direct = CavitySlopes::of_criterion(&observations, inferred, &criterion.slopes(&scored(fit, &log_p))?);
    let found = fit.model().method.cavity_sensitivity(&observations, inferred, direct, held)?;
    Ok(fit.pull_back(found)?)
}

/// With `q_c` the probability that the function of class `c` gives to it and `p_c` in proportion to the claim `k_c`, which is `q_c` or
/// `q_c / (1 - q_c)`: `dJ/d log k_c = p_c (dJ/dp_c - Σ_d p_d dJ/dp_d)`.
fn against_rest(
    fit: &FittedModel,
    each: &[Inferred],
    criterion: Criterion,
    held: bool,
) -> Result<Gradient, ObjectiveError> {
    let (labels, weights, likelihood) = (fit.data().labels(), fit.data().weights(), &fit.model().likelihood);
    let left_out = fit.leave_one_out();
    let (log_p, p) = (&left_out.log_probability, left_out.probability.as_mat());
    let by_p = criterion.slopes_of_classes(&ScoredClasses { log_p, labels, weights })?;
    let (n, count) = (log_p.rows(), each.len());
    let mean: Vec<f64> = (0..n).map(|i| (0..count).map(|d| p[(i, d)] * by_p[(i, d)]).sum()).collect();
    let exactly_one = fit.model().multiclass == Multiclass::ExactlyOne;
    let found = map_tasks(count, |c| -> Result<Sensitivity, ObjectiveError> {
        let observations = fit.data().against_rest(c, likelihood);
        let slope = |i: usize| {
            let [against, own] = likelihood.class_probabilities(each[c].observed(each[c].cavities[i])).logs;
            // d log k_c in the logarithm of the probability of the row's own side, times p_c.
            let claimed = match (observations.labels[i], exactly_one) {
                (Sign::Positive, false) => p[(i, c)],
                (Sign::Negative, false) => -(log_p[(i, c)] + against - own).exp(),
                (Sign::Positive, true) => (log_p[(i, c)] - against).exp(),
                (Sign::Negative, true) => -(log_p[(i, c)] - own).exp(),
            };
            // A class that its own function rules out beyond the smallest number has no slope.
            if claimed.is_finite() { (by_p[(i, c)] - mean[i]) * claimed } else { 0.0 }
        };
        let slopes: Vec<f64> = (0..n).map(slope).collect();
        let direct = CavitySlopes::of_criterion(&observations, &each[c], &slopes);
        Ok(fit.model().method.cavity_sensitivity(&observations, &each[c], direct, held)?)
    });
    Ok(fit.pull_back_each(found.into_iter().collect::<Result<_, _>>()?)?)
}

fn scored<'a>(fit: &'a FittedModel, log_p: &'a [f64]) -> Scored<'a> {
    Scored { log_p, labels: fit.data().signs(), weights: fit.data().weights() }
}
