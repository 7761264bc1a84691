//! The box of a plot with its axes: the one place that draws them.

use super::scale::Scale;
use super::ticks::{labels, ticks};
use super::{Anchor, Canvas};

/// Room around a plot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Margins {
    /// Room for labels on both axes.
    pub const AXES: Margins = Margins { left: 58.0, right: 14.0, top: 12.0, bottom: 46.0 };
}

/// What an axis says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AxisText<'a> {
    /// Round numbers with grid lines, and a label.
    Numbers(&'a str),
    /// Round numbers with short marks, and a label.
    Marks(&'a str),
    /// A label alone.
    Label(&'a str),
}

impl<'a> AxisText<'a> {
    fn label(self) -> &'a str {
        let (AxisText::Numbers(label) | AxisText::Marks(label) | AxisText::Label(label)) = self;
        label
    }

    fn has_ticks(self) -> bool {
        !matches!(self, AxisText::Label(_))
    }

    fn has_grid(self) -> bool {
        matches!(self, AxisText::Numbers(_))
    }
}

/// Length of a mark outside the box.
const MARK: f64 = 4.0;
/// Pixels per tick that leave labels apart, across and up.
const TICK_ROOM: (f64, f64) = (72.0, 46.0);

/// A plot's box: places come from its two scales.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub x: Scale,
    pub y: Scale,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    pub fn new(size: (f64, f64), margins: Margins, x: (f64, f64), y: (f64, f64)) -> Self {
        let (left, right) = (margins.left, size.0 - margins.right);
        let (top, bottom) = (margins.top, size.1 - margins.bottom);
        Frame { x: Scale::new(x, left, right), y: Scale::new(y, bottom, top), left, right, top, bottom }
    }

    /// The place of a pair of values.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    pub fn left(&self) -> f64 {
        self.left
    }

    pub fn right(&self) -> f64 {
        self.right
    }

    pub fn top(&self) -> f64 {
        self.top
    }

    pub fn bottom(&self) -> f64 {
        self.bottom
    }

    /// Both axes with their grid lines.
    pub fn draw(&self, canvas: &mut Canvas, x: AxisText<'_>, y: AxisText<'_>) {
        self.draw_y(canvas, y);
        self.draw_x(canvas, x);
        canvas.line((self.left, self.bottom), (self.right, self.bottom), "axis");
    }

    fn draw_x(&self, canvas: &mut Canvas, text: AxisText<'_>) {
        let marks = ticks(self.x.low, self.x.high, ((self.right - self.left) / TICK_ROOM.0).max(2.0) as usize);
        let marks = if text.has_ticks() { marks } else { Vec::new() };
        let end = if text.has_grid() { self.top } else { self.bottom + MARK };
        for (value, name) in marks.iter().zip(labels(&marks)) {
            let x = self.x.at(*value);
            canvas.line((x, end), (x, self.bottom), "grid");
            canvas.text((x, self.bottom + 17.0), Anchor::Middle, "tick", &name);
        }
        canvas.text((0.5 * (self.left + self.right), self.bottom + 37.0), Anchor::Middle, "name", text.label());
    }

    fn draw_y(&self, canvas: &mut Canvas, text: AxisText<'_>) {
        let marks = ticks(self.y.low, self.y.high, ((self.bottom - self.top) / TICK_ROOM.1).max(2.0) as usize);
        let marks = if text.has_ticks() { marks } else { Vec::new() };
        let end = if text.has_grid() { self.right } else { self.left - MARK };
        for (value, name) in marks.iter().zip(labels(&marks)) {
            let y = self.y.at(*value);
            canvas.line((self.left, y), (end, y), "grid");
            canvas.text((self.left - 7.0, y + 4.5), Anchor::End, "tick", &name);
        }
        canvas.upright_text((14.0, 0.5 * (self.top + self.bottom)), Anchor::Middle, "name", text.label());
    }
}
