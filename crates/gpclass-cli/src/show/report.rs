//! The report and its figures, written to files.

use crate::error::CliError;
use crate::session::prepared;
use gpclass::classifier::Classifier;
use gpclass_host::output::Output;
#[cfg(feature = "png")]
use gpclass_report::SvgFigure;
use gpclass_report::{By, Report, ReportOptions};
use std::path::Path;

/// What a report tells besides the fit.
pub struct Telling<'a> {
    /// The places of the rows in their file.
    pub lines: Option<&'a [u64]>,
    /// Labels at least this probably wrong are listed.
    pub suspect: f64,
    /// The column by which scores are broken down.
    pub by: Option<By>,
}

/// Pixels of a figure's unit: sharp on paper and on fine screens.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;

#[cfg(feature = "png")]
fn pixels(figure: &SvgFigure) -> Result<Vec<u8>, CliError> {
    gpclass_png::png(&figure.svg, SCALE).map_err(|e| CliError::user(format!("figure '{}': {e}", figure.stem)))
}

/// What is asked for: the page, the figures, both or nothing, to be committed. The folder of the figures is made if it
/// is missing.
pub fn prepare_report(
    page: Option<&Path>,
    figures: Option<&Path>,
    classifier: &Classifier,
    telling: Telling<'_>,
) -> Result<Vec<Output>, CliError> {
    if page.is_none() && figures.is_none() {
        return Ok(Vec::new());
    }
    let options = ReportOptions {
        suspect_threshold: telling.suspect,
        lines: telling.lines.map(<[u64]>::to_vec),
        by: telling.by,
        ..ReportOptions::default()
    };
    let report = Report::of(classifier, &options)?;
    let mut outputs = Vec::new();
    if let Some(path) = page {
        outputs.push(prepared(path, report.html().as_bytes())?);
    }
    if let Some(folder) = figures {
        let cannot = |e: std::io::Error| CliError::user(format!("cannot make the folder '{}': {e}", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for figure in report.figures() {
            #[cfg(feature = "png")]
            outputs.push(prepared(&folder.join(format!("{}.png", figure.stem)), &pixels(&figure)?)?);
            outputs.push(prepared(&folder.join(figure.stem + ".svg"), figure.svg.as_bytes())?);
        }
    }
    Ok(outputs)
}
