//! What the colours and shapes of a figure stand for.

use crate::Report;
use crate::svg::{Anchor, Canvas, Margins, Tone, class_marker};
use crate::text::shorten;

/// What is explained.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    /// Points of a class.
    Points(usize),
    /// The curve of a class.
    Curve(usize),
    /// A line of a style, and what it is.
    Line(&'static str, &'static str),
    /// Dots of a style, and what they are.
    Dots(&'static str, &'static str),
    /// Rings around suspect rows.
    Ring,
}

/// Height of a row of entries.
const STEP: f64 = 22.0;
/// Characters of a name at most.
const NAME_LENGTH: usize = 14;
/// Room between the frame and the first row of entries.
const TOP: f64 = 12.0;

struct Entry {
    key: Key,
    name: String,
    x: f64,
    row: usize,
}

impl Entry {
    /// The width that a key and a name about need.
    fn width(key: Key, name: &str) -> f64 {
        let key = match key {
            Key::Points(_) | Key::Dots(..) => 30.0,
            Key::Curve(_) | Key::Line(..) => 40.0,
            Key::Ring => 34.0,
        };
        key + 7.5 * name.chars().count() as f64
    }
}

/// Entries from left to right above a plot, in as many rows as they need.
pub(super) struct Legend {
    entries: Vec<Entry>,
}

impl Legend {
    /// Of a figure that wide.
    pub fn new(width: f64, keys: impl IntoIterator<Item = Key>, report: &Report<'_>) -> Self {
        let left = Margins::AXES.left + 6.0;
        let right = width - 0.5 * Margins::AXES.right;
        let (mut x, mut row) = (left, 0);
        let mut place = |key: Key| {
            let name = match key {
                Key::Points(class) | Key::Curve(class) => shorten(report.class(class), NAME_LENGTH),
                Key::Line(_, name) | Key::Dots(_, name) => name.to_owned(),
                Key::Ring => "label looks wrong".to_owned(),
            };
            let width = Entry::width(key, &name);
            // The gap to the next entry may be cut off.
            if x > left && x + width - 16.0 > right {
                (x, row) = (left, row + 1);
            }
            let entry = Entry { key, name, x, row };
            x += width;
            entry
        };
        Legend { entries: keys.into_iter().map(&mut place).collect() }
    }

    /// The room that it needs.
    pub fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |last| STEP * (last.row + 1) as f64)
    }

    /// Margins with room for it.
    pub fn margins(&self) -> Margins {
        Margins { top: TOP + self.height(), ..Margins::AXES }
    }

    pub fn draw(&self, canvas: &mut Canvas) {
        for Entry { key, name, x, row } in &self.entries {
            let y = 16.0 + STEP * *row as f64;
            let name_at = match key {
                Key::Points(class) => {
                    class_marker(canvas, *class, (*x, y), 5.0);
                    x + 11.0
                }
                Key::Curve(class) => {
                    canvas.line((x - 5.0, y), (x + 15.0, y), &Tone::of_class(*class).line());
                    x + 22.0
                }
                Key::Line(style, _) => {
                    canvas.line((x - 5.0, y), (x + 15.0, y), style);
                    x + 22.0
                }
                Key::Dots(style, _) => {
                    canvas.circle((*x, y), 4.5, style);
                    x + 11.0
                }
                Key::Ring => {
                    canvas.circle((x + 2.0, y), 6.5, "ring");
                    x + 15.0
                }
            };
            canvas.text((name_at, y + 4.5), Anchor::Start, "name", name);
        }
    }
}
