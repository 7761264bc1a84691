//! The report and its figures, written to files.

use crate::error::CliError;
use crate::session::write_text;
use gpclass::classifier::Classifier;
use gpclass_report::{Report, ReportOptions};
use std::path::Path;

/// Writes what is asked for: the page, the figures, both or nothing. The folder of the figures is made if it is missing.
pub fn write_report(
    page: Option<&Path>,
    figures: Option<&Path>,
    classifier: &Classifier,
    suspect_threshold: f64,
) -> Result<(), CliError> {
    if page.is_none() && figures.is_none() {
        return Ok(());
    }
    let options = ReportOptions { suspect_threshold, ..ReportOptions::default() };
    let report = Report::of(classifier, &options)?;
    if let Some(path) = page {
        write_text(path, &report.html())?;
    }
    if let Some(folder) = figures {
        let cannot = |e: std::io::Error| CliError::user(format!("cannot make the folder '{}': {e}", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for figure in report.figures() {
            write_text(&folder.join(figure.stem + ".svg"), &figure.svg)?;
        }
    }
    Ok(())
}
