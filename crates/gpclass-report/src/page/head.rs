//! The top of the page: what was looked at, and the numbers that a decision rests on.

use crate::Report;
use crate::text::{count, decimals, escape, percent, two_decimals};
use crate::verdict::listed;
use gpclass::data::FeatureKind;
use gpclass::evaluate::Estimate;

/// Classes that are named with their rows below the title; of more, their number alone is given.
const NAMED_CLASSES: usize = 6;

pub(super) fn subtitle(report: &Report<'_>) -> String {
    let source = report.provenance.source.as_ref().filter(|name| **name != report.title);
    let source = source.map_or(String::new(), |name| format!("{name}: "));
    let rows = count(report.summary.rows, "row", "rows");
    format!("{source}{rows}, {}; {}", classes_text(report), features_text(report))
}

/// The classes with their rows; of two the one whose probability is shown comes first.
fn classes_text(report: &Report<'_>) -> String {
    let classes = &report.summary.classes;
    let mut texts: Vec<String> = classes.iter().map(|class| format!("{} “{}”", class.rows, class.class)).collect();
    if !report.has_several_classes() {
        texts.reverse();
    }
    if texts.len() <= NAMED_CLASSES {
        return listed(&texts);
    }
    let rows = || classes.iter().map(|class| class.rows);
    match (rows().min(), rows().max()) {
        (Some(least), Some(most)) if least < most => format!("{} classes of {least} to {most} rows", classes.len()),
        (least, _) => format!("{} classes of {} each", classes.len(), count(least.unwrap_or(0), "row", "rows")),
    }
}

fn features_text(report: &Report<'_>) -> String {
    let (continuous, discrete) =
        (report.features_of(FeatureKind::Continuous), report.features_of(FeatureKind::Discrete));
    let numbers = count(continuous, "numeric feature", "numeric features");
    let categories = count(discrete, "categorical feature", "categorical features");
    match (continuous, discrete) {
        (_, 0) => numbers,
        (0, _) => categories,
        _ => format!("{numbers} and {categories}"),
    }
}

/// A number at the top of the page.
struct Tile {
    name: &'static str,
    value: String,
    /// Lines below it.
    notes: Vec<String>,
}

impl Tile {
    fn new(name: &'static str, estimate: Option<Estimate>, format: fn(f64) -> String) -> Self {
        let error = estimate.and_then(|estimate| estimate.standard_error).map(|error| format!("± {}", format(error)));
        let value = estimate.map_or("–".to_owned(), |estimate| format(estimate.value));
        Tile { name, value, notes: error.into_iter().collect() }
    }

    fn counted(name: &'static str, number: usize, report: &Report<'_>) -> Self {
        let of = format!("of {}", count(report.summary.rows, "row", "rows"));
        Tile { name, value: number.to_string(), notes: vec![of] }
    }

    fn noting(mut self, note: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(note);
        self
    }

    fn html(&self) -> String {
        let notes: String = self.notes.iter().map(|note| format!("<small>{}</small>", escape(note))).collect();
        format!(r#"<div class="tile"><dt>{}</dt><dd>{} {notes}</dd></div>"#, escape(self.name), escape(&self.value))
    }
}

pub(super) fn tiles(report: &Report<'_>) -> String {
    let scores = &report.summary.loo;
    let corrected = report.summary.corrected.as_ref();
    let expected = corrected.map(|scores| format!("corrected {}", decimals(scores.nlp_nats.value)));
    let mut tiles = vec![
        Tile::new(if report.has_several_classes() { "Macro AUROC" } else { "AUROC" }, scores.auc, decimals),
        Tile::new("Loss (NLP), nats", Some(scores.nlp_nats), decimals)
            .noting(skill_text(report.head.skill.nlp))
            .noting(expected),
        Tile::new("Brier score", Some(scores.brier), decimals).noting(skill_text(report.head.skill.brier)),
    ];
    tiles.extend(calibration_tiles(report));
    tiles.push(Tile::counted("Labels to check", report.head.suspects, report));
    tiles.push(Tile::counted("Novel rows", report.head.novel, report));
    let tiles: String = tiles.iter().map(Tile::html).collect();
    format!(r#"<dl class="tiles">{tiles}</dl>"#)
}

/// The share of the base rate's loss that is taken away.
fn skill_text(skill: Option<Estimate>) -> Option<String> {
    Some(format!("skill {}", percent(skill?.value)))
}

/// Of two classes intercept and slope, of several the slope that all share.
fn calibration_tiles(report: &Report<'_>) -> Vec<Tile> {
    let tile =
        |name, estimate, right: &str| Tile::new(name, estimate, two_decimals).noting(Some(format!("{right} is right")));
    let slope = tile("Calibration slope", report.head.slope, "1");
    if report.has_several_classes() {
        return vec![slope];
    }
    vec![tile("Calibration intercept", report.head.intercept, "0"), slope]
}
