//! One search, from the candidate's start to the point that becomes the model.

use super::alternate::{Alternate, Alternation};
use super::choice::Search;
use super::direct::Climb;
use super::prior::Departure;
use super::space::Space;
use crate::inference::InferenceError;
use crate::learn::{Approach, Control, Course, FitOptions, LearnError, Learned, PathChoice, Size};
use crate::model::{Model, ModelError, TrainingData};
use crate::objective::{Criterion, Objective};
use crate::param::Role;
use std::sync::Arc;

/// One search for the hyperparameters of one model.
pub(in crate::learn) struct Driver<'a> {
    pub data: &'a Arc<TrainingData>,
    pub options: &'a FitOptions,
    pub control: &'a Control,
    pub departure: Departure,
}

impl Driver<'_> {
    /// The end of the search, and the space that was searched.
    pub fn run(&self, label: &str, model: &Model) -> Result<(Learned, Space), LearnError> {
        let space = Space::new(model, self.data, &self.options.priors, self.departure)?;
        let learned = match self.options.search {
            Search::Direct => self.climb(label, &space, self.options.objective, model)?,
            Search::EmEp { label_error } => self.alternate(label, &space, Alternation::EmEp(label_error), model)?,
            Search::EpCv => {
                let criterion = match self.options.objective {
                    Objective::LeaveOneOut { criterion, .. } => criterion,
                    Objective::Evidence => Criterion::Nlp,
                };
                self.alternate(label, &space, Alternation::EpCv(criterion), model)?
            }
            Search::TwoStep { zeta } => self.two_step(label, &space, zeta, model)?,
        };
        Ok((self.on_path(learned, &space)?, space))
    }

    fn climb(&self, label: &str, space: &Space, objective: Objective, model: &Model) -> Result<Learned, LearnError> {
        let (data, options, control) = (self.data, &self.options.direct, self.control);
        let approach = Approach::of(self.options, &Size::of(data));
        let (many_rows, seed) = (self.options.many_rows, self.options.seed);
        let climb = Climb { label, data, objective, space, options, control, approach, many_rows, seed };
        climb.with_restarts(model, self.options.restarts, self.options.seed)
    }

    fn alternate(&self, label: &str, space: &Space, kind: Alternation, model: &Model) -> Result<Learned, LearnError> {
        let (data, options, control) = (self.data, self.options, self.control);
        Alternate { label, data, space, options, control, kind }.run(model)
    }

    fn two_step(&self, label: &str, space: &Space, zeta: f64, model: &Model) -> Result<Learned, LearnError> {
        let bias = space.restricted(|role| role == Role::Shift);
        if bias.is_empty() {
            return Err(LearnError::NoBias { likelihood: model.likelihood.name() });
        }
        let first = self.climb(label, space, Objective::leave_one_out(Criterion::Nlp), model)?;
        let f_measure = Objective::leave_one_out(Criterion::FMeasure { zeta });
        let (data, options, control) = (self.data, &self.options.direct, self.control);
        let climb = Climb {
            label,
            data,
            objective: f_measure,
            space: &bias,
            options,
            control,
            approach: Approach::Exact,
            many_rows: self.options.many_rows,
            seed: self.options.seed,
        };
        let Learned { fitted, course } = climb.run(first.fitted.model(), None)?;
        let inferences = first.course.inferences + course.inferences;
        let trace = first.course.trace.followed_by(course.trace);
        Ok(Learned { fitted, course: Course { inferences, trace, ..course } })
    }

    /// Predictive ARD: goes back to the point of the search that predicts left-out rows best.
    fn on_path(&self, learned: Learned, space: &Space) -> Result<Learned, LearnError> {
        let entries = &learned.course.trace.entries;
        let better = |a: &usize, b: &usize| {
            let (a, b) = (&entries[*a], &entries[*b]);
            match self.options.path {
                PathChoice::End => std::cmp::Ordering::Equal,
                PathChoice::LooError => {
                    a.loo_error.total_cmp(&b.loo_error).then(b.log_evidence.total_cmp(&a.log_evidence))
                }
                PathChoice::LooNlp => a.loo_nlp.total_cmp(&b.loo_nlp),
            }
        };
        let best = (0..entries.len()).min_by(better).filter(|_| self.options.path != PathChoice::End);
        let Some(entry) = best.map(|i| &entries[i]).filter(|entry| entry.values.len() == space.len()) else {
            return Ok(learned);
        };
        let mut model = learned.fitted.model().clone();
        space.write_values(&mut model, &entry.values);
        let fit = match model.infer_with(self.data, Some(&learned.fitted.start()), self.control.interrupt()) {
            Err(ModelError::Inference(InferenceError::Interrupted)) => return Ok(learned),
            fit => fit?,
        };
        let objective = self.options.objective.value(&fit)?;
        let (log_prior, _) = space.log_prior(&space.read(&model));
        let inferences = learned.course.inferences + 1;
        Ok(Learned { fitted: fit, course: Course { objective, log_prior, inferences, ..learned.course } })
    }
}
