//! Direct quasi-Newton ascent on any objective, inference warm-started from point to point.

use super::control::Control;
use super::quasi_newton::{Evaluated, Problem, QuasiNewtonOptions, Stop, minimise};
use super::space::Space;
use super::trace::{Stopwatch, Trace, TraceEntry};
use crate::inference::Method;
use crate::learn::{Approach, Course, LearnError, Learned, ManyRows};
use crate::model::{FittedModel, Model, Start, TrainingData};
use crate::objective::Objective;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Options of the direct driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DirectOptions {
    /// Limits and tolerances of the ascent.
    pub search: QuasiNewtonOptions,
    /// EP's tolerance while the gradient is steep; it follows the gradient down to `tight`.
    pub loose: f64,
    /// EP's tolerance near the optimum.
    pub tight: f64,
    /// Inference that failed to converge is still used below this residual; above it the step is shortened.
    pub usable_residual: f64,
}

impl Default for DirectOptions {
    fn default() -> Self {
        DirectOptions { search: QuasiNewtonOptions::default(), loose: 1e-3, tight: 1e-6, usable_residual: 1e-2 }
    }
}

/// Fixed points whose evidence differs by less than this, in nats, are one.
const SAME_FIXED_POINT: f64 = 1e-2;

/// What is climbed, and where.
pub(in crate::learn) struct Climb<'a> {
    pub label: &'a str,
    pub data: &'a Arc<TrainingData>,
    pub objective: Objective,
    pub space: &'a Space,
    pub options: &'a DirectOptions,
    pub control: &'a Control,
    /// Whether all rows are looked at in the search and after it.
    pub approach: Approach,
    pub many_rows: ManyRows,
    /// Of the choice of blocks.
    pub seed: u64,
}

impl Climb<'_> {
    /// What the objective is multiplied by, so that tolerances and priors mean the same for all: a criterion averaged over
    /// rows is climbed as a sum.
    pub(in crate::learn) fn scale(&self) -> f64 {
        match self.approach {
            Approach::Exact => self.scale_for(self.data.rows()),
            // The sum over blocks is scaled as it is made.
            Approach::Blocks | Approach::Sparse => 1.0,
        }
    }

    /// The same for some rows.
    pub(super) fn scale_for(&self, rows: usize) -> f64 {
        match self.objective {
            Objective::Evidence => 1.0,
            Objective::LeaveOneOut { .. } => rows as f64,
        }
    }

    /// Climbs from `model`. `start` comes from a similar model.
    pub fn run(&self, model: &Model, start: Option<Start>) -> Result<Learned, LearnError> {
        match self.approach {
            Approach::Exact => {}
            Approach::Blocks | Approach::Sparse => return self.by_blocks(model),
        }
        let mut ascent = Ascent {
            climb: self,
            model: model.clone(),
            start,
            last: None,
            tolerance: self.options.loose,
            trace: Trace { names: self.space.names(), entries: Vec::new() },
            inferences: 0,
            clock: Stopwatch::start(),
        };
        let x = self.space.read(model);
        let Some((value, gradient)) = ascent.evaluate(&x) else {
            return Err(self.control.no_start(self.label));
        };
        let start = Evaluated { x, value, gradient };
        let (end, stop) = minimise(&mut ascent, start, &self.space.bounds(), &self.options.search);
        ascent.finish(end, stop)
    }
}

/// What the trace and the next warm start need of a point.
struct Outline {
    x: Vec<f64>,
    start: Start,
    entry: TraceEntry,
}

struct Ascent<'a> {
    climb: &'a Climb<'a>,
    model: Model,
    /// What the last accepted point gives to start from.
    start: Option<Start>,
    /// The last point evaluated. Its matrices are not kept: the next evaluation needs the memory.
    last: Option<Outline>,
    tolerance: f64,
    trace: Trace,
    inferences: usize,
    clock: Stopwatch,
}

impl Ascent<'_> {
    /// Inference at a point with the tolerance of the moment, from the last accepted point or, failing that, afresh.
    fn infer(&mut self, x: &[f64], tolerance: f64) -> Option<FittedModel> {
        let mut model = self.model.clone();
        self.climb.space.write(&mut model, x);
        model.method = with_tolerance(&model.method, tolerance);
        for start in [self.start.as_ref(), None] {
            self.inferences += 1;
            if let Ok(fit) = model.infer_with(self.climb.data, start, self.climb.control.interrupt()) {
                let report = fit.report();
                let usable = !matches!(report.outcome, crate::inference::Outcome::NotConverged(_))
                    || report.residual <= self.climb.options.usable_residual;
                if usable && fit.log_evidence().is_finite() {
                    return Some(fit);
                }
            }
            if start.is_none() {
                break;
            }
        }
        None
    }

    fn outline(&self, fit: &FittedModel, x: &[f64], objective: f64) -> Outline {
        let values = self.climb.space.values(x);
        let entry = TraceEntry {
            inferences: self.inferences,
            ..TraceEntry::at(fit, objective, values, self.trace.entries.len(), self.clock.seconds())
        };
        Outline { x: x.to_vec(), start: fit.start(), entry }
    }

    fn finish(mut self, end: Evaluated, stop: Stop) -> Result<Learned, LearnError> {
        let mut model = self.model.clone();
        self.climb.space.write(&mut model, &end.x);
        // The last word at the method's own tolerance. It is not interrupted: without it there is no model.
        self.inferences += 1;
        let warm = model.infer(self.climb.data, self.start.as_ref())?;
        let (fit, other_fixed_point) = self.best_fixed_point(warm);
        let objective = self.climb.objective.value(&fit)?;
        let (log_prior, _) = self.climb.space.log_prior(&end.x);
        let course = Course {
            objective,
            log_prior,
            stop: self.climb.control.stop(stop),
            at_bounds: self.climb.space.at_bounds(&end.x),
            other_fixed_point,
            trace: self.trace,
            inferences: self.inferences,
            approach: Approach::Exact,
            unsettled: 0,
        };
        Ok(Learned { fitted: fit, course })
    }
}

impl Ascent<'_> {
    /// Where a likelihood has several peaks EP may have several fixed points: the one that a search carried along is compared
    /// with the one found afresh, and that of the higher evidence is kept. By how much the other is lower, if there is one.
    fn best_fixed_point(&mut self, warm: FittedModel) -> (FittedModel, Option<f64>) {
        let settled = |fit: &FittedModel| fit.report().outcome.converged();
        let unique = warm.model().likelihood.is_log_concave() || warm.binary().is_none() || !settled(&warm);
        if unique || self.start.is_none() || self.climb.control.interrupted() {
            return (warm, None);
        }
        self.inferences += 1;
        let cold = warm.model().infer_with(self.climb.data, None, self.climb.control.interrupt());
        let Some(cold) = cold.ok().filter(settled) else { return (warm, None) };
        let gap = (cold.log_evidence() - warm.log_evidence()).abs();
        if gap <= SAME_FIXED_POINT {
            return (warm, None);
        }
        (if cold.log_evidence() > warm.log_evidence() { cold } else { warm }, Some(gap))
    }
}

impl Problem for Ascent<'_> {
    fn evaluate(&mut self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let fit = self.infer(x, self.tolerance)?;
        let value = self.climb.objective.value(&fit).ok()?;
        let gradient = self.climb.objective.gradient(&fit).ok()?;
        let slopes = self.climb.space.gradient(fit.model(), &gradient);
        let (log_prior, prior_slopes) = self.climb.space.log_prior(x);
        let scale = self.climb.scale();
        let descent = slopes.iter().zip(prior_slopes).map(|(g, p)| -(scale * g + p)).collect();
        self.last = Some(self.outline(&fit, x, value));
        Some((-(scale * value + log_prior), descent))
    }

    fn accepted(&mut self, point: &Evaluated, slope: f64) -> bool {
        let options = self.climb.options;
        self.tolerance = (1e-2 * slope).clamp(options.tight, options.loose);
        // The accepted point is usually the last one evaluated; a line search may have gone on past it.
        let outline = match self.last.take().filter(|last| last.x == point.x) {
            Some(outline) => Some(outline),
            None => self.infer(&point.x, self.tolerance).map(|fit| {
                let value = self.climb.objective.value(&fit).unwrap_or(f64::NAN);
                self.outline(&fit, &point.x, value)
            }),
        };
        if let Some(Outline { start, entry, .. }) = outline {
            self.start = Some(start);
            self.climb.control.tell(self.climb.label, &entry);
            self.trace.entries.push(entry);
        }
        self.climb.control.interrupted()
    }
}

/// The method with another tolerance, where it iterates.
pub(in crate::learn) fn with_tolerance(method: &Method, tolerance: f64) -> Method {
    let mut method = method.clone();
    match &mut method {
        Method::Ep(options) => options.tolerance = options.tolerance.max(tolerance),
        Method::Laplace(_) | Method::LeastSquares(_) => (),
    }
    method
}
