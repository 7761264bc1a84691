//! Which features matter to the members together.

use super::mixture::predict;
use super::{ClassifierError, Member};
use crate::data::InputView;
use crate::explain::{Relevance, RowCost, relevances};

/// Floating-point operations of the probabilities of several classes, for the fourth power of their number.
const SEVERAL: f64 = 100.0;

/// Floating-point operations of seeing one number through a view: some powers and logarithms.
const VIEWED: f64 = 200.0;

/// Every feature's relevance to the predictions, in the order of the features.
pub(super) fn of(members: &[Member]) -> Result<Vec<Relevance>, ClassifierError> {
    let training = members[0].fitted().data().given();
    let (n, width) = (training.rows() as f64, training.values().cols() as f64);
    // A covariance with every training row, a triangular solve per function, and of several classes their probabilities.
    let of_member = |member: &Member| {
        let functions = member.fitted().functions() as f64;
        let rows = member.fitted().inducing().map_or(n, |inducing| inducing.rows.rows() as f64);
        let seen = if member.fitted().data().view().kind() == InputView::Standardised { 0.0 } else { VIEWED };
        (2.0 * rows + seen) * width + rows * rows * functions + SEVERAL * (functions.powi(4) - 1.0)
    };
    let cost = RowCost(members.iter().map(of_member).sum());
    let predicted = |members: &[Member]| relevances(training, cost, |rows| Ok(predict(members, rows)?.probability));
    if members.iter().all(|member| member.fitted().refinement().is_none()) {
        return predicted(members);
    }
    // What a feature does everywhere is seen without refining every row.
    let plain = |member: &Member| Member { fitted: member.fitted().with_refinement(None), ..member.clone() };
    predicted(&members.iter().map(plain).collect::<Vec<_>>())
}
