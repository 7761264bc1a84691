//! The published alternations: inference, then hyperparameters moved with its outcome held fixed.
//!
//! EM-EP (EMEP section 4, ROBUST section 4) holds the posterior and climbs the variational bound; EP-CV (EPCV section 4)
//! holds the sites and takes one line search on a leave-one-out criterion.

use super::direct::with_tolerance;
use super::quasi_newton::{Evaluated, Problem, QuasiNewtonOptions, Stop, minimise};
use super::space::Space;
use super::trace::{Stopwatch, Trace, TraceEntry};
use crate::learn::{Approach, Control, Course, FitOptions, LearnError, Learned};
use crate::model::{FittedModel, Model, Start, TrainingData};
use crate::objective::{Bound, Criterion, LooGradient, Objective, eps_by_count, eps_by_posterior};
use crate::param::{Role, Whose};
use crate::posterior::Sites;
use serde::Deserialize;
use std::sync::Arc;

/// How EM-EP updates the label error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelErrorUpdate {
    /// The share of training rows on the wrong side (EMEP).
    Count,
    /// The expected share of rows on the wrong side (ROBUST 20).
    Posterior,
    /// By the gradient of the bound, with the other parameters.
    Gradient,
}

/// Which alternation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Alternation {
    EmEp(LabelErrorUpdate),
    EpCv(Criterion),
}

/// Quasi-Newton iterations of one M-step of EM-EP. EP-CV takes one line search.
const EM_ITERATIONS: usize = 5;
/// Inference is as exact as this in every E-step.
const E_STEP_TOLERANCE: f64 = 1e-6;

/// What the papers' updates of the label error are for; those of single classes follow the gradient.
const SHARED_ERROR: Role = Role::LabelError(Whose::All);

/// One run of an alternation.
pub(super) struct Alternate<'a> {
    pub label: &'a str,
    pub data: &'a Arc<TrainingData>,
    pub space: &'a Space,
    pub options: &'a FitOptions,
    pub control: &'a Control,
    pub kind: Alternation,
}

impl Alternate<'_> {
    /// Alternates from `model` until the objective stops changing; the best point is kept.
    pub fn run(&self, model: &Model) -> Result<Learned, LearnError> {
        let clock = Stopwatch::start();
        let search = &self.options.direct.search;
        let mut model = model.clone();
        let mut start: Option<Start> = None;
        let mut best: Option<(f64, Model, Start)> = None;
        let mut trace = Trace { names: self.space.names(), entries: Vec::new() };
        let mut stop = Stop::IterationLimit;
        let mut last = f64::NEG_INFINITY;
        let mut small_gains = 0;
        for _ in 0..search.max_iterations {
            let Ok(fit) = self.expect(&model, start.as_ref()) else {
                stop = self.control.stop(Stop::LineSearch);
                break;
            };
            let value = self.objective().value(&fit)?;
            let x = self.space.read(&model);
            let entry = TraceEntry::at(&fit, value, self.space.values(&x), trace.entries.len(), clock.seconds());
            self.control.tell(self.label, &entry);
            trace.entries.push(entry);
            let own = fit.start();
            if best.as_ref().is_none_or(|(b, ..)| value > *b) {
                best = Some((value, model.clone(), own.clone()));
            }
            small_gains =
                if (value - last).abs() <= search.value_tolerance * (1.0 + value.abs()) { small_gains + 1 } else { 0 };
            last = value;
            if self.control.interrupted() {
                stop = self.control.stop(Stop::Interrupted);
                break;
            }
            if small_gains == 2 {
                stop = Stop::Value;
                break;
            }
            start = Some(own);
            model = self.maximise(&fit)?;
        }
        self.learned(best, stop, trace)
    }

    /// What the trace follows and the best point is judged by.
    fn objective(&self) -> Objective {
        match self.kind {
            Alternation::EmEp(_) => Objective::Evidence,
            Alternation::EpCv(criterion) => Objective::LeaveOneOut { criterion, gradient: LooGradient::FixedSites },
        }
    }

    /// The E-step.
    fn expect(&self, model: &Model, start: Option<&Start>) -> Result<FittedModel, LearnError> {
        let method = with_tolerance(&model.method, E_STEP_TOLERANCE);
        Ok(Model { method, ..model.clone() }.infer_with(self.data, start, self.control.interrupt())?)
    }

    /// The M-step.
    fn maximise(&self, fit: &FittedModel) -> Result<Model, LearnError> {
        let mut model = fit.model().clone();
        let closed_form = match self.kind {
            Alternation::EmEp(LabelErrorUpdate::Count) => Some(eps_by_count(fit)),
            Alternation::EmEp(LabelErrorUpdate::Posterior) => Some(eps_by_posterior(fit)),
            _ => None,
        };
        let space = match closed_form {
            Some(eps) => {
                self.set_label_error(&mut model, eps);
                self.space.restricted(|role| role != SHARED_ERROR)
            }
            None => self.space.clone(),
        };
        let held = match self.kind {
            Alternation::EmEp(_) => Held::Posterior(Box::new(Bound::new(fit)?)),
            Alternation::EpCv(_) => Held::Sites(fit.two_classes()?.posterior.sites().clone()),
        };
        let iterations = if matches!(held, Held::Sites(_)) { 1 } else { EM_ITERATIONS };
        let search = QuasiNewtonOptions { max_iterations: iterations, ..self.options.direct.search.clone() };
        let mut step = MStep { alternate: self, space: &space, model: model.clone(), held };
        let x = space.read(&model);
        if let Some((value, gradient)) = step.evaluate(&x) {
            let (end, _) = minimise(&mut step, Evaluated { x, value, gradient }, &space.bounds(), &search);
            space.write(&mut model, &end.x);
        }
        Ok(model)
    }

    fn set_label_error(&self, model: &mut Model, eps: f64) {
        let only = self.space.restricted(|role| role == SHARED_ERROR);
        if !only.is_empty() {
            // Reading clamps to the bounds.
            only.write_values(model, &[eps.clamp(1e-300, 0.499)]);
            let x = only.read(model);
            only.write(model, &x);
        }
    }

    fn learned(&self, best: Option<(f64, Model, Start)>, stop: Stop, trace: Trace) -> Result<Learned, LearnError> {
        let (_, model, start) = best.ok_or_else(|| self.control.no_start(self.label))?;
        let method = self.options.method.clone();
        let fit = Model { method, ..model }.infer(self.data, Some(&start))?;
        let x = self.space.read(fit.model());
        let course = Course {
            objective: self.objective().value(&fit)?,
            log_prior: self.space.log_prior(&x).0,
            stop,
            at_bounds: self.space.at_bounds(&x),
            other_fixed_point: None,
            inferences: trace.entries.len() + 1,
            trace,
            approach: Approach::Exact,
            unsettled: 0,
        };
        Ok(Learned { fitted: fit, course })
    }
}

/// What the E-step leaves fixed.
enum Held {
    Posterior(Box<Bound>),
    Sites(Sites),
}

struct MStep<'a> {
    alternate: &'a Alternate<'a>,
    space: &'a Space,
    model: Model,
    held: Held,
}

impl Problem for MStep<'_> {
    fn evaluate(&mut self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        if self.alternate.control.interrupted() {
            return None;
        }
        let mut model = self.model.clone();
        self.space.write(&mut model, x);
        let (value, gradient, scale) = match &self.held {
            Held::Posterior(bound) => {
                let (value, gradient) = bound.value_and_gradient(&model.kernel, &model.likelihood).ok()?;
                (value, gradient, 1.0)
            }
            Held::Sites(sites) => {
                let fit = model.at_sites(self.alternate.data, sites).ok()?;
                let objective = self.alternate.objective();
                let scale = self.alternate.data.rows() as f64;
                (objective.value(&fit).ok()?, objective.gradient(&fit).ok()?, scale)
            }
        };
        let (log_prior, prior_slopes) = self.space.log_prior(x);
        let slopes = self.space.gradient(&model, &gradient);
        let descent = slopes.iter().zip(prior_slopes).map(|(g, p)| -(scale * g + p)).collect();
        Some((-(scale * value + log_prior), descent))
    }

    fn accepted(&mut self, _: &Evaluated, _: f64) -> bool {
        self.alternate.control.interrupted()
    }
}
