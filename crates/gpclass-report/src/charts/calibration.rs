//! Whether probabilities mean what they say.

use super::{Figure, SIZE};
use crate::Report;
use crate::report::ClassCurves;
use crate::svg::{AxisText, Canvas, Frame, Margins, Tone, band_path, line_path};
use crate::text::{percent, probability, two_decimals};
use gpclass::evaluate::Estimate;
use gpclass::evaluate::smooth_calibration::{SmoothCalibration, SmoothPoint};

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
    if let Some(smooth) = &curves.smooth {
        draw_smooth(&mut canvas, smooth, &frame, tone);
    }
    for bin in &curve.bins {
        let ends = [bin.low, bin.high].map(|share| frame.at(bin.forecast, share));
        canvas.line(ends[0], ends[1], &format!("whisker {}", tone.stroke));
        canvas.circle(frame.at(bin.forecast, bin.observed), 4.0, &format!("point {}", tone.fill));
    }
    let rows = curve.bins.iter().map(|bin| {
        let interval = format!("{} to {}", probability(bin.low), probability(bin.high));
        vec![bin.rows.to_string(), probability(bin.forecast), probability(bin.observed), interval]
    });
    let rows = rows.collect();
    Some(
        Figure::new(stem, heading, size, canvas, sentence(curves))
            .with_table(&["rows", "forecast", "observed", "95 % interval"], rows),
    )
}

fn draw_smooth(canvas: &mut Canvas, smooth: &SmoothCalibration, frame: &Frame, tone: &Tone) {
    let places = |of: fn(&SmoothPoint) -> f64| -> Vec<(f64, f64)> {
        smooth.points.iter().map(|point| frame.at(point.forecast, of(point))).collect()
    };
    canvas.path(&band_path(&places(|p| p.high), &places(|p| p.low)), &format!("band {}", tone.fill));
    canvas.path(&line_path(&places(|p| p.observed)), &format!("line {}", tone.stroke));
}

fn sentence(curves: &ClassCurves) -> String {
    let bins = &curves.calibration.bins;
    let outside = bins.iter().filter(|bin| bin.forecast < bin.low || bin.forecast > bin.high).count();
    let groups = match bins.len() {
        1 => "the point all rows together".to_owned(),
        n => format!("points {n} groups of rows"),
    };
    let smooth = match &curves.smooth {
        Some(smooth) => {
            format!(
                "The curve and its 95 % band are smooth, {groups}; the curve is off by {} on average.",
                percent(smooth.mean_error)
            )
        }
        None => {
            format!("The classes are separated too well for a smooth curve; shown: {}.", groups.replace("points ", ""))
        }
    };
    let compatible = match (bins.len(), outside) {
        (1, _) => String::new(),
        (n, 0) => format!(" All {n} groups are compatible with the dashed line, where perfect probabilities lie."),
        (n, k) => format!(
            " {} of {n} groups {} not compatible with the dashed line, where perfect probabilities lie.",
            k,
            if k == 1 { "is" } else { "are" }
        ),
    };
    format!("{smooth}{compatible}{}", line_text(curves))
}

/// Intercept and slope as a sentence, with a space before it; nothing where neither is known.
fn line_text(curves: &ClassCurves) -> String {
    let told = |name: &str, estimate: Option<Estimate>| {
        estimate.map(|e| {
            format!("{name} {} ± {}", two_decimals(e.value), two_decimals(e.standard_error.unwrap_or(f64::NAN)))
        })
    };
    let known = [told("intercept", curves.recalibration.intercept), told("slope", curves.recalibration.slope)];
    let known: Vec<String> = known.into_iter().flatten().collect();
    if known.is_empty() { String::new() } else { format!(" Calibration {}.", known.join(", ")) }
}
