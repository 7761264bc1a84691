//! Probabilities of left-out rows of two classes, by label.

use super::{Figure, SIZE};
use crate::Report;
use crate::svg::{Anchor, AxisText, Canvas, Frame, Margins};
use crate::text::{percent, shorten};

const BINS: usize = 20;

/// Mirrored histograms: one class upwards, the other downwards.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    if report.class_of_row.is_empty() {
        return None;
    }
    let mut counts = [[0usize; 2]; BINS];
    for (row, &class) in report.class_of_row.iter().enumerate() {
        let bin = ((report.left_out(row, Report::SHOWN_CLASS) * BINS as f64) as usize).min(BINS - 1);
        counts[bin][class] += 1;
    }
    let most = |class: usize| counts.iter().map(|bin| bin[class]).max().unwrap_or(0).max(1) as f64;
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, 1.0), (-1.12 * most(0), 1.12 * most(1)));
    let mut canvas = Canvas::default();
    let label = format!("probability of “{}” from the other rows", short(report.shown_class()));
    frame.draw(&mut canvas, AxisText::Numbers(&label), AxisText::Label("rows"));
    let width = (frame.x.at(1.0) - frame.x.at(0.0)) / BINS as f64;
    for (k, bin) in counts.iter().enumerate() {
        let left = frame.x.at(k as f64 / BINS as f64) + 0.5;
        let zero = frame.y.at(0.0);
        let up = zero - frame.y.at(bin[1] as f64);
        canvas.rect((left, zero - up), width - 1.0, up, "bar fill-class-1");
        canvas.rect((left, zero), width - 1.0, frame.y.at(-(bin[0] as f64)) - zero, "bar fill-class-0");
    }
    let zero = frame.y.at(0.0);
    canvas.line((frame.left(), zero), (frame.right(), zero), "axis");
    canvas.line((frame.x.at(0.5), frame.top()), (frame.x.at(0.5), frame.bottom()), "guide");
    let middle = frame.x.at(0.5) - 6.0;
    canvas.text((middle, frame.top() + 12.0), Anchor::End, "strong", &format!("↑ {}", short(report.shown_class())));
    canvas.text((middle, frame.bottom() - 6.0), Anchor::End, "strong", &format!("↓ {}", short(report.class(0))));
    let rows = counts.iter().enumerate().map(|(k, bin)| {
        let edge = |k: usize| format!("{:.2}", k as f64 / BINS as f64);
        vec![format!("{}–{}", edge(k), edge(k + 1)), bin[1].to_string(), bin[0].to_string()]
    });
    let rows = rows.collect();
    Some(
        Figure::new("left-out", "Left-out probability against label", SIZE, canvas, sentence(report))
            .with_table(&["probability", "rows of the positive class", "rows of the negative class"], rows),
    )
}

fn short(name: &str) -> String {
    shorten(name, 16)
}

fn sentence(report: &Report<'_>) -> String {
    let rows = report.class_of_row.len();
    let own_side = |row: &usize| (report.left_out(*row, Report::SHOWN_CLASS) > 0.5) == (report.class_of_row[*row] == 1);
    let right = (0..rows).filter(own_side).count();
    format!(
        "Every row is predicted from all the others: {} of {} rows ({}) fall on the side of their own label. The further \
         apart the two colours, the better the classes are told apart.",
        right,
        rows,
        percent(right as f64 / rows as f64)
    )
}
