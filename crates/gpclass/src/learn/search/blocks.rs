//! Learning from blocks of rows: the sum of the objective over a few blocks, each inferred exactly, whose cost does not depend on
//! how many rows there are (scale 1). Blocks of rows near each other tell short lengthscales, those drawn from everywhere tell
//! long ones.

use super::direct::{Climb, with_tolerance};
use super::quasi_newton::{Evaluated, Problem, Stop, minimise};
use super::trace::{Stopwatch, Trace, TraceEntry, loo_summary};
use crate::data::{Class, Targets};
use crate::inference::Outcome;
use crate::interrupt::Interrupt;
use crate::kernel::{Kernel, Scales};
use crate::learn::many::{Purpose, drawn};
use crate::learn::{Approach, Course, LearnError, Learned, elsewhere};
use crate::model::{FittedModel, Model, ModelError, Start, TrainingData};
use crate::prior::{Inducing, choose_inducing};
use gpclass_linalg::map_tasks;
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many blocks of two classes there are at most, and the rows of one (scale 2). By how the 64 rows around each of 2,000 training rows
/// predict these with Matérn 3/2, of two tables (magic and letter): NLP .291 and .062 from six blocks of 350 rows, .283 and .062
/// from twelve, .284 and .058 from sixteen; .289 and .059 from six of 600, .284 and .060 from ten of 500.
const BLOCKS: usize = 16;
const ROWS: usize = 350;
/// How many there are at least, and of more classes, each of which is inferred.
const FEWEST_BLOCKS: usize = 6;
/// How often a row is in a block, on average and at most.
const COPIES: usize = 4;

/// Which rows make a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::learn) enum Design {
    /// Rows near each other.
    Near,
    /// The same for one half of the blocks; the other half are drawn from everywhere.
    Mixed,
}

impl Design {
    pub const ALL: [Design; 2] = [Design::Near, Design::Mixed];

    /// How many of so many blocks are of rows near each other.
    fn near_blocks(self, blocks: usize) -> usize {
        match self {
            Design::Near => blocks,
            Design::Mixed => blocks / 2,
        }
    }

    /// Blocks of the rows, the same for the same seed; `metric` says which rows are near each other.
    fn blocks(self, data: &TrainingData, metric: &Kernel, seed: u64) -> Result<Vec<Arc<TrainingData>>, ModelError> {
        let (n, inputs) = (data.rows(), data.inputs());
        let size = ROWS.min(n);
        let most = if data.targets().count() == 2 { BLOCKS } else { FEWEST_BLOCKS };
        let count = (COPIES * n / ROWS).clamp(FEWEST_BLOCKS, most);
        let near = self.near_blocks(count);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let centres = centres(data, near, &mut rng);
        let mut all = metric.nearest(inputs, &inputs.select_rows(&centres), size, |_| None);
        all.extend((near..count).map(|_| sample(&mut rng, n, size).into_vec()));
        all.into_iter().map(|rows| part(data, rows)).collect()
    }
}

/// Rows of every class in turn, so that blocks around them are of more than the most frequent class.
fn centres(data: &TrainingData, count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let classes: Vec<Class> = Class::first(data.targets().count()).collect();
    let of_class = |class: Class| (0..data.rows()).filter(|&row| data.labels()[row] == class).collect::<Vec<_>>();
    let members: Vec<Vec<usize>> = classes.into_iter().map(of_class).filter(|rows| !rows.is_empty()).collect();
    (0..count).map(|k| &members[k % members.len()]).map(|rows| rows[sample(rng, rows.len(), 1).index(0)]).collect()
}

/// A metric in which all features are alike.
fn even(data: &TrainingData) -> Kernel {
    Kernel::squared_exponential(1.0, Scales::Single(1.0 / data.inputs().features().len().max(1) as f64))
}

/// Some rows as they are seen, in their order.
fn part(data: &TrainingData, mut rows: Vec<usize>) -> Result<Arc<TrainingData>, ModelError> {
    rows.sort_unstable();
    let classes = rows.iter().map(|&row| data.labels()[row]).collect();
    let weights = data.weights().map(|weights| rows.iter().map(|&row| weights[row]).collect());
    let targets = Targets::new(classes, data.targets().count()).ok_or(ModelError::NoRows)?;
    Ok(Arc::new(TrainingData::weighted(data.inputs().select_rows(&rows), targets, weights)?))
}

impl Climb<'_> {
    /// Climbs the sum over blocks from `model`; the posterior at the end is that of all rows. Candidates that are compared by
    /// the sum see the same blocks.
    pub(super) fn by_blocks(&self, model: &Model) -> Result<Learned, LearnError> {
        let (model, course) = self.through(model, Design::Mixed.blocks(self.data, &even(self.data), self.seed)?)?;
        self.learned(&model, course)
    }

    /// The values that the sum over blocks of a design is largest at, of which the near ones are near with all features alike
    /// at first, and then as the values found so see them.
    pub fn learn_from(&self, model: &Model, design: Design) -> Result<(Model, Course), LearnError> {
        let (found, first) = self.through(model, design.blocks(self.data, &even(self.data), self.seed)?)?;
        if self.control.interrupted() {
            return Ok((found, first));
        }
        let blocks = design.blocks(self.data, found.kernel.of_class(0), self.seed)?;
        match self.through(&found, blocks) {
            Ok((model, last)) => {
                let inferences = first.inferences + last.inferences;
                Ok((model, Course { inferences, trace: first.trace.followed_by(last.trace), ..last }))
            }
            // Blocks on which inference fails leave the values as they are.
            Err(LearnError::Start { .. } | LearnError::Interrupted) => Ok((found, first)),
            Err(error) => Err(error),
        }
    }

    /// Climbs the sum over these blocks.
    fn through(&self, model: &Model, blocks: Vec<Arc<TrainingData>>) -> Result<(Model, Course), LearnError> {
        let mut ascent = Ascent {
            climb: self,
            model: model.clone(),
            starts: vec![None; blocks.len()],
            blocks,
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
        Ok(ascent.finish(end, stop))
    }

    /// A model at learned values with the posterior of all rows; with inducing rows every row is refined as it is left out. It
    /// is not interrupted: without it there is no model.
    pub fn learned(&self, model: &Model, course: Course) -> Result<Learned, LearnError> {
        let course = Course { inferences: course.inferences + 1, ..course };
        match self.approach {
            Approach::Exact | Approach::Blocks => Ok(Learned { fitted: model.infer(self.data, None)?, course }),
            Approach::Sparse => {
                let (kernel, inputs, interrupt) = (model.kernel.of_class(0), self.data.inputs(), Interrupt::default());
                let count = self.many_rows.inducing_rows(self.data.rows());
                let chosen = choose_inducing(kernel, inputs, count, interrupt).map_err(|_| LearnError::Interrupted)?;
                let inducing = Inducing::of_training(inputs, chosen);
                let (many, data) = (&self.many_rows, self.data);
                let fitted = match (self.control.elsewhere.as_deref(), many.inferred_rows(data.rows())) {
                    (Some(others), _) => elsewhere::infer(model, data, &inducing, many.refinement(), others)?,
                    (None, None) => model.infer_sparse(data, &inducing, many.refinement(), None, interrupt)?,
                    (None, Some(count)) => {
                        let rows = drawn(data, count, Purpose::Inferring, self.seed);
                        model.infer_sparse_from(&rows, data, &inducing, many.refinement(), interrupt)?
                    }
                };
                let told = |done: usize, of: usize| self.control.progress("rows left out", done, of);
                let (fitted, unsettled) = fitted.with_refined_left_out(&told, interrupt)?;
                Ok(Learned { fitted, course: Course { unsettled, ..course } })
            }
        }
    }
}

struct Ascent<'a> {
    climb: &'a Climb<'a>,
    model: Model,
    blocks: Vec<Arc<TrainingData>>,
    /// What the last accepted point gives each block to start from.
    starts: Vec<Option<Start>>,
    last: Option<Outline>,
    tolerance: f64,
    trace: Trace,
    inferences: usize,
    clock: Stopwatch,
}

/// What the trace and the next warm start need of a point.
struct Outline {
    x: Vec<f64>,
    starts: Vec<Option<Start>>,
    entry: TraceEntry,
}

/// What one block says of a point.
struct Said {
    value: f64,
    slopes: Vec<f64>,
    log_evidence: f64,
    /// Shares of rows that are left out wrongly and their mean negative log-probability, times the rows.
    left_out: (f64, f64),
    start: Start,
}

impl Ascent<'_> {
    /// One block at a point, from the last accepted point or, failing that, afresh.
    fn ask(&self, model: &Model, block: usize) -> Option<Said> {
        let (climb, data) = (self.climb, &self.blocks[block]);
        let usable = |fit: &FittedModel| {
            let report = fit.report();
            let settled = !matches!(report.outcome, Outcome::NotConverged(_));
            (settled || report.residual <= climb.options.usable_residual) && fit.log_evidence().is_finite()
        };
        let from = |start: Option<&Start>| model.infer_with(data, start, climb.control.interrupt()).ok().filter(usable);
        let warm = self.starts[block].as_ref();
        let fit = warm.and_then(|start| from(Some(start))).or_else(|| from(None))?;
        let value = climb.objective.value(&fit).ok()?;
        let gradient = climb.objective.gradient(&fit).ok()?;
        let (rows, (error, nlp)) = (data.rows() as f64, loo_summary(&fit));
        Some(Said {
            value,
            slopes: climb.space.gradient(fit.model(), &gradient),
            log_evidence: fit.log_evidence(),
            left_out: (error * rows, nlp * rows),
            start: fit.start(),
        })
    }

    fn rows(&self) -> f64 {
        self.blocks.iter().map(|block| block.rows() as f64).sum()
    }

    fn finish(self, end: Evaluated, stop: Stop) -> (Model, Course) {
        let mut model = self.model.clone();
        self.climb.space.write(&mut model, &end.x);
        let (log_prior, _) = self.climb.space.log_prior(&end.x);
        let course = Course {
            objective: -end.value - log_prior,
            log_prior,
            stop: self.climb.control.stop(stop),
            at_bounds: self.climb.space.at_bounds(&end.x),
            other_fixed_point: None,
            trace: self.trace,
            inferences: self.inferences,
            approach: self.climb.approach,
            unsettled: 0,
        };
        (model, course)
    }
}

impl Problem for Ascent<'_> {
    fn evaluate(&mut self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let mut model = self.model.clone();
        self.climb.space.write(&mut model, x);
        model.method = with_tolerance(&model.method, self.tolerance);
        self.inferences += self.blocks.len();
        let said: Vec<Said> =
            map_tasks(self.blocks.len(), |block| self.ask(&model, block)).into_iter().collect::<Option<_>>()?;
        let scale = |block: usize| self.climb.scale_for(self.blocks[block].rows());
        let value: f64 = said.iter().enumerate().map(|(b, one)| scale(b) * one.value).sum();
        let (log_prior, prior_slopes) = self.climb.space.log_prior(x);
        let slope = |k: usize| said.iter().enumerate().map(|(b, one)| scale(b) * one.slopes[k]).sum::<f64>();
        let descent = prior_slopes.iter().enumerate().map(|(k, p)| -(slope(k) + p)).collect();
        let mean = |part: fn(&Said) -> f64| said.iter().map(part).sum::<f64>() / self.rows();
        let entry = TraceEntry {
            iteration: self.trace.entries.len(),
            objective: value,
            log_evidence: said.iter().map(|one| one.log_evidence).sum(),
            loo_error: mean(|one| one.left_out.0),
            loo_nlp: mean(|one| one.left_out.1),
            values: self.climb.space.values(x),
            inferences: self.inferences,
            seconds: self.clock.seconds(),
        };
        let starts = said.into_iter().map(|one| Some(one.start)).collect();
        self.last = Some(Outline { x: x.to_vec(), starts, entry });
        Some((-(value + log_prior), descent))
    }

    fn accepted(&mut self, point: &Evaluated, slope: f64) -> bool {
        let options = self.climb.options;
        self.tolerance = (1e-2 * slope).clamp(options.tight, options.loose);
        // The accepted point is usually the last one evaluated; a line search may have gone on past it.
        if self.last.as_ref().is_none_or(|last| last.x != point.x) {
            self.evaluate(&point.x);
        }
        if let Some(Outline { starts, entry, .. }) = self.last.take().filter(|last| last.x == point.x) {
            self.starts = starts;
            self.climb.control.tell(self.climb.label, &entry);
            self.trace.entries.push(entry);
        }
        self.climb.control.interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
    use crate::inference::Method;
    use crate::inference::ep::EpOptions;
    use crate::learn::search::{Departure, DirectOptions, Priors, Space};
    use crate::learn::{Control, ManyRows};
    use crate::likelihood::Likelihood;
    use crate::objective::Objective;
    use gpclass_linalg::Mat;

    fn data(n: usize) -> Arc<TrainingData> {
        let x = Mat::from_fn(n, 2, |i, j| 2.0 * ((i * (7 * j + 5)) as f64 * 0.7391 + (i * i) as f64 * 0.013).sin());
        let label = |i: usize| x[(i, 0)] + x[(i, 1)] * x[(i, 1)] > 1.5;
        let signs: Vec<Sign> =
            (0..n).map(|i| if label(i) != (i % 9 == 4) { Sign::Positive } else { Sign::Negative }).collect();
        Arc::new(TrainingData::new(Inputs::continuous(x), signs).unwrap())
    }

    fn model() -> Model {
        let kernel = Kernel::matern32(3.0, Scales::Ard(vec![0.8, 0.5])) + Kernel::bias(1.0);
        let method = Method::Ep(EpOptions { tolerance: 1e-10, ..EpOptions::default() });
        Model { method, ..Model::new(kernel, Likelihood::probit()) }
    }

    #[test]
    fn blocks_are_near_rows_and_drawn_ones_and_always_the_same() {
        let data = data(1000);
        let rows = |blocks: &[Arc<TrainingData>]| -> Vec<Vec<f64>> {
            blocks.iter().map(|block| block.inputs().values().as_slice().to_vec()).collect()
        };
        let blocks = |seed: u64| Design::Mixed.blocks(&data, &even(&data), seed).unwrap();
        let chosen = blocks(3);
        assert_eq!(chosen.len(), COPIES * 1000 / ROWS);
        assert!(chosen.iter().all(|block| block.rows() == ROWS && block.targets().count() == 2));
        assert_eq!(rows(&chosen), rows(&blocks(3)));
        assert_ne!(rows(&chosen), rows(&blocks(4)));
        let spread = |block: &TrainingData| {
            let x = block.inputs().values().col(0);
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / x.len() as f64
        };
        assert!(spread(&chosen[0]) < spread(&chosen[chosen.len() / 2]));
    }

    #[test]
    fn the_gradient_is_that_of_the_sum_and_the_end_is_a_posterior_of_all_rows() {
        let (data, model, control, options) = (data(400), model(), Control::default(), DirectOptions::default());
        let space = Space::new(&model, &data, &Priors::Weak, Departure::Free).unwrap();
        let many_rows = ManyRows { inducing: Some(30), neighbours: Some(20), exact: false };
        let climb = |approach| Climb {
            label: "test",
            data: &data,
            objective: Objective::Evidence,
            space: &space,
            options: &options,
            control: &control,
            approach,
            many_rows,
            seed: 0,
        };
        let sparse = climb(Approach::Sparse);
        let all = Design::Mixed.blocks(&data, &even(&data), 0).unwrap();
        let mut ascent = Ascent {
            climb: &sparse,
            model: model.clone(),
            starts: vec![None; all.len()],
            blocks: all,
            last: None,
            tolerance: 1e-10,
            trace: Trace { names: space.names(), entries: Vec::new() },
            inferences: 0,
            clock: Stopwatch::start(),
        };
        let x = space.read(&model);
        let (_, gradient) = ascent.evaluate(&x).unwrap();
        for k in 0..x.len() {
            let mut at = |step: f64| {
                let mut moved = x.clone();
                moved[k] += step;
                ascent.evaluate(&moved).unwrap().0
            };
            let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
            assert!((slope - gradient[k]).abs() < 1e-4 * (1.0 + slope.abs()), "{k}: {slope} and {}", gradient[k]);
        }
        let learned = sparse.run(&model, None).unwrap();
        let fitted = &learned.fitted;
        assert_eq!(fitted.data().rows(), 400);
        assert!(fitted.report().outcome.converged());
        assert_eq!(fitted.inducing().map(|inducing| inducing.rows.rows()), Some(30));
        assert_eq!(fitted.refinement().map(|refinement| refinement.neighbours), Some(20));
        let exact = climb(Approach::Blocks).run(&model, None).unwrap();
        assert!(exact.fitted.inducing().is_none() && exact.course.objective == learned.course.objective);
    }
}
