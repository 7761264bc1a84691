//! What the predictions rest on: hyperparameters that were learned, and rows that were seen.

use super::html::{figures, section};
use crate::Report;
use crate::charts;
use gpclass::learn::Approach;
use gpclass::objective::Objective;

/// What is said where no draws were made.
fn not_drawn(report: &Report<'_>) -> String {
    let fit = &report.spec.fit;
    let why = if report.summary.approach != Approach::Exact {
        "of so many rows they are learned by blocks, and inference beside the learned ones would take all rows again for each of them"
    } else if fit.time_budget.is_some() {
        "the time was limited"
    } else if fit.objective != Objective::Evidence {
        "something else than the evidence was maximised"
    } else {
        "it would have taken longer than the fit, or all of them were given"
    };
    format!(" How much predictions depend on the learned hyperparameters was not computed: {why}.")
}

pub(super) fn section_of(report: &Report<'_>) -> String {
    let all: Vec<_> = charts::stability(report).into_iter().chain(charts::novelty(report)).collect();
    let said = if report.summary.stability.is_some() { String::new() } else { not_drawn(report) };
    let lead = format!("What was learned is as certain as the rows allow, and holds where there were rows.{said}");
    section("trust", "How far can it be trusted?", &lead, &figures(&all, ""))
}
