//! Left-out predictions corrected for what learning saw of the rows.

use super::{Member, Spec};
use crate::learn::{Control, Nearby, ScoreKind, Selection, stacking_weights, weights_without_each};
use crate::model::{TrainingData, sharpen};
use crate::objective::Objective;
use crate::special::log_add_exp;
use gpclass_linalg::Mat;

/// Every member beside its learned hyperparameters; nothing where the objective was not the evidence, or where that would cost
/// more than the fit did.
pub(super) fn nearby(selection: &Selection, members: &[Member], spec: &Spec, control: &Control) -> Option<Vec<Nearby>> {
    // Where time is short there is none for this.
    let hurried = spec.fit.time_budget.is_some() || control.interrupted();
    if spec.fit.objective != Objective::Evidence || hurried {
        return None;
    }
    let places = places(selection, members)?;
    let learned = || places.iter().map(|&k| &selection.contenders[k]);
    // Work in inferences of a thousand rows, which grows with the cube of the rows.
    let work = |inferences: usize, rows: usize| inferences as f64 * (rows as f64 / 1e3).powi(3);
    let spent: f64 = selection.contenders.iter().map(|c| work(c.course.inferences, c.rows())).sum();
    let needed: f64 = learned().map(|c| work(1 + c.free_parameters(), c.rows())).sum();
    if needed > spent {
        return None;
    }
    learned().zip(members).map(|(c, m)| c.nearby(m.fitted(), &spec.fit.priors, control)).collect()
}

/// For every training row the log-probabilities of the classes by the members, their weights and the power of their mixture as
/// they would be without it, approximately; nothing where that is not known.
pub(super) fn left_out(selection: &Selection, members: &[Member], nearby: &[Nearby]) -> Option<Mat> {
    let data = members[0].fitted().data();
    if data.groups().is_some() {
        // The correction is that of single rows.
        return None;
    }
    let corrected = nearby.iter().map(|nearby| nearby.corrected(data)).collect::<Option<Vec<Mat>>>()?;
    let mut together = mixed(&shares_without(selection, &places(selection, members)?, data), &corrected);
    if selection.sharpness != 1.0 {
        let sharpness = selection.sharpness_without_each(data);
        sharpen(&mut together, |i| sharpness[i]);
    }
    Some(together)
}

/// The positions of the members among the contenders.
fn places(selection: &Selection, members: &[Member]) -> Option<Vec<usize>> {
    let place = |member: &Member| selection.contenders.iter().position(|c| c.summary.name == member.name());
    members.iter().map(place).collect()
}

/// For every row the logarithms of the members' shares as they would be without it.
fn shares_without(selection: &Selection, places: &[usize], data: &TrainingData) -> Vec<Vec<f64>> {
    let contenders = &selection.contenders;
    let weight = |k: usize| contenders[k].summary.weight.ln();
    if selection.chosen().summary.score_kind != Some(ScoreKind::LeftOut) {
        // A weight by evidence lacks what the row itself gave to it.
        let of_row = |i: usize| places.iter().map(|&k| weight(k) - contenders[k].left_out[i]).collect();
        return (0..data.rows()).map(of_row).collect();
    }
    // All that were stacked, with those whose share was too small to predict with.
    let stacked: Vec<usize> = (0..contenders.len()).filter(|&k| contenders[k].rows() == data.rows()).collect();
    let left_out: Vec<&[f64]> = stacked.iter().map(|&k| contenders[k].left_out.as_slice()).collect();
    let without = weights_without_each(&left_out, data.weights(), &stacking_weights(&left_out, data.weights()));
    let member = |weights: &[f64], k: usize| {
        stacked.iter().position(|&s| s == k).map_or(f64::NEG_INFINITY, |at| weights[at].ln())
    };
    without.iter().map(|weights| places.iter().map(|&k| member(weights, k)).collect()).collect()
}

/// The mixture of the members by the logarithms of their shares in every row, which need not sum to one.
fn mixed(shares: &[Vec<f64>], corrected: &[Mat]) -> Mat {
    let mut out = Mat::zeros(shares.len(), corrected[0].cols());
    for (i, shares) in shares.iter().enumerate() {
        let total = shares.iter().copied().fold(f64::NEG_INFINITY, log_add_exp);
        for c in 0..out.cols() {
            let parts = shares.iter().zip(corrected).map(|(share, p)| share - total + p[(i, c)]);
            out[(i, c)] = parts.fold(f64::NEG_INFINITY, log_add_exp).min(0.0);
        }
    }
    out
}
