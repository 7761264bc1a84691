//! Effects of single features, as small multiples.

use super::{Figure, class_effects};
use crate::Report;
use crate::report::ClassEffect;
use crate::svg::{Anchor, AxisText, Canvas, Frame, Margins, band_path, line_path, padded};
use crate::text::{number, percent, probability, shorten};
use gpclass::explain::{EffectCurve, EffectPoint, EffectShape, FeatureValue};

/// Small, because several stand side by side.
pub(super) const SIZE: (f64, f64) = (360.0, 250.0);
/// Width of a bar, as a share of the room for it.
const THICKNESS: f64 = 0.62;
/// Points of a continuous curve in its table.
const TABLE_ROWS: usize = 9;

/// One figure per feature.
pub(crate) fn figures(report: &Report<'_>) -> Vec<Figure> {
    let has_points = |effects: &&Vec<ClassEffect>| effects.iter().any(|effect| !effect.curve.points.is_empty());
    let numbered = report.effects.iter().enumerate().filter(|(_, effects)| has_points(effects));
    let each = |(k, effects): (usize, &Vec<ClassEffect>)| match effects.as_slice() {
        [only] => Some(figure(report, k, &only.curve)),
        several => class_effects::figure(report, k, several),
    };
    numbered.filter_map(each).collect()
}

fn figure(report: &Report<'_>, index: usize, curve: &EffectCurve) -> Figure {
    let mut canvas = Canvas::default();
    let label = format!("probability of “{}”", shorten(report.shown_class(), 12));
    match along_axis(curve) {
        Some(values) => smooth(&mut canvas, curve, &values, &label),
        None => bars(&mut canvas, curve, &label),
    }
    let stem = format!("effect-{}", index + 1);
    let rows = thinned(curve).map(|p| {
        let band = format!("{} to {}", probability(p.low), probability(p.high));
        vec![value_text(curve, &p.value), probability(p.probability), band, number(p.latent.mean)]
    });
    let rows = rows.collect();
    Figure::new(&stem, &curve.feature, SIZE, canvas, sentence(curve))
        .with_table(&["value", "probability", "credible band", "latent mean"], rows)
}

/// The values of a curve along its axis; none where every value has a bar.
pub(super) fn along_axis(curve: &EffectCurve) -> Option<Vec<f64>> {
    match curve.shape {
        EffectShape::Bars => None,
        EffectShape::Curve => curve.points.iter().map(|point| position(&point.value)).collect(),
    }
}

fn position(value: &FeatureValue) -> Option<f64> {
    match value {
        FeatureValue::Number(number) => Some(*number),
        FeatureValue::Category(_) => None,
    }
}

/// A value as a reader needs it: numbers to a thousandth of the range that the curve covers.
pub(super) fn value_text(curve: &EffectCurve, value: &FeatureValue) -> String {
    let value = match value {
        FeatureValue::Category(name) => return name.clone(),
        FeatureValue::Number(value) => value,
    };
    let (low, high) = padded(curve.points.iter().filter_map(|p| position(&p.value)), 0.0);
    let unit = 10f64.powf(((high - low) / 1000.0).log10().ceil());
    number(if unit.is_finite() && unit > 0.0 { (value / unit).round() * unit + 0.0 } else { *value })
}

fn smooth(canvas: &mut Canvas, curve: &EffectCurve, values: &[f64], label: &str) {
    let frame = Frame::new(SIZE, Margins::AXES, padded(values.iter().copied(), 0.0), (0.0, 1.0));
    let name = shorten(&curve.feature, 36);
    frame.draw(canvas, AxisText::Numbers(&name), AxisText::Numbers(label));
    canvas.line(frame.at(frame.x.low, 0.5), frame.at(frame.x.high, 0.5), "guide");
    let places = |of: fn(&EffectPoint) -> f64| -> Vec<(f64, f64)> {
        curve.points.iter().zip(values).map(|(p, &x)| frame.at(x, of(p))).collect()
    };
    for one in &curve.individual {
        let line: Vec<(f64, f64)> = values.iter().zip(&one.probability).map(|(&x, &p)| frame.at(x, p)).collect();
        canvas.path(&line_path(&line), "single");
    }
    canvas.path(&band_path(&places(|p| p.high), &places(|p| p.low)), "band fill-main");
    canvas.path(&line_path(&places(|p| p.probability)), "line main");
}

fn bars(canvas: &mut Canvas, curve: &EffectCurve, label: &str) {
    let count = curve.points.len();
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, count as f64), (0.0, 1.0));
    frame.draw(canvas, AxisText::Label(&shorten(&curve.feature, 36)), AxisText::Numbers(label));
    canvas.line(frame.at(0.0, 0.5), frame.at(count as f64, 0.5), "guide");
    let letters = (48 / count).clamp(2, 14);
    for (k, point) in curve.points.iter().enumerate() {
        let x = k as f64 + 0.5;
        let (corner, end) = (frame.at(x - 0.5 * THICKNESS, point.probability), frame.at(x + 0.5 * THICKNESS, 0.0));
        canvas.rect(corner, end.0 - corner.0, end.1 - corner.1, "band fill-main");
        whisker(canvas, &frame, x, point);
        let place = (frame.x.at(x), frame.bottom() + 16.0);
        canvas.text(place, Anchor::Middle, "small", &shorten(&value_text(curve, &point.value), letters));
    }
}

fn whisker(canvas: &mut Canvas, frame: &Frame, x: f64, point: &EffectPoint) {
    canvas.line(frame.at(x, point.low), frame.at(x, point.high), "whisker main");
    canvas.circle(frame.at(x, point.probability), 4.5, "point fill-main");
}

fn sentence(curve: &EffectCurve) -> String {
    let order = |a: &&EffectPoint, b: &&EffectPoint| a.probability.total_cmp(&b.probability);
    match (curve.points.iter().min_by(order), curve.points.iter().max_by(order)) {
        (Some(low), Some(high)) if curve.points.len() > 1 => format!(
            "From {} at {} to {} at {}; {}: {} credible{}.",
            probability(low.probability),
            value_text(curve, &low.value),
            probability(high.probability),
            value_text(curve, &high.value),
            if curve.shape == EffectShape::Curve { "band" } else { "lines" },
            percent(curve.level).replace(".0", ""),
            if curve.shape == EffectShape::Curve && !curve.individual.is_empty() {
                "; thin lines: single rows"
            } else {
                ""
            }
        ),
        _ => "This feature has a single value in the training rows.".to_owned(),
    }
}

/// All bars, or some points of a curve evenly.
pub(super) fn thinned(curve: &EffectCurve) -> impl Iterator<Item = &EffectPoint> {
    let length = curve.points.len();
    let kept = if curve.shape == EffectShape::Bars { length } else { length.min(TABLE_ROWS) };
    (0..kept).map(move |k| &curve.points[if kept > 1 { k * (length - 1) / (kept - 1) } else { 0 }])
}
