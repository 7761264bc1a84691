//! The two sentences for a reader in a hurry.

use super::Report;
use super::text::{count, percent};
use gpclass::explain::{leading, ranking};

/// Features that together make most of the effect are named, this many at most.
const NAMED_FEATURES: usize = 3;
/// The share of the effect that named features should reach.
const MOST: f64 = 0.7;

/// How well it works, and what it rests on.
pub(super) fn verdict(report: &Report<'_>) -> String {
    format!("{} {}", quality(report), basis(report))
}

fn quality(report: &Report<'_>) -> String {
    let (commonest, baseline) = commonest(report);
    let error = report.summary.loo.error;
    let right = 1.0 - error.value;
    let doubt = error.standard_error.unwrap_or(0.0);
    let judged = if right <= baseline {
        "these columns hardly tell the classes apart:"
    } else if right - baseline < 2.0 * doubt {
        "these columns may tell the classes apart, but not for certain:"
    } else {
        "the classes can be told apart:"
    };
    let mut judged = judged.to_owned();
    if let Some(first) = judged.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!(
        "{judged} with each row predicted from all the others, {} are right, while always answering “{}” would be right \
         for {}.",
        percent(right),
        report.class(commonest),
        percent(baseline)
    )
}

/// The class of the most training rows, the first of several, and its share.
fn commonest(report: &Report<'_>) -> (usize, f64) {
    let shares = (0..report.summary.classes.len()).map(|class| (class, report.share_of(class)));
    shares.reduce(|best, next| if next.1 > best.1 { next } else { best }).unwrap_or((0, 0.0))
}

fn basis(report: &Report<'_>) -> String {
    let about = rests_on(report);
    let likely = report.suspects.iter().filter(|&&row| report.summary.suspects.probability[row] > 0.5).count();
    match (likely, report.suspects.len()) {
        (0, 0) => format!("{about}, and no label looks wrong."),
        (0, n) => format!("{about}, and {} worth a second look.", count(n, "label is", "labels are")),
        (n, _) => format!("{about}, and {} more likely wrong than right.", count(n, "label is", "labels are")),
    }
}

/// What the answer rests on: the few features that make most of the effect, if they stand out from the others beyond
/// their standard errors; else the first of many.
fn rests_on(report: &Report<'_>) -> String {
    let relevances = &report.summary.relevances;
    let quoted = |&m: &usize| format!("“{}”", relevances[m].feature);
    let main = leading(relevances, MOST, NAMED_FEATURES);
    if !main.is_empty() {
        return format!("The answer depends mostly on {}", listed(&main.iter().map(quoted).collect::<Vec<_>>()));
    }
    let moving: Vec<usize> = ranking(relevances).into_iter().filter(|&m| relevances[m].effect > 0.0).collect();
    match moving.as_slice() {
        [] => "No column moves the prediction".to_owned(),
        [only] => format!("The answer depends on {} alone", quoted(only)),
        several => format!("The answer depends on {} columns, none of which stands out", several.len()),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
        [] => String::new(),
    }
}
