//! How unlike the training rows a row is, whatever any label says (math 11.1).
//!
//! Two functions are thought over the inputs, and nothing but the training inputs decides what is known of them: one
//! that forgets with the distance in single features, and a linear one. What is left of their variance at a row, beside
//! what is left at the training rows when each is left out, is how novel the row is. The hyperparameters of the fitted
//! models do not enter: they were learned for the labels, and a model that ignores a feature, or extrapolates along a
//! line, would not notice that a row is far from everything seen.

mod place;
mod process;
mod tail;
#[cfg(test)]
mod tests;

use crate::data::Inputs;
use crate::model::{ModelError, check_rows, evenly};
use gpclass_linalg::{Mat, Op, map_tasks, multiply, vector};
use place::Places;
use process::Process;
use tail::Tail;

/// Rows with a novelty above this are unlike the training rows: one ordinary row in a hundred is.
pub const UNLIKE_TRAINING: f64 = 0.99;

/// Training rows that others are compared with, at most, evenly spaced in their order: bounds cost and memory.
const MOST_ROWS: usize = 512;
/// Rows compared at once.
const BLOCK: usize = 256;
/// Distance over which the first function forgets, in standard deviations per feature. From 1 to 4 the rows of twelve
/// tables were told from the same rows moved away ever better; beyond, the function is nearly additive.
const REACH: f64 = 4.0;
/// Variance of the noise of the first function, whose own variance is one: what duplicates leave open.
const STEP_NOISE: f64 = 1e-2;
/// Variance of the noise of the linear function for every training row, in units of the features' variances: directions
/// in which the rows vary less than the root of this count as directions in which they do not vary.
const LINE_NOISE: f64 = 1e-3;

/// The training rows as others are compared with them.
#[derive(Clone, Debug)]
pub struct Novelty {
    /// Which of the training rows, in their order.
    rows: Vec<usize>,
    places: Places,
    steps: Measure,
    lines: Measure,
    /// Of the training rows left out.
    overall: Tail,
}

/// One of the functions, with what is left of its variance at the training rows left out.
#[derive(Clone, Debug)]
struct Measure {
    process: Process,
    usual: Tail,
}

impl Measure {
    fn new(covariance: Mat, noise: f64) -> Self {
        let process = Process::new(covariance, noise);
        Measure { usual: Tail::new(process.left_out()), process }
    }

    /// For every column of `cross`, how rarely that little is known.
    fn rarity(&self, cross: Mat, variance: &[f64]) -> Vec<f64> {
        self.process.left(cross, variance).into_iter().map(|left| self.usual.rarity(left)).collect()
    }
}

impl Novelty {
    /// Compares rows with these training rows.
    pub fn new(training: &Inputs) -> Self {
        let rows = evenly(training.rows(), MOST_ROWS);
        let places = Places::new(&training.select_rows(&rows));
        let steps = Measure::new(steps(&places, places.values()), STEP_NOISE);
        let lines = Measure::new(lines(&places, places.values()), LINE_NOISE * rows.len() as f64);
        let left_out = rarest(steps.left_out(), &lines.left_out());
        Novelty { rows, places, steps, lines, overall: Tail::new(left_out) }
    }

    /// For every row a number from 0 to 1: the share of ordinary rows that are less unlike the training rows, the
    /// training rows left out being taken for ordinary. Close to one far from everything seen.
    pub fn of(&self, inputs: &Inputs) -> Result<Vec<f64>, ModelError> {
        check_rows(inputs, self.places.features(), self.places.width())?;
        let blocks = map_tasks(inputs.rows().div_ceil(BLOCK), |block| {
            let which: Vec<usize> = (block * BLOCK..inputs.rows().min((block + 1) * BLOCK)).collect();
            self.of_block(&self.places.of(&inputs.select_rows(&which)))
        });
        Ok(blocks.into_iter().flatten().collect())
    }

    fn of_block(&self, values: &Mat) -> Vec<f64> {
        let ones = vec![1.0; values.rows()];
        let norms: Vec<f64> =
            (0..values.rows()).map(|i| values.columns().map(|column| column[i] * column[i]).sum()).collect();
        let steps = self.steps.rarity(steps(&self.places, values), &ones);
        let lines = self.lines.rarity(lines(&self.places, values), &norms);
        rarest(steps, &lines).into_iter().map(|rarity| self.overall.below(rarity)).collect()
    }

    /// The same of the training rows themselves, each left out of those it is compared with.
    pub fn of_training(&self, training: &Inputs) -> Result<Vec<f64>, ModelError> {
        let mut novelty = self.of(training)?;
        let left_out = rarest(self.steps.left_out(), &self.lines.left_out());
        for (&row, rarity) in self.rows.iter().zip(left_out) {
            novelty[row] = self.overall.below(rarity);
        }
        Ok(novelty)
    }
}

impl Measure {
    /// The rarity of every training row left out.
    fn left_out(&self) -> Vec<f64> {
        self.process.left_out().into_iter().map(|left| self.usual.rarity(left)).collect()
    }
}

fn rarest(mut one: Vec<f64>, other: &[f64]) -> Vec<f64> {
    one.iter_mut().zip(other).for_each(|(a, b)| *a = a.max(*b));
    one
}

/// `exp(-D / (4 F))` with `D` the sum of the distances in each of `F` features: training rows x rows. // math 11.1
fn steps(places: &Places, rows: &Mat) -> Mat {
    let mut distances = places.distances(rows);
    let reach = REACH * places.features() as f64;
    vector::map_in_place(distances.as_mut_slice(), |d| vector::exp(-d / reach));
    distances
}

/// Inner products of the centred rows: training rows x rows.
fn lines(places: &Places, rows: &Mat) -> Mat {
    multiply(places.values(), Op::Plain, rows, Op::Transpose)
}
