//! How probable the other rows make each row's own label, class by class.

use super::Figure;
use crate::Report;
use crate::svg::{Anchor, AxisText, Canvas, Frame, Margins, fill_of};
use crate::text::{number, percent, probability, shorten};

const BINS: usize = 20;
const WIDTH: f64 = 440.0;
const MARGINS: Margins = Margins { left: 128.0, ..Margins::AXES };
/// Height of all classes together, if each gets neither too much nor too little.
const ROOM: f64 = 242.0;
const STEP: (f64, f64) = (20.0, 60.0);
/// Characters of a name that fit before its histogram.
const NAME_LENGTH: usize = 16;

/// A histogram for every class, one below the other.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    if report.class_of_row.is_empty() {
        return None;
    }
    let counts = counts(report);
    let classes = counts.len();
    let step = (ROOM / classes as f64).clamp(STEP.0, STEP.1);
    let size = (WIDTH, MARGINS.top + step * classes as f64 + MARGINS.bottom);
    let frame = Frame::new(size, MARGINS, (0.0, 1.0), (0.0, classes as f64));
    let mut canvas = Canvas::default();
    frame.draw(&mut canvas, AxisText::Numbers("probability of the own label"), AxisText::Label(""));
    let width = (frame.right() - frame.left()) / BINS as f64;
    for (class, bins) in counts.iter().enumerate() {
        let bottom = frame.top() + step * (class + 1) as f64;
        let most = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
        for (k, &rows) in bins.iter().enumerate().filter(|(_, rows)| **rows > 0) {
            // Heights are relative to the class's own largest, and a single row can be seen.
            let height = (0.86 * step * rows as f64 / most).max(1.5);
            let left = frame.left() + width * k as f64 + 0.5;
            canvas.rect((left, bottom - height), width - 1.0, height, &format!("bar {}", fill_of(class)));
        }
        canvas.line((frame.left(), bottom), (frame.right(), bottom), "grid");
        let name = shorten(report.class(class), NAME_LENGTH);
        canvas.text((frame.left() - 8.0, bottom - 0.5 * step + 4.5), Anchor::End, "name", &name);
    }
    Some(
        Figure::new("own-label", "How probable is the own label?", size, canvas, sentence(report))
            .with_table(&["class", "rows", "median probability", "rows below one half"], rows(report)),
    )
}

/// The probability of the own label for every row of a class.
fn own_probabilities(report: &Report<'_>, class: usize) -> Vec<f64> {
    let rows = report.class_of_row.iter().enumerate().filter(|(_, own)| **own == class);
    rows.map(|(row, &own)| report.left_out(row, own)).collect()
}

fn counts(report: &Report<'_>) -> Vec<[usize; BINS]> {
    let of_class = |class: usize| {
        let mut bins = [0; BINS];
        for p in own_probabilities(report, class) {
            bins[((p * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        bins
    };
    (0..report.summary.classes.len()).map(of_class).collect()
}

fn sentence(report: &Report<'_>) -> String {
    let own = report.class_of_row.iter().enumerate().map(|(row, &own)| report.left_out(row, own));
    let sure = own.filter(|p| *p > 0.5).count();
    let rows = report.class_of_row.len();
    format!(
        "Every row is predicted from {}: for {sure} of {rows} rows ({}) the own label has a probability above \
         one half. Bars far to the left are rows that look like another class. Each class has its own height.",
        report.leaving_out().others(),
        percent(sure as f64 / rows as f64)
    )
}

fn rows(report: &Report<'_>) -> Vec<Vec<String>> {
    let row = |class: usize| {
        let mut own = own_probabilities(report, class);
        own.sort_by(f64::total_cmp);
        let median = own.get(own.len() / 2).copied().unwrap_or(f64::NAN);
        let below = own.iter().filter(|p| **p < 0.5).count();
        vec![report.class(class).to_owned(), number(own.len() as f64), probability(median), below.to_string()]
    };
    (0..report.summary.classes.len()).map(row).collect()
}
