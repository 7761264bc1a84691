//! The functions at some points, given samples of what the labels depend on.

use super::pairs::directions;
use super::probabilities::Averages;
use super::{ClassEstimate, ClassProblem};
use crate::exact::slice::SliceSamples;
use crate::exact::summary::SeriesSummary;
use crate::exact::{ExactError, LatentEstimate, PriorFactor, Simulated};
use crate::interrupt::Interrupt;
use gpclass_linalg::{Mat, Op, map_tasks, multiply};

/// What all points have in common.
#[derive(Clone, Copy)]
pub(super) struct Points<'a> {
    pub problem: &'a ClassProblem<'a>,
    pub samples: &'a SliceSamples,
    pub seed: u64,
    pub interrupt: Interrupt<'a>,
}

/// Independent Gaussians given a sample.
pub(super) struct Given<'a> {
    of: Points<'a>,
    /// Samples x points for every function.
    means: Vec<Mat>,
    /// One per point for every function.
    vars: Vec<Vec<f64>>,
}

type EstimatesAndWrong = (Vec<ClassEstimate>, Vec<Option<Simulated>>);

impl<'a> Points<'a> {
    /// The training rows, where a sample says all.
    pub fn at_training_rows(self, priors: &[PriorFactor]) -> Given<'a> {
        let of_function = |c: usize| {
            let map = self.problem.of(priors, c).map();
            multiply(&self.whitened(priors, c), Op::Transpose, map, Op::Transpose)
        };
        let count = self.problem.observations.count;
        let vars = vec![vec![0.0; self.problem.observations.len()]; count];
        Given { of: self, means: (0..count).map(of_function).collect(), vars }
    }

    /// The new points.
    pub fn at_new_points(self, priors: &[PriorFactor]) -> Result<Given<'a>, ExactError> {
        let problem = self.problem;
        let (mut means, mut vars) = (Vec::new(), Vec::new());
        for c in 0..problem.observations.count {
            let (cross, diag) = (problem.of(problem.cross, c), problem.of(problem.diag, c));
            let (weights, left) = problem.of(priors, c).conditional(cross, diag)?;
            means.push(multiply(&self.whitened(priors, c), Op::Transpose, &weights, Op::Plain));
            vars.push(left);
        }
        Ok(Given { of: self, means, vars })
    }

    /// The standard normals of function `c`, directions x samples.
    fn whitened(self, priors: &[PriorFactor], c: usize) -> Mat {
        self.samples.whitened.select_rows(&directions(self.problem, priors, c).collect::<Vec<_>>())
    }
}

impl Given<'_> {
    /// Summaries of the means: for every function one per point.
    pub fn latent(&self) -> Vec<Vec<SeriesSummary>> {
        self.means.iter().map(|means| self.of.samples.summaries(means)).collect()
    }

    /// The estimates at every point, from those summaries.
    pub fn estimates(&self, latent: &[Vec<SeriesSummary>]) -> Result<Vec<ClassEstimate>, ExactError> {
        self.each_point(|j, clean| self.estimate(latent, j, clean))
    }

    /// The estimates at every training row, and the probability that its label is wrong.
    pub fn estimates_and_wrong(&self, latent: &[Vec<SeriesSummary>]) -> Result<EstimatesAndWrong, ExactError> {
        let rows = self.each_point(|i, clean| (self.estimate(latent, i, clean), self.wrong(i, clean)))?;
        Ok(rows.into_iter().unzip())
    }

    fn estimate(&self, latent: &[Vec<SeriesSummary>], j: usize, clean: &Mat) -> ClassEstimate {
        let of_function = |c: usize| LatentEstimate::new(latent[c][j], self.vars[c][j]);
        let probability = |c: usize| self.mean_over_samples(clean.col(c), |p| self.of.problem.with_label_error(p));
        let classes = 0..clean.cols();
        ClassEstimate {
            latent: classes.clone().map(of_function).collect(),
            probability: classes.map(probability).collect(),
        }
    }

    /// `rho (1 - p0) / p` under every sample (multiclass 6).
    fn wrong(&self, i: usize, clean: &Mat) -> Option<Simulated> {
        let problem = self.of.problem;
        let of_sample = |p: f64| problem.label_error() * (1.0 - p) / problem.with_label_error(p);
        let own = clean.col(problem.own(i));
        (problem.weight(i) > 0.0).then(|| self.mean_over_samples(own, of_sample))
    }

    /// Visits every point with its class probabilities without label error, samples x classes.
    fn each_point<T: Send>(&self, visit: impl Fn(usize, &Mat) -> T + Sync) -> Result<Vec<T>, ExactError> {
        let points = map_tasks(self.vars[0].len(), |j| {
            self.of.interrupt.check()?;
            Ok(visit(j, &self.clean(j)))
        });
        points.into_iter().collect()
    }

    fn clean(&self, j: usize) -> Mat {
        let (samples, count) = (self.means[0].rows(), self.means.len());
        let vars: Vec<f64> = self.vars.iter().map(|vars| vars[j]).collect();
        let mut averages = Averages::new(self.of.problem.observations.link, &vars, self.of.seed, j);
        let mut out = Mat::zeros(samples, count);
        for s in 0..samples {
            let means: Vec<f64> = self.means.iter().map(|means| means[(s, j)]).collect();
            averages.of(&means).iter().enumerate().for_each(|(c, p)| out[(s, c)] = *p);
        }
        out
    }

    fn mean_over_samples(&self, series: &[f64], of: impl Fn(f64) -> f64) -> Simulated {
        self.of.samples.summarise(&series.iter().map(|&p| of(p)).collect::<Vec<_>>()).mean
    }
}
