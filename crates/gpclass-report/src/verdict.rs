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
    let skill = report.head.skill.nlp;
    let judged = match skill {
        Some(skill) if skill.value > 2.0 * skill.standard_error.unwrap_or(0.0) => "The classes can be told apart:",
        Some(skill) if skill.value > 0.0 => "These columns may tell the classes apart, but not for certain:",
        _ => "These columns hardly tell the classes apart:",
    };
    let ordered = report.summary.loo.auc.map(|auc| {
        let several = if report.has_several_classes() { ", averaged over the classes" } else { "" };
        format!(
            "a row of a class gets a higher probability of it than a row of another in {} of pairs{several}",
            percent(auc.value)
        )
    });
    let better = skill.map(|skill| {
        let side = if skill.value < 0.0 { "worse" } else { "better" };
        format!("probabilities are {} {side} than the shares of the classes alone", percent(skill.value.abs()))
    });
    let told: Vec<String> = ordered.into_iter().chain(better).collect();
    format!("{judged} with each row predicted from {}, {}.", report.leaving_out().others(), listed(&told))
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
/// their standard errors; else the first of many, if it alone does.
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
        some if some.iter().all(|&m| !relevances[m].is_borne_out()) => {
            "Left-out rows do not show that any column carries the label".to_owned()
        }
        [only] => format!("The answer depends on {} alone", quoted(only)),
        several => match leading(relevances, relevances[several[0]].share, 1).as_slice() {
            [first] => format!("The answer depends on {} columns, most of all on {}", several.len(), quoted(first)),
            _ => format!("The answer depends on {} columns, none of which stands out", several.len()),
        },
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
