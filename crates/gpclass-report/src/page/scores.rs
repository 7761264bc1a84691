//! Tables of scores: by groups of rows, and those that no decision should rest on alone.

use super::html::{estimate, rows, section};
use crate::Report;
use crate::text::{decimals, escape, percent, two_decimals};
use gpclass::evaluate::subgroups::Subgroup;
use gpclass::evaluate::{Metric, Scores};

/// Groups in the table.
const SHOWN_GROUPS: usize = 30;

/// The scores of the rows of every value of a column.
pub(super) fn breakdown(report: &Report<'_>) -> String {
    let Some(breakdown) = &report.breakdown else { return String::new() };
    let mut head = vec!["group", "rows", "AUROC", "loss (NLP)", "skill", "Brier"];
    let two = !report.has_several_classes();
    let share = format!("share of “{}”", report.shown_class());
    if two {
        head.extend([share.as_str(), "intercept", "slope"]);
    }
    let row = |group: &Subgroup| {
        let mut cells = vec![
            group.rows.to_string(),
            estimate(group.auc, decimals),
            estimate(Some(group.nlp), decimals),
            estimate(group.nlp_skill, percent),
            estimate(Some(group.brier), decimals),
        ];
        if let Some(line) = group.recalibration {
            cells.push(group.observed.map_or("–".to_owned(), |share| escape(&percent(share))));
            cells.extend([line.intercept, line.slope].map(|number| estimate(number, two_decimals)));
        }
        let cells = cells.iter().map(|cell| format!(r#"<td class="number">{cell}</td>"#)).collect::<String>();
        format!("<td>{}</td>{cells}", escape(&group.name))
    };
    let body: Vec<String> = breakdown.groups.iter().take(SHOWN_GROUPS).map(row).collect();
    let left_out = match breakdown.groups.len().saturating_sub(SHOWN_GROUPS) {
        0 => String::new(),
        n => format!(" The {n} smallest groups are not shown."),
    };
    let lead = format!(
        "The same left-out predictions, judged within each group of rows. Groups of few rows differ by chance: look at the \
         standard errors.{left_out}"
    );
    section("groups", &format!("Is it as good for every “{}”?", breakdown.column), &lead, &rows(&head, &body))
}

/// A score, what it is called, and how it is written.
type Written = (Metric, &'static str, fn(f64) -> String);

/// Further scores, in this order.
const FURTHER: [Written; 8] = [
    (Metric::Error, "error rate", percent),
    (Metric::AucStyle, "balanced accuracy", percent),
    (Metric::Precision, "precision", percent),
    (Metric::Recall, "recall", percent),
    (Metric::FMeasure, "F-measure", decimals),
    (Metric::CalibrationError, "calibration error", percent),
    (Metric::NlpNats, "loss (NLP), nats", decimals),
    (Metric::NlpBits, "loss (NLP), bits", decimals),
];

pub(super) fn further(report: &Report<'_>) -> String {
    let corrected = report.summary.corrected.as_ref();
    let row = |(metric, name, format): &Written| {
        let cell = |scores: &Scores| format!(r#"<td class="number">{}</td>"#, estimate(scores.get(*metric), *format));
        let corrected = corrected.map(cell).unwrap_or_default();
        format!("<td>{name}</td>{}{corrected}", cell(&report.summary.loo))
    };
    let mut head = vec!["score", "left out"];
    head.extend(corrected.map(|_| "the same corrected"));
    let called = if report.has_several_classes() {
        "Rows are called the most probable class; precision, recall and F-measure are means over the classes."
    } else {
        "Rows are called positive from a probability of one half on."
    };
    let lead = format!("Scores of hard calls, which throw the probabilities away, and what belongs to them. {called}");
    section("further", "Further scores", &lead, &rows(&head, &FURTHER.iter().map(row).collect::<Vec<_>>()))
}
