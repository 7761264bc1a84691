//! The figures: each is a drawing, a sentence that says what to see, and the numbers as a table.

mod bars;
mod calibration;
mod candidates;
mod class_curves;
mod class_decisions;
mod class_effects;
mod class_map;
mod confusion;
mod convergence;
mod curves;
mod decision;
mod effects;
mod left_out;
mod legend;
mod novelty;
mod own_label;
mod relevance;
mod stability;
mod surface;

use super::Report;
use super::svg::Drawing;

pub(super) use candidates::figure as candidates;
pub(super) use confusion::figure as confusion;
pub(super) use convergence::figures as convergence;
pub(super) use effects::figures as effects;
pub(super) use novelty::figure as novelty;
pub(super) use relevance::{SHOWN as SHOWN_RELEVANCES, figure as relevance};
pub(super) use stability::figure as stability;
pub(super) use surface::figure as surface;

/// Width and height of an ordinary figure. Narrow, so that its text is readable where a phone shrinks it.
const SIZE: (f64, f64) = (440.0, 300.0);

/// Positions of at most that many of a number of things, evenly among them.
fn evenly(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let kept = all.min(most);
    (0..kept).map(move |k| k * all / kept)
}

/// Every so many thresholds of a decision curve one is in its table.
const THRESHOLD_STEP: usize = 10;

/// Which thresholds of a decision curve are in its table.
fn thinned_thresholds(thresholds: usize) -> impl Iterator<Item = usize> {
    (THRESHOLD_STEP - 1..thresholds).step_by(THRESHOLD_STEP)
}

/// Numbers behind a figure.
#[derive(Clone, Debug, Default)]
pub(super) struct TextTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    pub fn new(head: &[&str], rows: Vec<Vec<String>>) -> Self {
        TextTable { head: head.iter().map(|name| (*name).to_owned()).collect(), rows }
    }
}

/// One figure.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// Its name in files and in the page: letters, digits and hyphens.
    pub stem: String,
    pub heading: String,
    pub drawing: Drawing,
    /// What to see, for everyone.
    pub sentence: String,
    pub table: TextTable,
    /// Where the screen is narrower the drawing is moved instead of shrunk.
    pub least_width: Option<f64>,
}

impl Figure {
    fn new(stem: &str, heading: &str, size: (f64, f64), canvas: super::svg::Canvas, sentence: String) -> Self {
        let drawing = Drawing::new(size, heading.to_owned(), sentence.clone(), canvas);
        let (stem, heading) = (stem.to_owned(), heading.to_owned());
        Figure { stem, heading, drawing, sentence, table: TextTable::default(), least_width: None }
    }

    fn with_table(mut self, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        self.table = TextTable::new(head, rows);
        self
    }

    fn with_least_width(mut self, width: f64) -> Self {
        self.least_width = Some(width);
        self
    }
}

/// The figures about predictions of left-out rows.
pub(super) fn predictions(report: &Report<'_>) -> Vec<Figure> {
    let figures = if report.has_several_classes() {
        vec![
            own_label::figure(report),
            class_decisions::figure(report),
            class_curves::roc(report),
            class_curves::precision_recall(report),
        ]
    } else {
        vec![
            calibration::figure(report),
            decision::figure(report),
            left_out::figure(report),
            curves::roc(report),
            curves::precision_recall(report),
        ]
    };
    figures.into_iter().flatten().collect()
}

/// The calibration of each of several classes; that of two is among the predictions.
pub(super) fn calibrations(report: &Report<'_>) -> Vec<Figure> {
    if report.has_several_classes() { calibration::figures(report) } else { Vec::new() }
}

/// Every figure there is, in the order of the page.
pub(super) fn all(report: &Report<'_>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = surface(report).into_iter().chain(confusion(report)).collect();
    figures.extend(predictions(report));
    figures.extend(calibrations(report));
    figures.extend(stability(report));
    figures.extend(novelty(report));
    figures.extend(relevance(report));
    figures.extend(effects(report));
    figures.extend(candidates(report));
    figures.extend(convergence(report));
    figures
}
