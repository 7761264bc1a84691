//! What the predictions rest on: hyperparameters that were learned, and rows that were seen.

use super::html::{figures, section};
use crate::Report;
use crate::charts;

/// What is said where no draws were made.
const NOT_DRAWN: &str = " How much predictions depend on the learned hyperparameters was not computed here: it would have taken \
     longer than the fit, the time was limited, something else than the evidence was maximised, or all of them were given.";

pub(super) fn section_of(report: &Report<'_>) -> String {
    let all: Vec<_> = charts::stability(report).into_iter().chain(charts::novelty(report)).collect();
    let lead = format!(
        "What was learned is as certain as the rows allow, and holds where there were rows.{}",
        if report.summary.stability.is_some() { "" } else { NOT_DRAWN }
    );
    section("trust", "How far can it be trusted?", &lead, &figures(&all, ""))
}
