//! Restarts: the same climb from seeded starting points, the best end kept.

use super::direct::Climb;
use crate::learn::{Course, LearnError, Learned};
use crate::model::Model;
use gpclass_linalg::map_tasks;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Standard deviation of a restart about the first start, in unconstrained coordinates.
const SCATTER: f64 = 1.5;

impl Climb<'_> {
    /// Climbs from `model` and from `restarts` scattered starts. The first start is always among them, so more restarts
    /// never end lower.
    pub fn with_restarts(&self, model: &Model, restarts: usize, seed: u64) -> Result<Learned, LearnError> {
        // A caller who is waiting for the end wants no further starts.
        let wanted = |attempt: usize| attempt == 0 || !self.control.interrupted();
        let ends = map_tasks(restarts + 1, |attempt| {
            wanted(attempt).then(|| self.run(&self.scattered(model, attempt, seed), None))
        });
        let mut best: Option<Learned> = None;
        let mut first_error = None;
        let mut inferences = 0;
        for end in ends.into_iter().flatten() {
            match end {
                Ok(end) => {
                    inferences += end.course.inferences;
                    if best.as_ref().is_none_or(|b| self.goal(&end) > self.goal(b)) {
                        best = Some(end);
                    }
                }
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match (best, first_error) {
            (Some(best), _) => Ok(Learned { course: Course { inferences, ..best.course }, ..best }),
            (None, error) => Err(error.unwrap_or_else(|| self.control.no_start(self.label))),
        }
    }

    /// What the search maximised: objective and prior together.
    fn goal(&self, end: &Learned) -> f64 {
        self.scale() * end.course.objective + end.course.log_prior
    }

    /// The start of an attempt: the first is the model as it is.
    pub fn scattered(&self, model: &Model, attempt: usize, seed: u64) -> Model {
        let mut model = model.clone();
        if attempt > 0 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(attempt as u64);
            let bounds = self.space.bounds();
            let mut x = self.space.read(&model);
            for (i, x) in x.iter_mut().enumerate() {
                let step: f64 = StandardNormal.sample(&mut rng);
                *x = (*x + SCATTER * step).clamp(bounds.lower[i], bounds.upper[i]);
            }
            self.space.write(&mut model, &x);
        }
        model
    }
}
