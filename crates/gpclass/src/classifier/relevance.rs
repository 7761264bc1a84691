//! Which features matter to the members together.

use super::member::Members;
use super::{ClassifierError, Member};
use crate::data::InputView;
use crate::explain::{Relevance, RowCost, Sample, Seen, relevances};
use crate::kernel::Exchanged;
use crate::model::{ExchangedPredictions, Exchanging, Predictions};

/// Floating-point operations of the probabilities of several classes, for the fourth power of their number.
const SEVERAL: f64 = 100.0;

/// Floating-point operations of seeing one number through a view: some powers and logarithms.
const VIEWED: f64 = 200.0;

/// Those of a covariance of which all but one feature are known: an exponential and some sums.
const KNOWN: f64 = 60.0;

/// Those of a row's probability, by the time that it takes.
const PROBABILITY: f64 = 2000.0;

/// Those of taking out a row's own label where all classes' functions are inferred together, for the square of rows and functions:
/// products with a matrix of each, for each, shared by all features and exchanges.
const OWN_LABELS: f64 = 0.5;

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
    let data = members.first().data();
    let sample = Sample::new(data.given(), cost);
    let ready: Option<Vec<Exchanging<'_>>> =
        members.each().iter().map(|m| m.fitted().exchanging(sample.rows())).collect();
    relevances(&sample, data.labels(), |feature, exchanged| match &ready {
        Some(ready) => by_exchange(members, ready, feature, exchanged),
        None => {
            let told = members.predict(&sample.written_out(feature, exchanged))?;
            Ok(Seen { by_all: told.probability, left_out: None })
        }
    })
}

/// What the members say together of rows with a feature of another one. Without its own label alone a row of a group is not left
/// out, so that nothing is said of it then.
fn by_exchange(
    members: &Members,
    ready: &[Exchanging<'_>],
    feature: usize,
    exchanged: &[Exchanged],
) -> Result<Seen, ClassifierError> {
    let each = ready.iter().map(|ready| ready.predict(feature, exchanged)).collect::<Result<Vec<_>, _>>()?;
    let together = |of: fn(&ExchangedPredictions) -> &Predictions| members.mixed(|k, _| Ok(of(&each[k]).clone()));
    let alone = members.first().data().groups().is_none();
    Ok(Seen {
        by_all: together(|told| &told.by_all)?.probability,
        left_out: if alone { Some(together(|told| &told.left_out)?.log_probability) } else { None },
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
    let together = member.fitted().joint().map_or(0.0, |_| OWN_LABELS * (n * functions).powi(2));
    covariances + n * n * functions + together + 2.0 * (PROBABILITY + SEVERAL * (functions.powi(4) - 1.0))
}
