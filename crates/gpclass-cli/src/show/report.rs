//! The report and its figures, written to files.

use crate::error::CliError;
use crate::session::prepared;
use gpclass::classifier::Classifier;
use gpclass_host::output::Output;
use gpclass_report::{Report, ReportOptions};
use std::path::Path;

/// What is asked for: the page, the figures, both or nothing, to be committed. The folder of the figures is made if it
/// is missing. `lines` are the places of the rows in their file.
pub fn prepare_report(
    page: Option<&Path>,
    figures: Option<&Path>,
    classifier: &Classifier,
    lines: Option<&[u64]>,
    suspect_threshold: f64,
) -> Result<Vec<Output>, CliError> {
    if page.is_none() && figures.is_none() {
        return Ok(Vec::new());
    }
    let options = ReportOptions { suspect_threshold, lines: lines.map(<[u64]>::to_vec), ..ReportOptions::default() };
    let report = Report::of(classifier, &options)?;
    let mut outputs = Vec::new();
    if let Some(path) = page {
        outputs.push(prepared(path, report.html().as_bytes())?);
    }
    if let Some(folder) = figures {
        let cannot = |e: std::io::Error| CliError::user(format!("cannot make the folder '{}': {e}", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for figure in report.figures() {
            outputs.push(prepared(&folder.join(figure.stem + ".svg"), figure.svg.as_bytes())?);
        }
    }
    Ok(outputs)
}
