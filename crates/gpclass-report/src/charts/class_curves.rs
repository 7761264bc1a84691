//! ROC and precision-recall curves of several classes, each against all others.

use super::legend::{Key, Legend};
use super::{Figure, SIZE};
use crate::Report;
use crate::report::ClassCurves;
use crate::svg::{AxisText, Canvas, Frame, Tone, line_path, step_path};
use crate::text::{number, percent};
use gpclass::evaluate::Estimate;

/// True against false positive rates.
pub(crate) fn roc(report: &Report<'_>) -> Option<Figure> {
    let curves: Vec<&ClassCurves> = report.curves.iter().filter(|curves| curves.roc.len() > 1).collect();
    let labels = ["share of false alarms among the others", "share found of the class"];
    let (mut canvas, frame, size) = plot(report, &curves, labels, (0.0, 1.0))?;
    canvas.line(frame.at(0.0, 0.0), frame.at(1.0, 1.0), "guide");
    for curves in &curves {
        let places = curves.roc.iter().map(|p| frame.at(p.false_positive_rate, p.true_positive_rate));
        canvas.path(&line_path(&places.collect::<Vec<_>>()), &Tone::of_class(curves.class).line());
    }
    let area = |class: usize| report.summary.loo.classes.as_ref().and_then(|details| details.each[class].auc);
    let known = curves.iter().filter_map(|curves| Some((curves.class, area(curves.class)?)));
    let sentence = format!(
        "Each class against all others: what can be found at the price of which false alarms; guessing gives the dashed \
         line.{}{}",
        range_text("The area under the curve", known.map(|(class, auc)| (class, auc.value)), report),
        report.shown_classes_text()
    );
    let rows = curves.iter().map(|curves| {
        let found = |alarms: f64| percent(found_at(curves, alarms));
        let auc = area(curves.class).map_or("–".to_owned(), with_error);
        vec![report.class(curves.class).to_owned(), auc, found(0.01), found(0.05), found(0.1)]
    });
    let head = ["class", "area", "found at 1 % false alarms", "at 5 %", "at 10 %"];
    let heading = "Finding each class against false alarms (ROC)";
    Some(Figure::new("roc", heading, size, canvas, sentence).with_table(&head, rows.collect()))
}

/// Precision against recall.
pub(crate) fn precision_recall(report: &Report<'_>) -> Option<Figure> {
    let has_points = |curves: &&ClassCurves| curves.precision_recall.as_ref().is_some_and(|c| !c.points.is_empty());
    let curves: Vec<&ClassCurves> = report.curves.iter().filter(has_points).collect();
    let labels = ["recall: share of the class found", "precision: share right"];
    let (mut canvas, frame, size) = plot(report, &curves, labels, (0.0, 1.0))?;
    let known = || curves.iter().filter_map(|curves| Some((curves.class, curves.precision_recall.as_ref()?)));
    for (class, curve) in known() {
        let start = std::iter::once(frame.at(0.0, curve.points[0].precision));
        let places = start.chain(curve.points.iter().map(|p| frame.at(p.recall, p.precision)));
        canvas.path(&step_path(&places.collect::<Vec<_>>()), &Tone::of_class(class).line());
    }
    let sentence = format!(
        "Of the rows called a class, how many are, as more of them are found.{}{}",
        range_text("Average precision", known().map(|(class, curve)| (class, curve.average_precision)), report),
        report.shown_classes_text()
    );
    let rows = known().map(|(class, curve)| {
        let guess = percent(report.share_of(class));
        vec![report.class(class).to_owned(), number(curve.average_precision), guess]
    });
    Some(
        Figure::new("precision-recall", "Precision and recall of each class", size, canvas, sentence)
            .with_table(&["class", "average precision", "precision of guessing"], rows.collect()),
    )
}

/// The frame of the curves with its legend, the axis across from 0 to 1, and the size of the picture; none without curves.
pub(super) fn plot(
    report: &Report<'_>,
    curves: &[&ClassCurves],
    labels: [&str; 2],
    upwards: (f64, f64),
) -> Option<(Canvas, Frame, (f64, f64))> {
    if curves.is_empty() {
        return None;
    }
    let legend = Legend::new(SIZE.0, curves.iter().map(|curves| Key::Curve(curves.class)), report);
    let size = (SIZE.0, SIZE.1 + legend.height());
    let frame = Frame::new(size, legend.margins(), (0.0, 1.0), upwards);
    let mut canvas = Canvas::default();
    legend.draw(&mut canvas);
    frame.draw(&mut canvas, AxisText::Numbers(labels[0]), AxisText::Numbers(labels[1]));
    Some((canvas, frame, size))
}

/// Between which classes and values a score lies, with a space before it; nothing without values.
fn range_text(name: &str, values: impl Iterator<Item = (usize, f64)> + Clone, report: &Report<'_>) -> String {
    let order = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
    match (values.clone().min_by(order), values.max_by(order)) {
        (Some(low), Some(high)) => format!(
            " {name} is from {} for “{}” to {} for “{}”.",
            number(low.1),
            report.class(low.0),
            number(high.1),
            report.class(high.0)
        ),
        _ => String::new(),
    }
}

/// The largest share found at no more than that share of false alarms.
fn found_at(curves: &ClassCurves, alarms: f64) -> f64 {
    let within = curves.roc.iter().filter(|p| p.false_positive_rate <= alarms);
    within.map(|p| p.true_positive_rate).fold(0.0, f64::max)
}

fn with_error(estimate: Estimate) -> String {
    let error = estimate.standard_error.map_or(String::new(), |error| format!(" ± {}", number(error)));
    number(estimate.value) + &error
}
