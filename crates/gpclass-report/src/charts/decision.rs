//! Whether acting on the predictions does more good than acting always, or never.

use super::legend::{Key, Legend};
use super::{Figure, SIZE, thinned_thresholds};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, band_path, line_path};
use crate::text::{decimals, percent, probability};
use gpclass::evaluate::decision_curve::NetBenefit;

const MODEL: &str = "line main";
const ALL: &str = "line thin ink";
const NONE: &str = "guide";
const THRESHOLD: &str = "line thin alert";
/// Room below zero, as a share of what is above.
const BELOW: f64 = 0.15;
/// Standard errors to either side of the curve that its band covers.
const BAND: f64 = 1.96;
/// What a benefit must be larger by to count.
const ROUNDING: f64 = 1e-12;

/// The net benefit of the model, of acting on every row and on none, by the threshold.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let curve = Some(&report.curves.first()?.decision).filter(|curve| !curve.is_empty())?;
    let threshold = report.threshold();
    let mut keys = vec![Key::Line(MODEL, "the model"), Key::Line(ALL, "every row"), Key::Line(NONE, "no row")];
    keys.extend(threshold.map(|_| Key::Line(THRESHOLD, "decided here")));
    let legend = Legend::new(SIZE.0, keys, report);
    let size = (SIZE.0, SIZE.1 + legend.height());
    let upper = |point: &NetBenefit| point.model.value + BAND * point.model.standard_error.unwrap_or(0.0);
    let top = curve.iter().map(|point| upper(point).max(point.all)).fold(0.0, f64::max).max(0.01);
    let frame = Frame::new(size, legend.margins(), (0.0, 1.0), (-BELOW * top, 1.05 * top));
    let mut canvas = Canvas::default();
    legend.draw(&mut canvas);
    frame.draw(
        &mut canvas,
        AxisText::Numbers("act from this probability on"),
        AxisText::Numbers("net benefit per row"),
    );
    canvas.line(frame.at(0.0, 0.0), frame.at(1.0, 0.0), NONE);
    let places = |value: &dyn Fn(&NetBenefit) -> f64| -> Vec<(f64, f64)> {
        curve.iter().map(|point| frame.at(point.threshold, value(point))).collect()
    };
    let moved = |sign: f64| move |p: &NetBenefit| p.model.value + sign * BAND * p.model.standard_error.unwrap_or(0.0);
    canvas.path(&band_path(&places(&moved(1.0)), &places(&moved(-1.0))), "band fill-main");
    let in_sight = curve.iter().filter(|point| point.all >= -BELOW * top);
    let all: Vec<(f64, f64)> = in_sight.map(|point| frame.at(point.threshold, point.all)).collect();
    canvas.path(&line_path(&all), ALL);
    canvas.path(&line_path(&places(&|point| point.model.value)), MODEL);
    if let Some(x) = threshold.map(|threshold| frame.x.at(threshold)) {
        canvas.line((x, frame.top()), (x, frame.bottom()), THRESHOLD);
    }
    let rows = thinned_thresholds(curve.len()).map(|k| &curve[k]);
    let rows = rows.map(|p| vec![probability(p.threshold), decimals(p.model.value), decimals(p.all), decimals(0.0)]);
    Some(
        Figure::new("decision", "Is it worth acting on?", size, canvas, sentence(report, curve))
            .with_table(&["threshold", "the model", "every row", "no row"], rows.collect()),
    )
}

fn sentence(report: &Report<'_>, curve: &[NetBenefit]) -> String {
    let better = |point: &&NetBenefit| point.model.value > point.all.max(0.0) + ROUNDING;
    let range = match (curve.iter().find(better), curve.iter().rfind(better)) {
        (Some(first), Some(last)) => format!(
            "It is best from {} to {}{}.",
            percent(first.threshold),
            percent(last.threshold),
            if curve.iter().filter(better).count() < ((last.threshold - first.threshold) * 100.0).round() as usize {
                ", though not everywhere between"
            } else {
                ""
            }
        ),
        _ => "It is nowhere better than both.".to_owned(),
    };
    format!(
        "What is gained by acting on rows whose probability of “{}” is at least the threshold, in true alarms per row: at a \
         threshold of 20 % one true alarm is worth four false ones. A model is worth using where its line is above the other \
         two. {range} Band: 95 %.",
        report.shown_class()
    )
}
