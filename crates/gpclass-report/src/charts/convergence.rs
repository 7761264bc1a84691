//! The course of the search.

use super::{Figure, SIZE};
use crate::Report;
use crate::svg::{AxisText, Canvas, Frame, Margins, line_path, padded};
use crate::text::{count, number};
use gpclass::learn::TraceEntry;

/// Objective and evidence by iteration; one figure where they are the same number.
pub(crate) fn figures(report: &Report<'_>) -> Vec<Figure> {
    if report.summary.trace.entries.is_empty() {
        return Vec::new();
    }
    let scale = report.summary.trace.entries.iter().fold(1.0_f64, |m, e| m.max(e.log_evidence.abs()));
    let same = report.summary.trace.entries.iter().all(|e| (e.objective - e.log_evidence).abs() < 1e-9 * scale);
    let heading = if same { "Objective: log evidence (nats)" } else { "Log evidence (nats)" };
    let mut figures = vec![course(report, "convergence-evidence", heading, |e| e.log_evidence)];
    if !same {
        figures.insert(0, course(report, "convergence-objective", "Objective", |e| e.objective));
    }
    figures.push(course(report, "convergence-loss", "Left-out loss (nats per row)", |e| e.loo_nlp));
    figures
}

fn course(report: &Report<'_>, stem: &str, heading: &str, value: fn(&TraceEntry) -> f64) -> Figure {
    let values: Vec<f64> = report.summary.trace.entries.iter().map(value).collect();
    let last = values.len() - 1;
    let frame = Frame::new(SIZE, Margins::AXES, (0.0, last.max(1) as f64), padded(values.iter().copied(), 0.08));
    let mut canvas = Canvas::default();
    frame.draw(&mut canvas, AxisText::Numbers("iteration"), AxisText::Numbers(""));
    let finite = values.iter().enumerate().filter(|(_, v)| v.is_finite());
    let places: Vec<(f64, f64)> = finite.map(|(k, &v)| frame.at(k as f64, v)).collect();
    canvas.path(&line_path(&places), "line main");
    if let Some(&end) = places.last() {
        canvas.circle(end, 4.0, "point fill-main");
    }
    let sentence = format!(
        "From {} to {} in {}; a curve that has become flat shows that the search was finished.",
        number(values[0]),
        number(values[last]),
        count(last, "iteration", "iterations")
    );
    let rows = report
        .summary
        .trace
        .entries
        .iter()
        .zip(&values)
        .map(|(e, &v)| vec![e.iteration.to_string(), number(v)])
        .collect();
    Figure::new(stem, heading, SIZE, canvas, sentence).with_table(&["iteration", "value"], rows)
}
