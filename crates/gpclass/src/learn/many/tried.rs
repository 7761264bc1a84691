//! One candidate learned from blocks, and what became of it.

use crate::learn::choose::{Candidate, Contender, Scoring};
use crate::learn::journal::{PosteriorPiece, SearchPiece};
use crate::learn::search::{Climb, Design, LeftOut};
use crate::learn::{Approach, Control, Course, FitOptions, LearnError, Learned, Size, Space, Stop};
use crate::model::{Model, ModelError, TrainingData};
use crate::param::{Param, Role};
use std::sync::Arc;

/// Rows around each one that judges, at most.
const NEIGHBOURS: usize = 64;

/// A label error under which EP does not settle is raised by this factor, this often, to no more than `MOST_RAISED`.
const RAISE: f64 = 5.0;
const RAISES: usize = 3;
const MOST_RAISED: f64 = 0.05;

/// How candidates are tried.
pub(super) struct Trying<'a> {
    pub options: &'a FitOptions,
    pub control: &'a Control,
    /// The rows that judge.
    pub rows: Vec<usize>,
}

/// A candidate at values learned from blocks of one design.
pub(super) struct Tried {
    /// At these values.
    pub candidate: Candidate,
    pub design: Design,
    /// How the rows around them predict the rows that judge.
    pub judged: LeftOut,
    data: Arc<TrainingData>,
    space: Space,
    course: Course,
}

impl Tried {
    /// Whether it differs from a candidate in the likelihood at most.
    pub fn is_like(&self, other: &Candidate) -> bool {
        self.candidate.view == other.view
            && self.candidate.departure == other.departure
            && self.candidate.model.kernel.describe() == other.model.kernel.describe()
    }
}

impl Trying<'_> {
    /// Learns a candidate from blocks of a design, from its start or another.
    pub fn one(
        &self,
        mut candidate: Candidate,
        data: &Arc<TrainingData>,
        design: Design,
        attempt: usize,
    ) -> Result<Tried, LearnError> {
        let space = Space::new(&candidate.model, data, &self.options.priors, candidate.departure)?;
        let piece = format!("{design:?} search {attempt} of {}", candidate.name);
        let journal = self.control.journal.as_deref();
        if let Some(known) = journal.and_then(|journal| journal.recall::<SearchPiece>(&piece)) {
            let judged = known.judged();
            let SearchPiece { model, design, course, .. } = known;
            let candidate = Candidate { model, ..candidate };
            return Ok(Tried { candidate, design, judged, data: Arc::clone(data), space, course });
        }
        let climb = self.climb(&candidate.name, data, &space);
        let start = climb.scattered(&candidate.model, attempt, self.options.seed);
        let (model, mut course) = climb.learn_from(&start, design)?;
        if course.stop == Stop::IterationLimit {
            course.stop = Stop::Refined;
        }
        candidate.model = model;
        let predicted = candidate.model.locally_left_out(data, &self.rows, NEIGHBOURS, self.control.interrupt());
        let predicted = match predicted {
            Err(ModelError::Inference(crate::inference::InferenceError::Interrupted)) => {
                return Err(LearnError::Interrupted);
            }
            predicted => predicted?,
        };
        let (labels, weights) = (data.labels(), data.weights());
        let labels: Vec<_> = self.rows.iter().map(|&row| labels[row]).collect();
        let weights = weights.map(|weights| self.rows.iter().map(|&row| weights[row]).collect::<Vec<f64>>());
        let judged = LeftOut::of_predictions(&predicted, &labels, weights.as_deref());
        if let Some(journal) = journal.filter(|_| !self.control.interrupted()) {
            journal.note(&piece, &SearchPiece::new(&candidate.model, design, &course, &judged));
        }
        Ok(Tried { candidate, design, judged, data: Arc::clone(data), space, course })
    }

    /// With the posterior of all rows. Many equal rows of contrary labels keep EP from settling where wrong labels are taken
    /// to be rare: a larger label error, which so many rows contradict little, then lets it.
    pub fn on_all(&self, tried: &Tried) -> Result<Contender, LearnError> {
        let Tried { candidate, data, .. } = tried;
        let piece = format!("posterior of {}", candidate.name);
        let journal = self.control.journal.as_deref();
        let known = journal.and_then(|journal| journal.recall::<PosteriorPiece>(&piece)?.learned(data));
        let learned = match known {
            Some(known) => known,
            None => {
                let learned = self.learned(tried)?;
                let noted = journal.and_then(|journal| Some((journal, PosteriorPiece::new(&learned)?)));
                noted.into_iter().for_each(|(journal, posterior)| journal.note(&piece, &posterior));
                learned
            }
        };
        Ok(self.contender(tried, learned))
    }

    fn learned(&self, tried: &Tried) -> Result<Learned, LearnError> {
        let Tried { candidate, data, space, course, .. } = tried;
        let climb = self.climb(&candidate.name, data, space);
        let mut model = candidate.model.clone();
        let mut learned = climb.learned(&model, course.clone())?;
        for _ in 0..RAISES {
            if learned.fitted.report().outcome.converged() || !raise_label_error(&mut model) {
                break;
            }
            let next = climb.learned(&model, course.clone())?;
            if next.fitted.report().residual < learned.fitted.report().residual {
                learned = next;
            }
        }
        Ok(learned)
    }

    /// With the posterior of the rows that judged it.
    pub fn on_judging(&self, tried: &Tried) -> Result<Contender, LearnError> {
        let Tried { candidate, data, course, judged, .. } = tried;
        let rows = Arc::new(data.with_rows(&self.rows).with_view(data.view().clone())?);
        let learned = Learned { fitted: candidate.model.infer(&rows, None)?, course: course.clone() };
        Ok(self.contender(tried, learned).judged_by(judged.clone()))
    }

    fn contender(&self, tried: &Tried, learned: Learned) -> Contender {
        let Tried { candidate, space, .. } = tried;
        Contender::new(candidate, learned, space, self.options.objective, Scoring::LeftOut, self.control)
    }

    fn climb<'a>(&'a self, label: &'a str, data: &'a Arc<TrainingData>, space: &'a Space) -> Climb<'a> {
        let FitOptions { objective, direct, many_rows, seed, .. } = self.options;
        let approach = Approach::of(self.options, &Size::of(data));
        let (objective, many_rows, seed) = (*objective, *many_rows, *seed);
        Climb { label, data, objective, space, options: direct, control: self.control, approach, many_rows, seed }
    }
}

/// Raises the label error of a model; false where it has none that may be raised.
fn raise_label_error(model: &mut Model) -> bool {
    let raised = |p: &Param| match p.role {
        Role::LabelError(_) if !p.fixed && p.value > 0.0 && p.value < MOST_RAISED => (RAISE * p.value).min(MOST_RAISED),
        _ => p.value,
    };
    let params = model.likelihood.params();
    let values: Vec<f64> = params.iter().map(raised).collect();
    model.likelihood.set_values(&values);
    params.iter().zip(&values).any(|(param, value)| param.value != *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;

    #[test]
    fn a_label_error_is_raised_within_reason_and_never_one_that_was_given() {
        let of = |likelihood: Likelihood| Model::new(Kernel::matern32(1.0, Scales::Single(1.0)), likelihood);
        let mut model = of(Likelihood::robust(0.002).unwrap());
        let mut seen = Vec::new();
        while raise_label_error(&mut model) {
            seen.push(model.likelihood.eps());
        }
        assert!(seen.len() == 2 && (seen[0] - 0.01).abs() < 1e-12 && seen[1] == MOST_RAISED, "{seen:?}");
        assert!(!raise_label_error(&mut of(Likelihood::probit())));
        let mut given = of(Likelihood::robust(0.002).unwrap());
        given.likelihood.set_fixed("eps", true).unwrap();
        assert!(!raise_label_error(&mut given) && given.likelihood.eps() == 0.002);
    }
}
