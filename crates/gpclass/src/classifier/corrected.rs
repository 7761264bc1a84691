//! Scores of the left-out predictions, corrected for what learning saw of the rows.

use super::{Member, Spec};
use crate::learn::{Control, ScoreKind, Selection};
use crate::model::TrainingData;
use crate::objective::Objective;
use crate::special::log_add_exp;
use gpclass_linalg::Mat;

/// For every training row the log-probabilities of the classes by the members and their weights as they would be without
/// it, approximately; nothing where that is not known, or would cost more than the fit did.
pub(super) fn left_out(selection: &Selection, members: &[Member], spec: &Spec, control: &Control) -> Option<Mat> {
    // Where time is short there is none for this.
    let hurried = spec.fit.time_budget.is_some() || control.interrupted();
    if spec.fit.objective != Objective::Evidence || hurried {
        return None;
    }
    let learned = |member: &Member| selection.contenders.iter().find(|c| c.summary.name == member.name());
    let contenders = members.iter().map(learned).collect::<Option<Vec<_>>>()?;
    let rows = members[0].fitted().data().rows();
    if selection.contenders.iter().any(|contender| contender.rows() < rows) {
        // What was learned on a part of the rows, to save time, would cost as much again.
        return None;
    }
    let spent: usize = selection.contenders.iter().map(|c| c.course.inferences).sum();
    let needed: usize = contenders.iter().map(|c| 1 + c.free_parameters()).sum();
    if needed > spent {
        return None;
    }
    let corrected = contenders.iter().zip(members).map(|(c, m)| c.corrected(m.fitted(), &spec.fit.priors, control));
    let corrected = corrected.collect::<Option<Vec<Mat>>>()?;
    let data = members[0].fitted().data();
    let plain: Vec<Vec<f64>> = members.iter().map(|m| m.fitted().leave_one_out_log_probability()).collect();
    let by_evidence = selection.chosen().summary.score_kind != Some(ScoreKind::LeftOut);
    Some(mixed(members, &corrected, by_evidence.then_some(&plain), data))
}

/// The mixture of the members; a weight by evidence lacks what the row itself gave to it.
fn mixed(members: &[Member], corrected: &[Mat], by_evidence: Option<&Vec<Vec<f64>>>, data: &TrainingData) -> Mat {
    let classes = corrected[0].cols();
    let mut out = Mat::zeros(data.rows(), classes);
    for i in 0..data.rows() {
        let given = |k: usize| by_evidence.map_or(0.0, |plain| plain[k][i]);
        let logs: Vec<f64> = members.iter().enumerate().map(|(k, m)| m.weight().ln() - given(k)).collect();
        let total = logs.iter().copied().fold(f64::NEG_INFINITY, log_add_exp);
        for c in 0..classes {
            let parts = logs.iter().zip(corrected).map(|(log, p)| log - total + p[(i, c)]);
            out[(i, c)] = parts.fold(f64::NEG_INFINITY, log_add_exp).min(0.0);
        }
    }
    out
}
