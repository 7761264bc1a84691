//! How far predictions move with what the data leave open of the hyperparameters.

use super::{Figure, SIZE, evenly};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, Margins};
use crate::text::{percent, probability, shorten};
use gpclass::classifier::Stability;

/// Rows that are drawn at most, evenly among all in the order of their probabilities.
const MOST_ROWS: usize = 240;
/// Rows in the table.
const TABLE_ROWS: usize = 12;

/// Every row's interval over draws of the hyperparameters, in the order of the probabilities.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let stability = report.summary.stability.as_ref().filter(|stability| !stability.low.is_empty())?;
    let shown: Vec<f64> = (0..stability.low.len()).map(|row| shown(report, row)).collect();
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.sort_by(|&a, &b| shown[a].total_cmp(&shown[b]));
    let drawn: Vec<usize> = evenly(order.len(), MOST_ROWS).map(|k| order[k]).collect();
    let lowest = if report.has_several_classes() { 1.0 / report.summary.classes.len() as f64 } else { 0.0 };
    let least = drawn.iter().map(|&row| stability.low[row]).fold(lowest, f64::min);
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, drawn.len() as f64), (least, 1.0));
    let mut canvas = Canvas::default();
    frame.draw(&mut canvas, AxisText::Label("left-out rows, by their probability"), AxisText::Numbers(&label(report)));
    if !report.has_several_classes() {
        canvas.line(frame.at(0.0, 0.5), frame.at(frame.x.high, 0.5), "guide");
    }
    let unsettled = stability.unsettled();
    for (k, &row) in drawn.iter().enumerate() {
        let x = k as f64 + 0.5;
        let style = if unsettled.binary_search(&row).is_ok() { "alert" } else { "main" };
        let ends = [stability.low[row], stability.high[row]].map(|p| frame.at(x, p));
        canvas.line(ends[0], ends[1], &format!("mark {style}"));
        canvas.circle(frame.at(x, shown[row]), 1.3, &format!("bar fill-{style}"));
    }
    let mut widest = order.clone();
    let widths = stability.half_widths();
    widest.sort_by(|&a, &b| widths[b].total_cmp(&widths[a]));
    let row = |&row: &usize| {
        let interval = format!("{} to {}", probability(stability.low[row]), probability(stability.high[row]));
        vec![report.place(row).to_string(), probability(shown[row]), interval, percent(stability.turned[row])]
    };
    let rows = widest.iter().take(TABLE_ROWS).map(row).collect();
    let head = ["row that moves most", "probability", "nine in ten draws", "another class"];
    let sentence = sentence(stability, &unsettled);
    let heading = "How much do the predictions depend on the hyperparameters?";
    Some(Figure::new("stability", heading, SIZE, canvas, sentence).with_table(&head, rows))
}

fn label(report: &Report<'_>) -> String {
    if report.has_several_classes() {
        return "of the most probable class".to_owned();
    }
    format!("probability of “{}”", shorten(report.shown_class(), 14))
}

/// The probability that the interval of a row is of.
fn shown(report: &Report<'_>, row: usize) -> f64 {
    if !report.has_several_classes() {
        return report.left_out(row, Report::SHOWN_CLASS);
    }
    (0..report.summary.classes.len()).map(|class| report.left_out(row, class)).fold(0.0, f64::max)
}

fn sentence(stability: &Stability, unsettled: &[usize]) -> String {
    let mut widths = stability.half_widths();
    widths.sort_by(f64::total_cmp);
    let quantile = |share: f64| widths[((widths.len() - 1) as f64 * share).round() as usize];
    let turned = match unsettled.len() {
        0 => "No row is called another class in one draw of twenty or more.".to_owned(),
        n => format!(
            "{n} of {} rows ({}) {} called another class in at least one draw of twenty, in red.",
            widths.len(),
            percent(n as f64 / widths.len() as f64),
            if n == 1 { "is" } else { "are" }
        ),
    };
    format!(
        "Hyperparameters are learned from the rows and so are not known exactly. Drawn as the data allow them, the probability of \
         half of the rows moves by less than ± {:.3}, of nineteen in twenty by less than ± {:.3}; lines hold nine in ten draws. \
         {turned}",
        quantile(0.5),
        quantile(0.95)
    )
}
