//! Which classes are taken for which.

use super::Figure;
use crate::Report;
use crate::svg::{Anchor, Canvas};
use crate::text::{number, percent, shorten};
use gpclass::data::Class;
use gpclass::evaluate::Confusion;

/// Room for the names of the labels.
const NAME_WIDTH: f64 = 128.0;
/// Room above the matrix, beside that for the names of the predictions where they stand upright.
const HEAD: f64 = 26.0;
/// Room that the cells share, if they become neither too large nor too small for their numbers.
const ROOM: f64 = 312.0;
const CELL: (f64, f64) = (27.0, 72.0);
/// Cells of at least this size hold the share below the number.
const ROOMY: f64 = 44.0;
const EDGE: f64 = 12.0;
/// Characters of a name that fit into its room, and the width of one.
const NAME_LENGTH: usize = 16;
const LETTER: f64 = 7.0;
/// Opacity of a cell that holds all rows of a label: numbers must stay readable upon it.
const STRONGEST: f64 = 0.5;
/// The least share of its width to which the picture is shrunk: beyond that it is moved.
const SHRUNK: f64 = 0.75;

/// Labels from top to bottom, what was called from left to right.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let confusion = &report.summary.loo.classes.as_ref()?.confusion;
    let classes = confusion.classes().len();
    let cell = (ROOM / classes as f64).clamp(CELL.0, CELL.1);
    let letters = (0..classes).map(|class| report.class(class).chars().count().min(NAME_LENGTH)).max().unwrap_or(0);
    let longest = LETTER * letters as f64;
    let upright = longest > cell;
    let top = if upright { HEAD.max(longest + 1.5 * EDGE) } else { HEAD };
    let side = cell * classes as f64;
    let mut canvas = Canvas::default();
    names(&mut canvas, report, (classes, cell), (top, upright));
    for (label, called) in confusion.classes().flat_map(|label| confusion.classes().map(move |called| (label, called)))
    {
        let corner = (NAME_WIDTH + cell * called.position() as f64, top + cell * label.position() as f64);
        draw_cell(&mut canvas, &Entry::new(confusion, label, called), report, corner, cell);
    }
    for k in 0..=classes {
        let at = cell * k as f64;
        canvas.line((NAME_WIDTH, top + at), (NAME_WIDTH + side, top + at), "grid");
        canvas.line((NAME_WIDTH + at, top), (NAME_WIDTH + at, top + side), "grid");
    }
    let size = (NAME_WIDTH + side + EDGE, top + side + EDGE);
    Some(
        Figure::new("confusion", "What was taken for what", size, canvas, sentence(report, confusion))
            .with_table(&["label", "predicted", "rows", "share of the label's rows"], rows(report, confusion))
            .with_least_width(SHRUNK * size.0),
    )
}

/// Rows of a label that were called a class.
struct Entry {
    label: usize,
    called: usize,
    weight: f64,
    /// Their share of the label's rows.
    share: f64,
}

impl Entry {
    fn new(confusion: &Confusion, label: Class, called: Class) -> Self {
        let weight = confusion.at(label, called);
        let total: f64 = confusion.of_label(label).iter().sum();
        let share = if total > 0.0 { weight / total } else { 0.0 };
        Entry { label: label.position(), called: called.position(), weight, share }
    }

    fn is_right(&self) -> bool {
        self.label == self.called
    }
}

/// The entries that have rows, label by label, the most frequent of each first.
fn entries(confusion: &Confusion) -> Vec<Entry> {
    let of_label = |label: Class| {
        let mut entries: Vec<Entry> =
            confusion.classes().map(|called| Entry::new(confusion, label, called)).filter(|e| e.weight > 0.0).collect();
        entries.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        entries
    };
    confusion.classes().flat_map(of_label).collect()
}

fn names(canvas: &mut Canvas, report: &Report<'_>, (classes, cell): (usize, f64), (top, upright): (f64, bool)) {
    canvas.text((NAME_WIDTH - 8.0, top - 9.0), Anchor::End, "small", "label / predicted");
    for class in 0..classes {
        let name = shorten(report.class(class), NAME_LENGTH);
        let middle = cell * (class as f64 + 0.5);
        canvas.text((NAME_WIDTH - 8.0, top + middle + 4.5), Anchor::End, "name", &name);
        if upright {
            canvas.upright_text((NAME_WIDTH + middle + 4.5, top - 7.0), Anchor::Start, "name", &name);
        } else {
            canvas.text((NAME_WIDTH + middle, top - 9.0), Anchor::Middle, "name", &name);
        }
    }
}

fn draw_cell(canvas: &mut Canvas, entry: &Entry, report: &Report<'_>, (x, y): (f64, f64), cell: f64) {
    if entry.weight <= 0.0 {
        return;
    }
    let style = if entry.is_right() { "cell fill-main" } else { "cell fill-alert" };
    // A share that is small but there can be seen.
    let opacity = STRONGEST * (0.12 + 0.88 * entry.share);
    let hint = format!(
        "{} of {}: {} predicted, {}",
        number(entry.weight),
        report.class(entry.label),
        report.class(entry.called),
        percent(entry.share)
    );
    canvas.cell((x, y), (cell, cell), style, opacity, &hint);
    let middle = (x + 0.5 * cell, y + 0.5 * cell);
    if cell < ROOMY {
        return canvas.text((middle.0, middle.1 + 4.0), Anchor::Middle, "small ink-text", &number(entry.weight));
    }
    canvas.text((middle.0, middle.1 - 1.0), Anchor::Middle, "strong", &number(entry.weight));
    canvas.text((middle.0, middle.1 + 15.0), Anchor::Middle, "small ink-text", &percent(entry.share));
}

fn sentence(report: &Report<'_>, confusion: &Confusion) -> String {
    let shown = "Numbers are rows, and a stronger colour is a larger share of the rows of a label; those on the diagonal are \
                 right.";
    let wrong = entries(confusion).into_iter().filter(|entry| !entry.is_right());
    let worse = |a: &Entry, b: &Entry| (a.weight, a.share) > (b.weight, b.share);
    match wrong.reduce(|worst, next| if worse(&next, &worst) { next } else { worst }) {
        None => format!("{shown} No row is predicted wrongly."),
        Some(worst) => format!(
            "{shown} The most frequent error: {} of “{}” ({}) predicted as “{}”.",
            number(worst.weight),
            report.class(worst.label),
            percent(worst.share),
            report.class(worst.called)
        ),
    }
}

fn rows(report: &Report<'_>, confusion: &Confusion) -> Vec<Vec<String>> {
    let row = |e: &Entry| {
        let [label, called] = [e.label, e.called].map(|class| report.class(class).to_owned());
        vec![label, called, number(e.weight), percent(e.share)]
    };
    entries(confusion).iter().map(row).collect()
}
