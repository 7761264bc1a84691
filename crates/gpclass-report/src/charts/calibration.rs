//! Whether probabilities mean what they say.

use super::{Figure, SIZE};
use crate::Report;
use crate::report::ClassCurves;
use crate::svg::{AxisText, Canvas, Frame, Margins, Tone, line_path};
use crate::text::{percent, probability};

/// Of one of several classes, whose figures stand side by side.
const SMALL: (f64, f64) = (360.0, 250.0);

/// Of two classes: observed shares against forecasts of the last, with their bands.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let heading = "Do the probabilities mean what they say?";
    of_class(report.curves.first()?, "calibration", heading, SIZE, &Tone::main())
}

/// Of several classes: a figure for each.
pub(crate) fn figures(report: &Report<'_>) -> Vec<Figure> {
    let numbered = report.curves.iter().enumerate();
    let each = numbered.map(|(k, curves)| {
        let (stem, tone) = (format!("calibration-{}", k + 1), Tone::of_class(curves.class));
        of_class(curves, &stem, report.class(curves.class), SMALL, &tone)
    });
    each.flatten().collect()
}

fn of_class(curves: &ClassCurves, stem: &str, heading: &str, size: (f64, f64), tone: &Tone) -> Option<Figure> {
    let curve = Some(&curves.calibration).filter(|curve| !curve.bins.is_empty())?;
    let frame = Frame::new(size, Margins::AXES, (0.0, 1.0), (0.0, 1.0));
    let mut canvas = Canvas::default();
    frame.draw(&mut canvas, AxisText::Numbers("forecast probability"), AxisText::Numbers("share that came true"));
    canvas.line(frame.at(0.0, 0.0), frame.at(1.0, 1.0), "guide");
    let places: Vec<(f64, f64)> = curve.bins.iter().map(|bin| frame.at(bin.forecast, bin.observed)).collect();
    canvas.path(&line_path(&places), &format!("line thin {}", tone.stroke));
    for (bin, &place) in curve.bins.iter().zip(&places) {
        canvas.line(
            frame.at(bin.forecast, bin.low),
            frame.at(bin.forecast, bin.high),
            &format!("whisker {}", tone.stroke),
        );
        canvas.circle(place, 4.0, &format!("point {}", tone.fill));
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
        Figure::new(stem, heading, size, canvas, sentence)
            .with_table(&["rows", "forecast", "observed", "95 % interval"], rows),
    )
}
