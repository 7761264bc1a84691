//! Whether probabilities mean what they say.

use super::{Figure, SIZE};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, Margins, line_path};
use crate::text::{percent, probability};

/// Observed shares against forecasts, with their bands.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let curve = Some(&report.calibration).filter(|curve| !curve.bins.is_empty())?;
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, 1.0), (0.0, 1.0));
    let mut canvas = Canvas::default();
    frame.draw(&mut canvas, AxisText::Numbers("forecast probability"), AxisText::Numbers("share that came true"));
    canvas.line(frame.at(0.0, 0.0), frame.at(1.0, 1.0), "guide");
    let places: Vec<(f64, f64)> = curve.bins.iter().map(|bin| frame.at(bin.forecast, bin.observed)).collect();
    canvas.path(&line_path(&places), "line thin main");
    for (bin, &place) in curve.bins.iter().zip(&places) {
        canvas.line(frame.at(bin.forecast, bin.low), frame.at(bin.forecast, bin.high), "whisker main");
        canvas.circle(place, 4.0, "point fill-main");
    }
    let outside = curve.bins.iter().filter(|bin| bin.forecast < bin.low || bin.forecast > bin.high).count();
    let sentence = format!(
        "Perfect probabilities lie on the dashed line. {} of {} groups of rows are compatible with it (bars: 95 % \
         intervals); on average forecasts and shares differ by {}.",
        curve.bins.len() - outside,
        curve.bins.len(),
        percent(curve.expected_error)
    );
    let rows = curve.bins.iter().map(|bin| {
        let interval = format!("{} to {}", probability(bin.low), probability(bin.high));
        vec![bin.rows.to_string(), probability(bin.forecast), probability(bin.observed), interval]
    });
    let rows = rows.collect();
    Some(
        Figure::new("calibration", "Do the probabilities mean what they say?", SIZE, canvas, sentence)
            .with_table(&["rows", "forecast", "observed", "95 % interval"], rows),
    )
}
