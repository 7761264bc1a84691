//! The threshold or the costs by which rows are decided, and what that does to left-out rows.

use super::html::{section, table};
use crate::Report;
use crate::charts::TextTable;
use crate::text::{number, percent};
use gpclass::classifier::{CostDecision, Decision, DecisionRule};

pub(super) fn section_of(report: &Report<'_>) -> String {
    if let Some(costs) = &report.summary.costs {
        return by_costs(costs);
    }
    let Some(decision) = &report.summary.decision else { return String::new() };
    let positive = report.shown_class();
    let lead = format!(
        "Where rows are decided, one is “{positive}” if its probability of that is at least {}. {}",
        number(decision.threshold),
        origin(decision)
    );
    let content =
        table(&TextTable::new(&["", "value"], facts(decision))) + &table(&outcomes(report, decision.threshold));
    section("decisions", "How are rows decided?", &lead, &content)
}

/// Of more than two classes.
fn by_costs(costs: &CostDecision) -> String {
    let lead = "Where rows are decided, one is of the class that costs least, as far as the probabilities say, of the errors' given costs.";
    let row = |name: &str, value: f64| vec![name.to_owned(), number(value)];
    let facts = vec![
        row("mean cost of a left-out row", costs.cost),
        row("mean cost by the most probable class", costs.plain_cost),
    ];
    section("decisions", "How are rows decided?", lead, &table(&TextTable::new(&["", "value"], facts)))
}

/// Where the threshold comes from.
fn origin(decision: &Decision) -> String {
    match &decision.rule {
        DecisionRule::Threshold(_) => "The threshold was given.".to_owned(),
        DecisionRule::Errors(_) => "The threshold is the one that cost left-out rows least.".to_owned(),
        DecisionRule::Cost(costs) => format!(
            "Missing one costs {}, a false alarm {}; the threshold is the one that cost left-out rows least, which flatters it a \
             little.",
            number(costs.false_negative),
            number(costs.false_positive)
        ),
    }
}

fn facts(decision: &Decision) -> Vec<Vec<String>> {
    let interval = decision.interval.map(|(low, high)| format!("{} to {}", number(low), number(high)));
    let facts = [
        ("threshold", Some(number(decision.threshold))),
        ("nine in ten thresholds of resampled rows", interval),
        ("threshold that is best where probabilities are right", decision.bayes.map(number)),
        ("mean cost of a left-out row", decision.cost.map(number)),
        ("mean cost by the threshold that is best where probabilities are right", decision.bayes_cost.map(number)),
    ];
    facts.into_iter().filter_map(|(name, value)| Some(vec![name.to_owned(), value?])).collect()
}

/// What becomes of the left-out rows of either class.
fn outcomes(report: &Report<'_>, threshold: f64) -> TextTable {
    let classes = [Report::SHOWN_CLASS, 0];
    let row = |class: usize| {
        let own: Vec<usize> = (0..report.class_of_row.len()).filter(|&row| report.class_of_row[row] == class).collect();
        let called = own.iter().filter(|&&row| report.left_out(row, Report::SHOWN_CLASS) >= threshold).count();
        let share = |rows: usize| format!("{rows} ({})", percent(rows as f64 / own.len().max(1) as f64));
        vec![report.class(class).to_owned(), own.len().to_string(), share(called), share(own.len() - called)]
    };
    let head = [
        "label",
        "left-out rows",
        &format!("decided “{}”", report.shown_class()),
        &format!("decided “{}”", report.class(0)),
    ];
    TextTable::new(&head, classes.map(row).to_vec())
}
