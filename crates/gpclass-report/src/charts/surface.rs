//! The probability over the plane of two features.

use super::legend::{Key, Legend};
use super::{Figure, class_map, evenly};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, Grid, class_marker, contour_lines, fill_of, filled_bands};
use crate::text::{count, shorten};
use gpclass::explain::DecisionSurface;

/// Width, and height without the legend.
const SIZE: (f64, f64) = (440.0, 408.0);
/// Steps of the colouring from 0 to 1.
const SHADES: usize = 10;
/// Opacity of the colouring at certainty.
const STRONGEST: f64 = 0.62;
/// Probabilities whose contours are drawn beside that of 1/2.
const CONTOURS: [f64; 4] = [0.1, 0.25, 0.75, 0.9];
/// From this many training rows on, points are drawn smaller.
const MANY: usize = 400;
/// Training rows that are drawn at most, evenly in their order; suspects always are.
const MOST_POINTS: usize = 2500;
/// Classes in the legend at most; more are named in the plane alone.
const IN_LEGEND: usize = 24;

/// The surface with contours, training rows, and rings around suspects.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let surface = report.surface.as_ref()?;
    let legend = Legend::new(SIZE.0, keys(report), report);
    let size = (SIZE.0, SIZE.1 + legend.height());
    let frame = Frame::new(size, legend.margins(), (surface.x.low, surface.x.high), (surface.y.low, surface.y.high));
    let mut canvas = Canvas::default();
    let names = [&surface.x.feature, &surface.y.feature].map(|name| shorten(name, 44));
    let axes = |canvas: &mut Canvas| frame.draw(canvas, AxisText::Marks(&names[0]), AxisText::Marks(&names[1]));
    match &surface.every_class {
        None => {
            shade(&mut canvas, surface, &frame);
            axes(&mut canvas);
            contours(&mut canvas, surface, &frame);
            points(&mut canvas, report, surface, &frame);
        }
        Some(probability) => {
            class_map::shade(&mut canvas, surface, probability, &frame);
            axes(&mut canvas);
            class_map::borders(&mut canvas, surface, probability, &frame);
            points(&mut canvas, report, surface, &frame);
            class_map::names(&mut canvas, report, probability, &frame);
        }
    }
    legend.draw(&mut canvas);
    Some(Figure::new("surface", "The decision surface", size, canvas, sentence(report, surface)))
}

fn keys(report: &Report<'_>) -> Vec<Key> {
    let classes = report.summary.classes.len();
    let mut keys: Vec<Key> = (0..if classes > IN_LEGEND { 0 } else { classes }).map(Key::Points).collect();
    // Of two classes the one whose probability is shown comes first.
    if !report.has_several_classes() {
        keys.reverse();
    }
    keys.extend(Some(Key::Ring).filter(|_| !report.suspects.is_empty()));
    keys
}

fn sentence(report: &Report<'_>, surface: &DecisionSurface) -> String {
    let rings = match report.suspects.len() {
        0 => "no label looks wrong".to_owned(),
        n => format!("{} ringed", count(n, "row whose label looks wrong is", "rows whose labels look wrong are")),
    };
    let thinned = match surface.points.len() {
        ..=MOST_POINTS => String::new(),
        n => format!(" (of {n} rows {MOST_POINTS} are drawn)"),
    };
    let (x, y) = (&surface.x.feature, &surface.y.feature);
    if report.has_several_classes() {
        return format!(
            "The most probable class over {x} and {y}: a stronger colour is a surer prediction, in five steps by which the \
             class is ahead of the next; points are the training rows{thinned}, {rings}."
        );
    }
    format!(
        "The probability of “{}” over {x} and {y}: the thick line is one half, thin lines are 0.1, 0.25, 0.75 and 0.9, a \
         stronger colour is a surer prediction; points are the training rows{thinned}, {rings}.",
        report.shown_class(),
    )
}

/// The place of a grid point by its indices, or of a point between.
pub(super) fn place(surface: &DecisionSurface, frame: &Frame, (i, j): (f64, f64)) -> (f64, f64) {
    let last = (surface.resolution - 1) as f64;
    let x = surface.x.low + (surface.x.high - surface.x.low) * i / last;
    let y = surface.y.low + (surface.y.high - surface.y.low) * j / last;
    frame.at(x, y)
}

/// Calls `draw` with the grid of the surface in the frame.
fn with_grid<R>(surface: &DecisionSurface, frame: &Frame, draw: impl FnOnce(&Grid<'_>) -> R) -> R {
    let place = |i: f64, j: f64| place(surface, frame, (i, j));
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
            let class = format!("veil {}", fill_of(usize::from(middle > 0.5)));
            canvas.veil(&filled_bands(grid, edge(k), high), &class, STRONGEST * (2.0 * middle - 1.0).abs());
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

fn points(canvas: &mut Canvas, report: &Report<'_>, surface: &DecisionSurface, frame: &Frame) {
    let radius = if surface.points.len() > MANY { 2.4 } else { 3.5 };
    let draw = |canvas: &mut Canvas, row: usize| {
        let point = &surface.points[row];
        class_marker(canvas, report.class_of_row[row], frame.at(point.x, point.y), radius);
    };
    for row in evenly(surface.points.len(), MOST_POINTS) {
        draw(canvas, row);
    }
    for &row in &report.suspects {
        if let Some(point) = surface.points.get(row) {
            draw(canvas, row);
            canvas.circle(frame.at(point.x, point.y), radius + 3.6, "ring");
        }
    }
}
