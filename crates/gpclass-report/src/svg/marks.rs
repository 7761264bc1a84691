//! Lines, bands and point markers.

use super::Canvas;
use super::canvas::place;
use crate::palette::class_colour;
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

/// The look of a curve and of what belongs to it, as classes of the style sheet.
#[derive(Clone, Debug)]
pub(crate) struct Tone {
    pub stroke: String,
    pub fill: String,
    /// The dashes of lines, if any.
    pub dash: &'static str,
}

/// Classes in a row whose lines are dashed alike.
const ALIKE: usize = 6;
const DASHES: [&str; 4] = ["", "dash-1", "dash-2", "dash-3"];

impl Tone {
    /// Of the one curve there is.
    pub fn main() -> Tone {
        Tone { stroke: "main".to_owned(), fill: "fill-main".to_owned(), dash: "" }
    }

    /// Of a class, by its position: lines that share a colour are dashed differently.
    pub fn of_class(class: usize) -> Tone {
        let colour = class_colour(class);
        let dash = DASHES[class / ALIKE % DASHES.len()];
        Tone { stroke: colour.to_owned(), fill: fill_of(class), dash }
    }

    /// The style of a line.
    pub fn line(&self) -> String {
        format!("line {} {}", self.stroke, self.dash).trim_end().to_owned()
    }
}

/// The colour of a class, by its position, as a class of the style sheet.
pub(crate) fn fill_of(class: usize) -> String {
    format!("fill-{}", class_colour(class))
}

/// The shape of a point: classes differ by shape as well as by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    Triangle,
    Circle,
    Square,
    Diamond,
    Tip,
    Plus,
    Pentagon,
}

impl Marker {
    /// The shape of a class, by its position. Their number and that of the colours have no common divisor, so that
    /// classes of the same colour differ by shape.
    fn of(class: usize) -> Marker {
        use Marker::*;
        const SHAPES: [Marker; 7] = [Triangle, Circle, Square, Diamond, Tip, Plus, Pentagon];
        SHAPES[class % SHAPES.len()]
    }

    /// The corners around the origin in units of the radius; none of a circle.
    fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Marker::Circle => &[],
            Marker::Triangle => &[(0.0, -1.2), (1.08, 0.78), (-1.08, 0.78)],
            Marker::Tip => &[(0.0, 1.2), (1.08, -0.78), (-1.08, -0.78)],
            Marker::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Marker::Diamond => &[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
            Marker::Pentagon => &[(0.0, -1.15), (1.09, -0.36), (0.68, 0.93), (-0.68, 0.93), (-1.09, -0.36)],
            Marker::Plus => &[
                (-0.45, -1.2),
                (0.45, -1.2),
                (0.45, -0.45),
                (1.2, -0.45),
                (1.2, 0.45),
                (0.45, 0.45),
                (0.45, 1.2),
                (-0.45, 1.2),
                (-0.45, 0.45),
                (-1.2, 0.45),
                (-1.2, -0.45),
                (-0.45, -0.45),
            ],
        }
    }
}

/// A point in the shape and the colour of its class, of about the given radius.
pub(crate) fn class_marker(canvas: &mut Canvas, class: usize, (x, y): (f64, f64), radius: f64) {
    let style = format!("point {}", fill_of(class));
    match Marker::of(class) {
        Marker::Circle => canvas.circle((x, y), radius, &style),
        shape => {
            let corners = shape.corners().iter().map(|(right, down)| (x + radius * right, y + radius * down));
            canvas.path(&(line_path(&corners.collect::<Vec<_>>()) + "Z"), &style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_classes_are_told_apart_by_colour_and_shape_or_dash() {
        for (a, b) in (0..40).flat_map(|a| (0..a).map(move |b| (a, b))) {
            assert!(fill_of(a) != fill_of(b) || Marker::of(a) != Marker::of(b), "{a} {b}");
        }
        for (a, b) in (0..24).flat_map(|a| (0..a).map(move |b| (a, b))) {
            assert_ne!(Tone::of_class(a).line(), Tone::of_class(b).line(), "{a} {b}");
        }
        assert_eq!(
            (Tone::of_class(1).line(), Tone::of_class(8).line()),
            ("line class-1".into(), "line class-8 dash-1".into())
        );
    }
}
