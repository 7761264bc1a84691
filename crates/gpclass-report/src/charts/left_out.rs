//! Probabilities of left-out rows of two classes, by label.

use super::legend::{Key, Legend};
use super::{Figure, SIZE};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, fill_of};
use crate::text::{number, percent, shorten};
use gpclass::evaluate::outcome_spread::Spread;

/// Mirrored histograms: one class upwards, the other downwards, each with its own height.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let spread = &report.curves.first()?.spread;
    let legend = Legend::new(SIZE.0, [Key::Points(Report::SHOWN_CLASS), Key::Points(0)], report);
    let size = (SIZE.0, SIZE.1 + legend.height());
    let frame = Frame::new(size, legend.margins(), (0.0, 1.0), (-1.08, 1.08));
    let mut canvas = Canvas::default();
    legend.draw(&mut canvas);
    let label = format!("left-out probability of “{}”", shorten(report.shown_class(), 16));
    frame.draw(&mut canvas, AxisText::Numbers(&label), AxisText::Label("rows"));
    for (spread, class, sign) in [(&spread.with, Report::SHOWN_CLASS, 1.0), (&spread.without, 0, -1.0)] {
        bars(&mut canvas, spread, class, sign, &frame);
    }
    let zero = frame.y.at(0.0);
    canvas.line((frame.left(), zero), (frame.right(), zero), "axis");
    let called = report.threshold().unwrap_or(0.5);
    canvas.line((frame.x.at(called), frame.top()), (frame.x.at(called), frame.bottom()), "guide");
    let bins = spread.with.bins.len();
    let rows = spread.with.bins.iter().zip(&spread.without.bins).enumerate().map(|(k, (with, without))| {
        let edge = |k: usize| format!("{:.2}", k as f64 / bins as f64);
        vec![format!("{}–{}", edge(k), edge(k + 1)), number(*with), number(*without)]
    });
    let head = ["probability", report.shown_class(), report.class(0)];
    Some(
        Figure::new("left-out", "Left-out probability by label", size, canvas, sentence(report))
            .with_table(&head, rows.collect()),
    )
}

/// The bins of one class, the fullest of which is one high.
fn bars(canvas: &mut Canvas, spread: &Spread, class: usize, sign: f64, frame: &Frame) {
    let most = spread.bins.iter().copied().fold(0.0, f64::max);
    let (zero, width) = (frame.y.at(0.0), (frame.right() - frame.left()) / spread.bins.len() as f64);
    for (k, weight) in spread.bins.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        // A single row can be seen.
        let height = (zero - frame.y.at(weight / most)).max(1.5);
        let top = if sign > 0.0 { zero - height } else { zero };
        canvas.rect(
            (frame.left() + width * k as f64 + 0.5, top),
            width - 1.0,
            height,
            &format!("bar {}", fill_of(class)),
        );
    }
}

fn sentence(report: &Report<'_>) -> String {
    let spread = &report.curves[0].spread;
    let means = match (spread.with.mean, spread.without.mean, spread.discrimination_slope) {
        (Some(with), Some(without), Some(apart)) => format!(
            " The mean is {} for “{}” and {} for “{}”, {} apart.",
            percent(with),
            report.shown_class(),
            percent(without),
            report.class(0),
            percent(apart)
        ),
        _ => String::new(),
    };
    format!(
        "Every row is predicted from {}; bars up are rows labelled “{}”, bars down “{}”, each with its own height. \
         The further apart the two, the better the classes are told apart.{means}",
        report.leaving_out().others(),
        report.shown_class(),
        report.class(0)
    )
}
