//! ROC and precision-recall curves of two classes.

use super::{Figure, SIZE};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, Margins, band_path, line_path, step_path};
use crate::text::{decimals, number, percent, probability, shorten};

/// Points of a curve in its table.
const TABLE_ROWS: usize = 12;

/// True against false positive rate.
pub(crate) fn roc(report: &Report<'_>) -> Option<Figure> {
    let points = &report.curves.first().filter(|curves| curves.roc.len() > 1)?.roc;
    let auc = report.summary.loo.auc;
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, 1.0), (0.0, 1.0));
    let mut canvas = Canvas::default();
    let across = format!("share of false alarms among “{}”", short(report.class(0)));
    let upwards = format!("share found of “{}”", short(report.shown_class()));
    frame.draw(&mut canvas, AxisText::Numbers(&across), AxisText::Numbers(&upwards));
    canvas.line(frame.at(0.0, 0.0), frame.at(1.0, 1.0), "guide");
    let places: Vec<(f64, f64)> =
        points.iter().map(|p| frame.at(p.false_positive_rate, p.true_positive_rate)).collect();
    canvas.path(&band_path(&places, &[frame.at(0.0, 0.0), frame.at(1.0, 0.0)]), "band fill-main");
    canvas.path(&line_path(&places), "line main");
    let area = auc.map_or(String::new(), |auc| {
        let error = auc.standard_error.map_or(String::new(), |e| format!(" ± {}", decimals(e)));
        format!(
            " The area under the curve is {}{error}: the chance that a random row of “{}” gets a higher probability than \
             a random row of “{}”.",
            number(auc.value),
            report.shown_class(),
            report.class(0)
        )
    });
    let sentence =
        format!("What can be found at the price of which false alarms; guessing gives the dashed line.{area}");
    let rows = thinned(points.len()).map(|k| {
        let p = &points[k];
        let threshold = p.threshold.map_or("none".to_owned(), probability);
        vec![threshold, percent(p.false_positive_rate), percent(p.true_positive_rate)]
    });
    let rows = rows.collect();
    Some(
        Figure::new("roc", "Finding positives against false alarms (ROC)", SIZE, canvas, sentence)
            .with_table(&["threshold", "false positive rate", "true positive rate"], rows),
    )
}

/// Precision against recall.
pub(crate) fn precision_recall(report: &Report<'_>) -> Option<Figure> {
    let curve = report.curves.first()?.precision_recall.as_ref().filter(|curve| !curve.points.is_empty())?;
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, 1.0), (0.0, 1.0));
    let mut canvas = Canvas::default();
    let positive = short(report.shown_class());
    let label = format!("recall: share of “{positive}” found");
    frame.draw(&mut canvas, AxisText::Numbers(&label), AxisText::Numbers("precision: share right"));
    let base = report.share_of(Report::SHOWN_CLASS);
    canvas.line(frame.at(0.0, base), frame.at(1.0, base), "guide");
    let start = std::iter::once(frame.at(0.0, curve.points[0].precision));
    let places: Vec<(f64, f64)> = start.chain(curve.points.iter().map(|p| frame.at(p.recall, p.precision))).collect();
    canvas.path(&step_path(&places), "line main");
    let sentence = format!(
        "Of the rows called “{}”, how many are, as more of them are found; guessing gives the dashed line at {}. Average \
         precision is {}.",
        report.shown_class(),
        percent(base),
        number(curve.average_precision)
    );
    let rows = thinned(curve.points.len()).map(|k| {
        let p = &curve.points[k];
        vec![probability(p.threshold), percent(p.recall), percent(p.precision)]
    });
    let rows = rows.collect();
    Some(
        Figure::new("precision-recall", "Precision and recall", SIZE, canvas, sentence)
            .with_table(&["threshold", "recall", "precision"], rows),
    )
}

fn short(name: &str) -> String {
    shorten(name, 16)
}

/// Some positions, evenly, the first and the last among them.
fn thinned(length: usize) -> impl Iterator<Item = usize> {
    let kept = length.min(TABLE_ROWS);
    (0..kept).map(move |k| if kept > 1 { k * (length - 1) / (kept - 1) } else { 0 })
}
