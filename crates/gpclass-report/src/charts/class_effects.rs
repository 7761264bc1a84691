//! Effects of single features on the probabilities of several classes, as small multiples.

use super::Figure;
use super::effects::{SIZE, along_axis, thinned, value_text};
use super::legend::{Key, Legend};
use crate::Report;
use crate::report::ClassEffect;
use crate::svg::{Anchor, AxisText, Canvas, Frame, Tone, band_path, class_marker, line_path, padded};
use crate::text::{percent, probability, shorten};
use gpclass::explain::{EffectPoint, EffectShape};

/// Bands of more classes than this are lighter, because they lie upon each other.
const FEW: usize = 4;
/// Whiskers and points side by side in one figure at most; of more, the points alone are drawn.
const ROOM_FOR_WHISKERS: usize = 60;
/// The axis of probabilities ends at a multiple of this.
const AXIS_STEP: f64 = 0.2;

/// One figure per feature.
pub(super) fn figure(report: &Report<'_>, index: usize, effects: &[ClassEffect]) -> Option<Figure> {
    let first = &effects.first()?.curve;
    let values = along_axis(first);
    let key = if values.is_some() { Key::Curve } else { Key::Points };
    let legend = Legend::new(SIZE.0, effects.iter().map(|effect| key(effect.class)), report);
    let size = (SIZE.0, SIZE.1 + legend.height());
    let range = values.as_ref().map_or((0.0, first.points.len() as f64), |v| padded(v.iter().copied(), 0.0));
    let frame = Frame::new(size, legend.margins(), range, (0.0, top(report)));
    let mut canvas = Canvas::default();
    legend.draw(&mut canvas);
    let name = shorten(&first.feature, 36);
    let axis = if values.is_some() { AxisText::Numbers(&name) } else { AxisText::Label(&name) };
    frame.draw(&mut canvas, axis, AxisText::Numbers("probability"));
    match values {
        Some(values) => smooth(&mut canvas, effects, &values, &frame),
        None => dots(&mut canvas, effects, &frame),
    }
    let head: Vec<&str> =
        std::iter::once("value").chain(effects.iter().map(|effect| report.class(effect.class))).collect();
    Some(
        Figure::new(&format!("effect-{}", index + 1), &first.feature, size, canvas, sentence(report, effects))
            .with_table(&head, rows(effects)),
    )
}

/// The upper end of the axis, the same for all features: many classes share what there is, and each gets little of it.
fn top(report: &Report<'_>) -> f64 {
    let points = report.effects.iter().flatten().flat_map(|effect| &effect.curve.points);
    let highest = points.map(|p| p.high).fold(0.0, f64::max);
    ((highest / AXIS_STEP).ceil() * AXIS_STEP).clamp(AXIS_STEP, 1.0)
}

fn smooth(canvas: &mut Canvas, effects: &[ClassEffect], values: &[f64], frame: &Frame) {
    let places = |effect: &ClassEffect, of: fn(&EffectPoint) -> f64| -> Vec<(f64, f64)> {
        effect.curve.points.iter().zip(values).map(|(p, &x)| frame.at(x, of(p))).collect()
    };
    let band = if effects.len() > FEW { "band faint" } else { "band" };
    for effect in effects {
        let outline = band_path(&places(effect, |p| p.high), &places(effect, |p| p.low));
        canvas.path(&outline, &format!("{band} {}", Tone::of_class(effect.class).fill));
    }
    for effect in effects {
        canvas.path(&line_path(&places(effect, |p| p.probability)), &Tone::of_class(effect.class).line());
    }
}

fn dots(canvas: &mut Canvas, effects: &[ClassEffect], frame: &Frame) {
    let points = &effects[0].curve.points;
    let letters = (48 / points.len()).clamp(2, 14);
    for (k, point) in points.iter().enumerate() {
        side_by_side(canvas, effects, k, (k as f64 + 0.1, k as f64 + 0.9), frame);
        let place = (frame.x.at(k as f64 + 0.5), frame.bottom() + 16.0);
        let name = shorten(&value_text(&effects[0].curve, &point.value), letters);
        canvas.text(place, Anchor::Middle, "small", &name);
    }
}

/// The probabilities of the classes at one value, spread over a range of the axis.
fn side_by_side(canvas: &mut Canvas, effects: &[ClassEffect], k: usize, (from, to): (f64, f64), frame: &Frame) {
    let total = effects.len() * effects[0].curve.points.len();
    for (c, effect) in effects.iter().enumerate() {
        let x = from + (to - from) * (c as f64 + 0.5) / effects.len() as f64;
        let point = &effect.curve.points[k];
        let width = (frame.x.at(to) - frame.x.at(from)) / effects.len() as f64;
        let (top, bottom) = (frame.at(x, point.probability), frame.at(x, 0.0));
        let style = format!("band {}", Tone::of_class(effect.class).fill);
        canvas.rect((top.0 - 0.5 * width, top.1), width, bottom.1 - top.1, &style);
        if total <= ROOM_FOR_WHISKERS {
            let style = format!("whisker {}", Tone::of_class(effect.class).stroke);
            canvas.line(frame.at(x, point.low), frame.at(x, point.high), &style);
        }
        let radius = if total <= ROOM_FOR_WHISKERS / 2 { 3.8 } else { 2.6 };
        class_marker(canvas, effect.class, frame.at(x, point.probability), radius);
    }
}

/// By how much a feature moves the probability of a class.
fn span(effect: &ClassEffect) -> f64 {
    let (low, high) = padded(effect.curve.points.iter().map(|p| p.probability), 0.0);
    high - low
}

fn sentence(report: &Report<'_>, effects: &[ClassEffect]) -> String {
    let most = effects.iter().max_by(|a, b| span(a).total_cmp(&span(b)));
    let Some(ClassEffect { class, curve }) = most.filter(|effect| effect.curve.points.len() > 1) else {
        return "This feature has a single value in the training rows.".to_owned();
    };
    let order = |a: &&EffectPoint, b: &&EffectPoint| a.probability.total_cmp(&b.probability);
    let at = |point: Option<&EffectPoint>| {
        point.map_or(String::new(), |p| format!("{} at {}", probability(p.probability), value_text(curve, &p.value)))
    };
    format!(
        "Moves “{}” most: from {} to {}; {}: {} credible.",
        report.class(*class),
        at(curve.points.iter().min_by(order)),
        at(curve.points.iter().max_by(order)),
        if curve.shape == EffectShape::Curve { "bands" } else { "lines" },
        percent(curve.level).replace(".0", "")
    )
}

/// A row per value, with the probabilities and bands of all classes.
fn rows(effects: &[ClassEffect]) -> Vec<Vec<String>> {
    let columns: Vec<Vec<&EffectPoint>> = effects.iter().map(|effect| thinned(&effect.curve).collect()).collect();
    let cell =
        |p: &EffectPoint| format!("{} ({} to {})", probability(p.probability), probability(p.low), probability(p.high));
    let row = |k: usize| {
        let value = value_text(&effects[0].curve, &columns[0][k].value);
        std::iter::once(value).chain(columns.iter().map(|column| cell(column[k]))).collect()
    };
    (0..columns[0].len()).map(row).collect()
}
