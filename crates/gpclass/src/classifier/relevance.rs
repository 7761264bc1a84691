//! Which features matter to the members together.

use super::member::Members;
use super::{ClassifierError, Member};
use crate::data::InputView;
use crate::explain::{Relevance, RowCost, Sample, relevances};
use crate::model::Exchanging;
use std::cell::LazyCell;

/// Floating-point operations of the probabilities of several classes, for the fourth power of their number.
const SEVERAL: f64 = 100.0;

/// Floating-point operations of seeing one number through a view: some powers and logarithms.
const VIEWED: f64 = 200.0;

/// Those of a covariance of which all but one feature are known: an exponential and some sums.
const KNOWN: f64 = 60.0;

/// Those of a row's probability, by the time that it takes.
const PROBABILITY: f64 = 2000.0;

/// Every feature's relevance to the predictions, in the order of the features.
pub(super) fn of(members: &Members) -> Result<Vec<Relevance>, ClassifierError> {
    if members.each().iter().all(|member| member.fitted().refinement().is_none()) {
        return of_plain(members);
    }
    // What a feature does everywhere is seen without refining every row.
    of_plain(&members.map(|fitted| fitted.with_refinement(None)))
}

fn of_plain(members: &Members) -> Result<Vec<Relevance>, ClassifierError> {
    let cost = RowCost(members.each().iter().map(row_cost).sum());
    let sample = Sample::new(members.first().data().given(), cost);
    let ready: Vec<Option<Exchanging<'_>>> =
        members.each().iter().map(|m| m.fitted().exchanging(sample.rows())).collect();
    relevances(&sample, |feature, exchanged| {
        let written = LazyCell::new(|| sample.written_out(feature, exchanged));
        let predictions = members.mixed(|k, fitted| match &ready[k] {
            Some(ready) => Ok(ready.predict(feature, exchanged)?),
            None => Ok(fitted.predict(&written)?),
        })?;
        Ok(predictions.probability)
    })
}

/// Floating-point operations of one row's prediction: its covariances with the training rows, or those that stand for them, a
/// triangular solve per function, and of several classes their probabilities.
fn row_cost(member: &Member) -> f64 {
    let (data, functions) = (member.fitted().data(), member.fitted().functions() as f64);
    let n = member.fitted().inducing().map_or(data.rows(), |inducing| inducing.rows.rows()) as f64;
    let width = data.given().values().cols() as f64;
    let seen = if data.view().kind() == InputView::Standardised { 0.0 } else { VIEWED };
    let covariances = if member.fitted().exchanges() { KNOWN * n } else { (2.0 * n + seen) * width };
    covariances + n * n * functions + PROBABILITY + SEVERAL * (functions.powi(4) - 1.0)
}
