//! Probabilities of left-out rows, by label.

use super::{Figure, SIZE};
use crate::report::ReportData;
use crate::report::svg::{Anchor, AxisText, Canvas, Frame, Margins};
use crate::report::text::percent;

const BINS: usize = 20;

/// Mirrored histograms: one class upwards, the other downwards.
pub(in crate::report) fn figure(data: &ReportData) -> Option<Figure> {
    if data.left_out.is_empty() {
        return None;
    }
    let mut counts = [[0usize; 2]; BINS];
    for row in &data.left_out {
        let bin = ((row.probability * BINS as f64) as usize).min(BINS - 1);
        counts[bin][usize::from(row.positive)] += 1;
    }
    let most = |class: usize| counts.iter().map(|bin| bin[class]).max().unwrap_or(0).max(1) as f64;
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, 1.0), (-1.12 * most(0), 1.12 * most(1)));
    let mut canvas = Canvas::default();
    let label = format!("probability of “{}” from the other rows", short(&data.classes.positive));
    frame.draw(&mut canvas, AxisText::Numbers(&label), AxisText::Label("rows"));
    let width = (frame.x.at(1.0) - frame.x.at(0.0)) / BINS as f64;
    for (k, bin) in counts.iter().enumerate() {
        let left = frame.x.at(k as f64 / BINS as f64) + 0.5;
        let zero = frame.y.at(0.0);
        let up = zero - frame.y.at(bin[1] as f64);
        canvas.rect((left, zero - up), width - 1.0, up, "bar fill-pos");
        canvas.rect((left, zero), width - 1.0, frame.y.at(-(bin[0] as f64)) - zero, "bar fill-neg");
    }
    let zero = frame.y.at(0.0);
    canvas.line((frame.left(), zero), (frame.right(), zero), "axis");
    canvas.line((frame.x.at(0.5), frame.top()), (frame.x.at(0.5), frame.bottom()), "guide");
    let middle = frame.x.at(0.5) - 6.0;
    canvas.text((middle, frame.top() + 12.0), Anchor::End, "strong", &format!("↑ {}", short(&data.classes.positive)));
    canvas.text((middle, frame.bottom() - 6.0), Anchor::End, "strong", &format!("↓ {}", short(&data.classes.negative)));
    let rows = counts.iter().enumerate().map(|(k, bin)| {
        let edge = |k: usize| format!("{:.2}", k as f64 / BINS as f64);
        vec![format!("{}–{}", edge(k), edge(k + 1)), bin[1].to_string(), bin[0].to_string()]
    });
    let rows = rows.collect();
    Some(
        Figure::new("left-out", "Left-out probability against label", SIZE, canvas, sentence(data))
            .with_table(&["probability", "rows of the positive class", "rows of the negative class"], rows),
    )
}

fn short(name: &str) -> String {
    crate::report::text::shorten(name, 16)
}

fn sentence(data: &ReportData) -> String {
    let right = data.left_out.iter().filter(|row| (row.probability > 0.5) == row.positive).count();
    let share = right as f64 / data.left_out.len() as f64;
    format!(
        "Every row is predicted from all the others: {} of {} rows ({}) fall on the side of their own label. The further \
         apart the two colours, the better the classes are told apart.",
        right,
        data.left_out.len(),
        percent(share)
    )
}
