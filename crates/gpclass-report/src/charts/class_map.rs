//! The plane of two features coloured by the most probable of several classes.

use crate::Report;
use crate::svg::{Anchor, Canvas, Fields, Frame, fill_of};
use crate::text::shorten;
use gpclass::data::Class;
use gpclass::explain::DecisionSurface;
use gpclass::model::Probabilities;

/// By how much a class leads where its colour becomes stronger.
const LEADS: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];
/// Opacity of each layer. They lie upon each other, so that the strongest colour lets about 0.4 of the paper through.
const LAYER: f64 = 0.17;
/// From this many classes on regions bear their names, because colours alone are hard to keep in mind.
const NAMED: usize = 7;
/// Characters of a name in its region, and the width of one.
const NAME_LENGTH: usize = 12;
const LETTER: f64 = 7.8;

/// Calls `draw` with the probabilities as fields in the frame.
fn with_fields<R>(
    surface: &DecisionSurface,
    probability: &Probabilities,
    frame: &Frame,
    draw: impl FnOnce(&Fields<'_>) -> R,
) -> R {
    let place = |i: f64, j: f64| super::surface::place(surface, frame, (i, j));
    let classes: Vec<Class> = probability.classes().collect();
    let value = |point: usize, class: usize| probability.at(point, classes[class]);
    let side = surface.resolution;
    draw(&Fields { columns: side, rows: side, fields: classes.len(), value: &value, place: &place })
}

/// Every region in the colour of its class, stronger where the class leads by more.
pub(super) fn shade(canvas: &mut Canvas, surface: &DecisionSurface, probability: &Probabilities, frame: &Frame) {
    with_fields(surface, probability, frame, |fields| {
        for (class, lead) in (0..fields.fields).flat_map(|class| LEADS.map(|lead| (class, lead))) {
            canvas.veil(&fields.area(class, lead), &format!("veil {}", fill_of(class)), LAYER);
        }
    });
}

/// The lines at which the most probable class changes.
pub(super) fn borders(canvas: &mut Canvas, surface: &DecisionSurface, probability: &Probabilities, frame: &Frame) {
    with_fields(surface, probability, frame, |fields| canvas.path(&fields.borders(), "border"));
}

/// The names of many classes, each in the middle of its region.
pub(super) fn names(canvas: &mut Canvas, report: &Report<'_>, probability: &Probabilities, frame: &Frame) {
    let Some(surface) = report.surface.as_ref().filter(|_| report.summary.classes.len() >= NAMED) else { return };
    with_fields(surface, probability, frame, |fields| {
        for (class, middle) in fields.middles().into_iter().enumerate() {
            if let Some((i, j)) = middle {
                let name = shorten(report.class(class), NAME_LENGTH);
                let half = 0.5 * LETTER * name.chars().count() as f64;
                let (x, y) = (fields.place)(i as f64, j as f64);
                let x = x.max(frame.left() + half).min(frame.right() - half);
                canvas.text((x, y + 4.5), Anchor::Middle, "label", &name);
            }
        }
    });
}
