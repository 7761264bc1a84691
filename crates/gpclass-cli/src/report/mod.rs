//! A fit made visible: one self-contained HTML page, and its figures as separate SVG files.
//!
//! [`ReportData`] is all a report shows, as plain values; [`render`] writes the page and [`plots`] the figures. The page
//! fetches nothing, runs no script, follows the reader's light or dark preference and prints.

mod charts;
mod data;
mod fill;
mod page;
mod palette;
mod svg;
mod text;
mod verdict;

pub use data::{
    CandidateRow, ClassPair, DataSummary, HyperparameterRow, LeftOutRow, ModelSummary, ReportData, SuspectRow,
};
pub use fill::{ReportError, ReportOptions};
pub use page::render;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;

/// The figures as standalone SVG files in light colours: file stem and content.
pub fn plots(data: &ReportData) -> Vec<(String, String)> {
    charts::all(data).into_iter().map(|figure| (figure.stem, figure.drawing.standalone())).collect()
}
