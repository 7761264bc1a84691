//! Whether acting on the predictions of each of several classes does more good than acting always, or never.

use super::class_curves::plot;
use super::{Figure, thinned_thresholds};
use crate::Report;
use crate::report::ClassCurves;
use crate::svg::{Tone, line_path};
use crate::text::{decimals, percent, probability};
use gpclass::evaluate::decision_curve::NetBenefit;

/// What a benefit must be larger by to count.
const ROUNDING: f64 = 1e-12;
/// Room below zero, as a share of what is above.
const BELOW: f64 = 0.15;

/// For every class against the rest what the model gains over the better of acting on every row and on none.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let curves: Vec<&ClassCurves> = report.curves.iter().filter(|curves| !curves.decision.is_empty()).collect();
    let top = curves.iter().flat_map(|curves| &curves.decision).map(gain).fold(0.0, f64::max).max(0.01);
    let labels = ["act from this probability on", "net benefit gained per row"];
    let (mut canvas, frame, size) = plot(report, &curves, labels, (-BELOW * top, 1.05 * top))?;
    canvas.line(frame.at(0.0, 0.0), frame.at(1.0, 0.0), "guide");
    for curves in &curves {
        let places = curves.decision.iter().map(|point| frame.at(point.threshold, gain(point)));
        canvas.path(&line_path(&places.collect::<Vec<_>>()), &Tone::of_class(curves.class).line());
    }
    let head: Vec<&str> =
        std::iter::once("threshold").chain(curves.iter().map(|curves| report.class(curves.class))).collect();
    let row = |k: usize| {
        let threshold = probability(curves[0].decision[k].threshold);
        std::iter::once(threshold).chain(curves.iter().map(|curves| decimals(gain(&curves.decision[k])))).collect()
    };
    let rows = thinned_thresholds(curves[0].decision.len()).map(row).collect();
    let heading = "Is it worth acting on?";
    Some(Figure::new("decision", heading, size, canvas, sentence(report, &curves)).with_table(&head, rows))
}

/// By how much the model is better than the better of the other two.
fn gain(point: &NetBenefit) -> f64 {
    point.model.value - point.all.max(0.0)
}

fn sentence(report: &Report<'_>, curves: &[&ClassCurves]) -> String {
    let share = |curves: &&ClassCurves| {
        let better = curves.decision.iter().filter(|point| gain(point) > ROUNDING).count();
        (curves.class, better as f64 / curves.decision.len() as f64)
    };
    let shares: Vec<(usize, f64)> = curves.iter().map(share).collect();
    let least = shares.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let least = least.map_or(String::new(), |&(class, share)| match share {
        1.0 => " It is so at every threshold, for every class.".to_owned(),
        _ => format!(" Least often it is so for “{}”: at {} of the thresholds.", report.class(class), percent(share)),
    });
    format!(
        "Each class against all others: what acting on rows whose probability is at least the threshold gains over the better of \
         acting on every row and on none, in true alarms per row. A model is worth using where its line is above zero.{least}{}",
        report.shown_classes_text()
    )
}
