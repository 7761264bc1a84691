//! The probability over the plane of two features.

use super::Figure;
use crate::report::ReportData;
use crate::report::svg::{Anchor, AxisText, Canvas, Frame, Grid, Margins, Marker, contour_lines, filled_bands, marker};
use crate::report::text::{count, shorten};
use gpclass::data::Class;
use gpclass::explain::DecisionSurface;

const SIZE: (f64, f64) = (440.0, 430.0);
const MARGINS: Margins = Margins { left: 58.0, right: 14.0, top: 34.0, bottom: 46.0 };
/// Steps of the colouring from 0 to 1.
const SHADES: usize = 10;
/// Opacity of the colouring at certainty.
const STRONGEST: f64 = 0.62;
/// Probabilities whose contours are drawn beside that of 1/2.
const CONTOURS: [f64; 4] = [0.1, 0.25, 0.75, 0.9];
/// From this many training rows on, points are drawn smaller.
const MANY: usize = 400;

/// The surface with contours, training rows, and rings around suspects.
pub(in crate::report) fn figure(data: &ReportData) -> Option<Figure> {
    let surface = data.surface.as_ref()?;
    let frame = Frame::new(SIZE, MARGINS, (surface.x.low, surface.x.high), (surface.y.low, surface.y.high));
    let mut canvas = Canvas::default();
    let names = [&surface.x.feature, &surface.y.feature].map(|name| shorten(name, 44));
    shade(&mut canvas, surface, &frame);
    frame.draw(&mut canvas, AxisText::Marks(&names[0]), AxisText::Marks(&names[1]));
    contours(&mut canvas, surface, &frame);
    points(&mut canvas, data, surface, &frame);
    legend(&mut canvas, data, &frame);
    let rings = match data.suspects.len() {
        0 => "no label looks wrong".to_owned(),
        n => format!("{} ringed", count(n, "row whose label looks wrong is", "rows whose labels look wrong are")),
    };
    let sentence = format!(
        "The probability of “{}” over {} and {}: the thick line is one half, thin lines are 0.1, 0.25, 0.75 and 0.9, a \
         stronger colour is a surer prediction; {rings}.",
        data.classes.positive, surface.x.feature, surface.y.feature
    );
    Some(Figure::new("surface", "The decision surface", SIZE, canvas, sentence))
}

/// Calls `draw` with the grid of the surface in the frame.
fn with_grid<R>(surface: &DecisionSurface, frame: &Frame, draw: impl FnOnce(&Grid<'_>) -> R) -> R {
    let last = (surface.resolution - 1) as f64;
    let place = |i: f64, j: f64| {
        let x = surface.x.low + (surface.x.high - surface.x.low) * i / last;
        let y = surface.y.low + (surface.y.high - surface.y.low) * j / last;
        frame.at(x, y)
    };
    let side = surface.resolution;
    draw(&Grid { columns: side, rows: side, values: &surface.probability, place: &place })
}

fn shade(canvas: &mut Canvas, surface: &DecisionSurface, frame: &Frame) {
    with_grid(surface, frame, |grid| {
        for k in 0..SHADES {
            let edge = |k: usize| k as f64 / SHADES as f64;
            // The last step includes certainty itself.
            let high = if k + 1 == SHADES { f64::INFINITY } else { edge(k + 1) };
            let middle = 0.5 * (edge(k) + edge(k + 1));
            let class = if middle > 0.5 { "veil fill-pos" } else { "veil fill-neg" };
            canvas.veil(&filled_bands(grid, edge(k), high), class, STRONGEST * (2.0 * middle - 1.0).abs());
        }
    });
}

fn contours(canvas: &mut Canvas, surface: &DecisionSurface, frame: &Frame) {
    with_grid(surface, frame, |grid| {
        for level in CONTOURS {
            canvas.path(&contour_lines(grid, level), "contour");
        }
        canvas.path(&contour_lines(grid, 0.5), "boundary");
    });
}

fn points(canvas: &mut Canvas, data: &ReportData, surface: &DecisionSurface, frame: &Frame) {
    let radius = if surface.points.len() > MANY { 2.4 } else { 3.5 };
    for point in &surface.points {
        let positive = point.class == Class::POSITIVE;
        let class = if positive { "point fill-pos" } else { "point fill-neg" };
        marker(canvas, Marker::of(positive), frame.at(point.x, point.y), radius, class);
    }
    for suspect in &data.suspects {
        if let Some(point) = surface.points.get(suspect.row) {
            canvas.circle(frame.at(point.x, point.y), radius + 3.6, "ring");
        }
    }
}

fn legend(canvas: &mut Canvas, data: &ReportData, frame: &Frame) {
    let y = 16.0;
    let mut x = frame.left() + 6.0;
    for positive in [true, false] {
        let name = shorten(data.classes.name(positive), 14);
        let class = if positive { "point fill-pos" } else { "point fill-neg" };
        marker(canvas, Marker::of(positive), (x, y), 5.0, class);
        canvas.text((x + 11.0, y + 4.5), Anchor::Start, "name", &name);
        x += 30.0 + 7.5 * name.chars().count() as f64;
    }
    if !data.suspects.is_empty() {
        canvas.circle((x + 2.0, y), 6.5, "ring");
        canvas.text((x + 15.0, y + 4.5), Anchor::Start, "name", "label looks wrong");
    }
}
