//! Lines, bands and point markers.

use super::Canvas;
use super::canvas::place;
use std::fmt::Write;

/// A line through places.
pub(crate) fn line_path(places: &[(f64, f64)]) -> String {
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
pub(crate) fn step_path(places: &[(f64, f64)]) -> String {
    let corners = places.windows(2).flat_map(|pair| [(pair[1].0, pair[0].1), pair[1]]);
    line_path(&places.iter().take(1).copied().chain(corners).collect::<Vec<_>>())
}

/// The area between an upper and a lower line.
pub(crate) fn band_path(upper: &[(f64, f64)], lower: &[(f64, f64)]) -> String {
    let outline: Vec<(f64, f64)> = upper.iter().chain(lower.iter().rev()).copied().collect();
    if outline.is_empty() { String::new() } else { line_path(&outline) + "Z" }
}

/// The colour of a class, by its position, as a class of the style sheet.
pub(crate) fn fill_of(class: usize) -> &'static str {
    const FILLS: [&str; 2] = ["fill-class-0", "fill-class-1"];
    FILLS[class % FILLS.len()]
}

/// The shape of a point: classes differ by shape as well as by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    Triangle,
    Circle,
}

impl Marker {
    /// The shape of a class, by its position.
    fn of(class: usize) -> Marker {
        const SHAPES: [Marker; 2] = [Marker::Triangle, Marker::Circle];
        SHAPES[class % SHAPES.len()]
    }
}

/// A point in the shape and the colour of its class, of about the given radius.
pub(crate) fn class_marker(canvas: &mut Canvas, class: usize, (x, y): (f64, f64), radius: f64) {
    let style = format!("point {}", fill_of(class));
    match Marker::of(class) {
        Marker::Circle => canvas.circle((x, y), radius, &style),
        Marker::Triangle => {
            let r = 1.2 * radius;
            let corners = [(x, y - r), (x + 0.9 * r, y + 0.65 * r), (x - 0.9 * r, y + 0.65 * r)];
            canvas.path(&(line_path(&corners) + "Z"), &style);
        }
    }
}
