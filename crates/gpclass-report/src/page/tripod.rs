//! The TRIPOD+AI checklist (Collins et al. 2024), filled in as far as the fit knows.

use super::html;
use crate::Report;
use crate::text::{count, escape, percent};
use crate::verdict::listed;
use gpclass::data::FeatureKind;

/// Features that are named.
const NAMED: usize = 12;
/// What only the authors know.
const YOURS: &str = "to be written by the authors";

/// An item: its number, what it asks, and the answer if the fit knows it.
type Item = (&'static str, &'static str, Option<String>);

pub(super) fn section(report: &Report<'_>) -> String {
    let items = items(report);
    let known = items.iter().filter(|item| item.2.is_some()).count();
    let row = |(number, asked, answer): &Item| {
        let answer = match answer {
            Some(answer) => format!("<td>{}</td>", escape(answer)),
            None => format!(r#"<td class="yours">{YOURS}</td>"#),
        };
        format!("<td>{number}</td><td>{asked}</td>{answer}")
    };
    let table = html::rows(&["item", "asks for", "answer"], &items.iter().map(row).collect::<Vec<_>>());
    let lead = format!(
        "{known} of {} items can be answered from the fit; the others are about the study. Development with internal validation; a \
         report of an external validation needs new rows.",
        items.len()
    );
    let content = format!("<details open><summary>The checklist</summary>{table}</details>");
    html::section("tripod", "TRIPOD+AI checklist", &lead, &content)
}

fn items(report: &Report<'_>) -> Vec<Item> {
    let summary = report.summary;
    let see = |text: &str| Some(text.to_owned());
    let classes: Vec<String> = summary.classes.iter().map(|c| format!("“{}” ({})", c.class, c.rows)).collect();
    let least = summary.classes.iter().map(|class| class.rows).min().unwrap_or(0);
    vec![
        ("1", "Title", None),
        ("2", "Abstract", None),
        ("3a–c", "Background: context, target population, known inequalities", None),
        ("4", "Objectives", None),
        (
            "5a",
            "Source of the data",
            report.provenance.source.clone().map(|name| format!("table “{name}”; describe where it comes from")),
        ),
        ("5b", "Dates of the data", None),
        ("6a–c", "Participants: setting, eligibility, treatments", None),
        ("7", "Data preparation", Some(preparation(report))),
        ("8a", "Outcome", Some(format!("classes {}; say how they were defined and when assessed", listed(&classes)))),
        ("8b–c", "Outcome: subjective interpretation, blinding", None),
        ("9a", "Choice of the predictors", None),
        ("9b", "Definition of the predictors", Some(predictors(report))),
        ("9c", "Predictors: subjective interpretation", None),
        (
            "10",
            "Sample size",
            Some(format!(
                "{}, {} of them of the rarest class; {} rows of it per predictor. No sample-size calculation is known to the program.",
                count(summary.rows, "row", "rows"),
                least,
                crate::text::number(least as f64 / summary.features.len().max(1) as f64)
            )),
        ),
        ("11", "Missing data", Some(missing(report))),
        (
            "12a",
            "Use of the data",
            Some(format!("all rows for development; {} for internal validation", report.leaving_out().name())),
        ),
        (
            "12b",
            "Handling of the predictors",
            see(
                "numbers standardised and seen as they are, warped or ranked; categories by a distance of equal or not",
            ),
        ),
        ("12c", "Model and how it was built", see("see the methods paragraph and “The model” in this report")),
        ("12d", "Heterogeneity between clusters", report.leaving_out().clusters()),
        (
            "12e",
            "Measures of performance",
            see(
                "AUROC, NLP, Brier score and skill, calibration intercept, slope and smooth curve, net benefit; see the methods paragraph",
            ),
        ),
        ("12f", "Model updating", see("none")),
        (
            "12g",
            "How predictions are calculated",
            see("by the model file of this fit, in double precision; posterior mean of the probability"),
        ),
        ("13", "Class imbalance", Some(imbalance(report))),
        (
            "14",
            "Fairness",
            report.breakdown.as_ref().map(|by| format!("performance by “{}” is in this report", by.column)),
        ),
        ("15", "Model output", Some(output(report))),
        (
            "16",
            "Differences between development and evaluation data",
            see("none: internal validation on the same rows"),
        ),
        ("17", "Ethical approval", None),
        ("18a–e", "Funding, conflicts, protocol, registration, data", None),
        (
            "18f",
            "Code sharing",
            Some(format!(
                "gpclass {}, MIT or Apache-2.0; seed {}; SHA-256 of the encoded data {}",
                report.provenance.version, report.provenance.seed, report.provenance.data_digest
            )),
        ),
        ("19", "Patient and public involvement", None),
        (
            "20a–c",
            "Participants: flow, characteristics, comparison",
            Some(format!("{} in all; characteristics are yours to add", count(summary.rows, "row", "rows"))),
        ),
        (
            "21",
            "Numbers in each analysis",
            Some(format!("{}: {}", count(summary.rows, "row", "rows"), listed(&classes))),
        ),
        ("22", "Full model specification", see("the model file; hyperparameters and members are in this report")),
        ("23a", "Performance with intervals", see("the top of this report, its figures and its tables")),
        (
            "23b",
            "Heterogeneity of performance",
            report.breakdown.as_ref().map(|by| format!("by “{}” in this report", by.column)),
        ),
        ("24", "Results of updating", see("none")),
        ("25", "Interpretation", None),
        ("26", "Limitations", Some(limitations(report))),
        (
            "27a–c",
            "Usability: poor or unavailable inputs, users, next steps",
            see(
                "every prediction comes with its novelty from 0 to 1; above 0.99 it is extrapolated. The rest is yours to add.",
            ),
        ),
    ]
}

fn output(report: &Report<'_>) -> String {
    let threshold = match report.threshold() {
        None => "no threshold is part of the model".to_owned(),
        Some(threshold) => {
            format!("“{}” is decided from a probability of {} on", report.shown_class(), crate::text::number(threshold))
        }
    };
    format!("probabilities of the classes; {threshold}")
}

fn preparation(report: &Report<'_>) -> String {
    let notes: Vec<String> = report.summary.data_notes.iter().map(|note| note.text.clone()).collect();
    if notes.is_empty() { "columns were used as they are".to_owned() } else { notes.join("; ") }
}

fn predictors(report: &Report<'_>) -> String {
    let kind = |kind: FeatureKind| match kind {
        FeatureKind::Continuous => "number",
        FeatureKind::Discrete => "category",
    };
    let features = &report.summary.features;
    let mut named: Vec<String> =
        features.iter().take(NAMED).map(|feature| format!("{} ({})", feature.name, kind(feature.kind))).collect();
    if features.len() > NAMED {
        named.push(format!("{} more", features.len() - NAMED));
    }
    listed(&named)
}

fn missing(report: &Report<'_>) -> String {
    let about: Vec<String> = report
        .summary
        .data_notes
        .iter()
        .map(|note| note.text.clone())
        .filter(|text| text.contains("missing"))
        .collect();
    if about.is_empty() { "no value of a predictor was missing".to_owned() } else { about.join("; ") }
}

fn imbalance(report: &Report<'_>) -> String {
    let shares = (0..report.summary.classes.len()).map(|class| report.share_of(class));
    let least = shares.fold(1.0, f64::min);
    format!(
        "the rarest class has {} of the rows; rows were not resampled, so that probabilities refer to these shares",
        percent(least)
    )
}

fn limitations(report: &Report<'_>) -> String {
    let mut said = vec!["internal validation only".to_owned()];
    if !report.unlike.is_empty() {
        said.push(format!("{} unlike all others", count(report.unlike.len(), "row is", "rows are")));
    }
    if !report.suspects.is_empty() {
        said.push(format!("{} wrong", count(report.suspects.len(), "label may be", "labels may be")));
    }
    listed(&said)
}
