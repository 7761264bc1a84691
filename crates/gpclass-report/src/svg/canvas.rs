//! Elements written into a picture, every number finite and short, every text escaped.

use crate::text::escape;
use std::fmt::Write;

/// Which end of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// The body of a picture under construction. Classes are the program's own words, never a user's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas {
    body: String,
}

/// A coordinate with one decimal at most, a tenth of a pixel; what is not finite goes to the origin.
pub(super) fn place(value: f64) -> String {
    rounded(value, 10.0)
}

/// A number to the given fraction of a unit.
fn rounded(value: f64, fraction: f64) -> String {
    let rounded = if value.is_finite() { (value * fraction).round() / fraction } else { 0.0 };
    format!("{}", rounded + 0.0)
}

impl Canvas {
    pub fn into_body(self) -> String {
        self.body
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(place);
        self.push(format_args!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="{class}"/>"#));
    }

    pub fn rect(&mut self, corner: (f64, f64), width: f64, height: f64, class: &str) {
        let [x, y, w, h] = [corner.0, corner.1, width.max(0.0), height.max(0.0)].map(place);
        self.push(format_args!(r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" class="{class}"/>"#));
    }

    /// A path that [`line_path`](super::line_path) or its relatives made.
    pub fn path(&mut self, d: &str, class: &str) {
        if !d.is_empty() {
            self.push(format_args!(r#"<path d="{d}" class="{class}"/>"#));
        }
    }

    /// A path whose fill is that transparent.
    pub fn veil(&mut self, d: &str, class: &str, opacity: f64) {
        if !d.is_empty() {
            self.push(format_args!(r#"<path d="{d}" class="{class}" fill-opacity="{}"/>"#, rounded(opacity, 1000.0)));
        }
    }

    /// A rectangle whose fill is that transparent and which says what it is where a pointer rests on it.
    pub fn cell(&mut self, corner: (f64, f64), (width, height): (f64, f64), class: &str, opacity: f64, hint: &str) {
        let [x, y, w, h] = [corner.0, corner.1, width.max(0.0), height.max(0.0)].map(place);
        let (opacity, hint) = (rounded(opacity, 1000.0), escape(hint));
        self.push(format_args!(
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" class="{class}" fill-opacity="{opacity}"><title>{hint}</title></rect>"#
        ));
    }

    pub fn circle(&mut self, centre: (f64, f64), radius: f64, class: &str) {
        let [x, y, r] = [centre.0, centre.1, radius].map(place);
        self.push(format_args!(r#"<circle cx="{x}" cy="{y}" r="{r}" class="{class}"/>"#));
    }

    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let ([x, y], anchor, text) = ([at.0, at.1].map(place), anchor.name(), escape(text));
        self.push(format_args!(r#"<text x="{x}" y="{y}" text-anchor="{anchor}" class="{class}">{text}</text>"#));
    }

    /// Text that reads upwards.
    pub fn upright_text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let ([x, y], anchor, text) = ([at.0, at.1].map(place), anchor.name(), escape(text));
        self.push(format_args!(
            r#"<text x="{x}" y="{y}" text-anchor="{anchor}" transform="rotate(-90 {x} {y})" class="{class}">{text}</text>"#
        ));
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
    }
}
