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
        let seen = if member.fitted().data().view().kind() == InputView::Standardised { 0.0 } else { VIEWED };
        (2.0 * n + seen) * width + n * n * functions + SEVERAL * (functions.powi(4) - 1.0)
    };
    let cost = RowCost(members.iter().map(of_member).sum());
    relevances(training, cost, |rows| Ok(predict(members, rows)?.probability))
}
