//! Lines, bands and point markers.

use super::Canvas;
use super::canvas::place;
use std::fmt::Write;

/// A line through places.
pub(in crate::report) fn line_path(places: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (k, &(x, y)) in places.iter().enumerate() {
        // After the first pair of a path, pairs without a command draw lines.
        let command = if k == 0 { 'M' } else { ' ' };
        // Writing to a string cannot fail.
        let _ = write!(d, "{command}{} {}", place(x), place(y));
    }
    d
}

/// A line that holds each height until the next place to the right, as an empirical curve does.
pub(in crate::report) fn step_path(places: &[(f64, f64)]) -> String {
    let corners = places.windows(2).flat_map(|pair| [(pair[1].0, pair[0].1), pair[1]]);
    line_path(&places.iter().take(1).copied().chain(corners).collect::<Vec<_>>())
}

/// The area between an upper and a lower line.
pub(in crate::report) fn band_path(upper: &[(f64, f64)], lower: &[(f64, f64)]) -> String {
    let outline: Vec<(f64, f64)> = upper.iter().chain(lower.iter().rev()).copied().collect();
    if outline.is_empty() { String::new() } else { line_path(&outline) + "Z" }
}

/// The shape of a point: classes differ by shape as well as by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Marker {
    Circle,
    Triangle,
}

impl Marker {
    /// The shape of a class.
    pub fn of(positive: bool) -> Marker {
        if positive { Marker::Circle } else { Marker::Triangle }
    }
}

/// A point of the given shape and about the given radius.
pub(in crate::report) fn marker(canvas: &mut Canvas, shape: Marker, (x, y): (f64, f64), radius: f64, class: &str) {
    match shape {
        Marker::Circle => canvas.circle((x, y), radius, class),
        Marker::Triangle => {
            let r = 1.2 * radius;
            let corners = [(x, y - r), (x + 0.9 * r, y + 0.65 * r), (x - 0.9 * r, y + 0.65 * r)];
            canvas.path(&(line_path(&corners) + "Z"), class);
        }
    }
}
