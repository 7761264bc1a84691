//! The figures: each is a drawing, a sentence that says what to see, and the numbers as a table.

mod bars;
mod calibration;
mod candidates;
mod convergence;
mod curves;
mod effects;
mod left_out;
mod relevance;
mod surface;

use super::Report;
use super::svg::Drawing;

pub(super) use candidates::figure as candidates;
pub(super) use convergence::figures as convergence;
pub(super) use effects::figures as effects;
pub(super) use relevance::figure as relevance;
pub(super) use surface::figure as surface;

/// Width and height of an ordinary figure. Narrow, so that its text is readable where a phone shrinks it.
const SIZE: (f64, f64) = (440.0, 300.0);

/// Numbers behind a figure.
#[derive(Clone, Debug, Default)]
pub(super) struct TextTable {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
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
}

impl Figure {
    fn new(stem: &str, heading: &str, size: (f64, f64), canvas: super::svg::Canvas, sentence: String) -> Self {
        let drawing = Drawing::new(size, heading.to_owned(), sentence.clone(), canvas);
        Figure { stem: stem.to_owned(), heading: heading.to_owned(), drawing, sentence, table: TextTable::default() }
    }

    fn with_table(mut self, head: &[&'static str], rows: Vec<Vec<String>>) -> Self {
        self.table = TextTable { head: head.to_vec(), rows };
        self
    }
}

/// The figures about predictions of left-out rows.
pub(super) fn predictions(report: &Report<'_>) -> Vec<Figure> {
    [left_out::figure(report), calibration::figure(report), curves::roc(report), curves::precision_recall(report)]
        .into_iter()
        .flatten()
        .collect()
}

/// Every figure there is, in the order of the page.
pub(super) fn all(report: &Report<'_>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = surface(report).into_iter().chain(predictions(report)).collect();
    figures.extend(relevance(report));
    figures.extend(effects(report));
    figures.extend(candidates(report));
    figures.extend(convergence(report));
    figures
}
