//! A fit made visible: one self-contained HTML page, and its figures as separate SVG drawings.
//!
//! A [`Report`] borrows the account of a fit from its [`Classifier`](gpclass::classifier::Classifier) and computes the
//! curves that it lacks; what it makes is text, and what becomes of that is the caller's business. The page fetches
//! nothing, runs no script, follows the reader's light or dark preference and prints.
//!
//! ```
//! use gpclass::classifier::{Classifier, Spec};
//! use gpclass::data::{Column, LabelValues, Table};
//! use gpclass::learn::Control;
//! use gpclass_report::{Report, ReportOptions};
//!
//! let x: Vec<f64> = (0..30).map(|i| f64::from(i) / 5.0).collect();
//! let labels = LabelValues::text(x.iter().map(|x| if *x < 3.0 { "low" } else { "up" }));
//! let table = Table::new(vec![Column::continuous("x", x)])?;
//! let classifier = Classifier::fit(&table, &labels, None, &Spec::default(), &Control::default())?;
//!
//! let report = Report::of(&classifier, &ReportOptions::default())?;
//! assert!(report.html().starts_with("<!DOCTYPE html>"));
//! assert!(report.figures().iter().any(|figure| figure.stem == "calibration"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod by;
mod charts;
mod csv;
mod head;
mod leaving_out;
mod novelty_map;
mod options;
mod page;
mod palette;
mod predicted;
mod report;
mod suspect;
mod suspect_rows;
mod svg;
mod text;
mod training_rows;
mod verdict;

pub use account::FitAccount;
pub use by::By;
pub use csv::{Csv, number};
pub use head::HeadNumbers;
pub use options::{ReportError, ReportOptions};
pub use predicted::PredictedLine;
pub use report::Report;
pub use suspect::Suspect;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;

/// A figure that stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgFigure {
    /// Its name for a file, without an extension: letters, digits and hyphens.
    pub stem: String,
    /// The drawing, in light colours.
    pub svg: String,
}

impl Report<'_> {
    /// The report as one HTML page that needs nothing else.
    pub fn html(&self) -> String {
        page::render(self)
    }

    /// Every figure of the page by itself, in the same order.
    pub fn figures(&self) -> Vec<SvgFigure> {
        let classes = self.summary.classes.len();
        charts::all(self).into_iter().map(|f| SvgFigure { svg: f.drawing.standalone(classes), stem: f.stem }).collect()
    }
}
