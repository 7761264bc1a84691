//! What a fit will take, estimated before it begins.

use super::{FitOptions, Lengthscales, Priors};
use crate::inference::Method;

/// Matrices of rows x rows that every fitted candidate keeps: its covariance, its posterior.
const KEPT: f64 = 4.0;
/// Those that a search, or the integral over hyperparameters, has in hand besides.
const IN_HAND: f64 = 2.5;
/// Factorisations that the search of one candidate takes, by count of their cost at many rows.
const SEARCH: f64 = 70.0;
/// Those that the integral over its hyperparameters adds where candidates are compared.
const INTEGRAL: f64 = 80.0;
/// Factorisations that one inference takes.
const INFERENCE: f64 = 8.0;
/// Rows at which the work that grows with their square costs as much as a half of the work that grows with their cube.
const SQUARE_ROWS: f64 = 2000.0;

/// Memory and work, to within a factor of two or so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Rows that are learned from.
    pub rows: usize,
    /// Most memory in use at a time, in bytes.
    pub bytes: f64,
    /// Work, in Cholesky factorisations of a matrix of rows x rows.
    pub cholesky: f64,
}

impl Cost {
    /// Of [`fit`](super::fit): the candidates that `options` leave open.
    pub fn of_fit(rows: usize, features: usize, options: &FitOptions) -> Cost {
        Self::of_candidates(rows, candidates(features, options), options)
    }

    /// Of [`fit_candidates`](super::fit_candidates) with this many.
    pub fn of_candidates(rows: usize, candidates: usize, options: &FitOptions) -> Cost {
        let (candidates, starts) = (candidates.max(1) as f64, (1 + options.restarts) as f64);
        let (integral, steps) = if candidates > 1.0 { (INTEGRAL, 2.0) } else { (0.0, 1.0) };
        // Every candidate is kept to the end, and every start's end until the best is known.
        let matrices = KEPT * (candidates + starts - 1.0) + IN_HAND * steps;
        Self::new(rows, matrices, candidates * (SEARCH * starts + integral))
    }

    /// Of one inference at given hyperparameters with its gradient.
    pub fn of_inference(rows: usize) -> Cost {
        Self::new(rows, KEPT + IN_HAND, INFERENCE)
    }

    fn new(rows: usize, matrices: f64, cholesky: f64) -> Cost {
        let n = rows as f64;
        Cost { rows, bytes: matrices * n * n * 8.0, cholesky: cholesky * (1.0 + SQUARE_ROWS / n.max(1.0)) }
    }

    /// Several of these, `at_once` at a time.
    pub fn repeated(self, times: usize, at_once: usize) -> Cost {
        let side_by_side = at_once.min(times).max(1) as f64;
        Cost { bytes: self.bytes * side_by_side, cholesky: self.cholesky * times as f64 / side_by_side, ..self }
    }

    /// The most rows that would do with this many bytes.
    pub fn rows_within(&self, bytes: f64) -> usize {
        (self.rows as f64 * (bytes / self.bytes).sqrt()) as usize
    }

    /// Seconds, if a factorisation of a matrix of `rows` x `rows` takes `seconds`.
    pub fn seconds(&self, rows: usize, seconds: f64) -> f64 {
        self.cholesky * seconds * (self.rows as f64 / rows as f64).powi(3)
    }
}

/// How many models are compared, at most.
fn candidates(features: usize, options: &FitOptions) -> usize {
    let kernels = if options.kernel.is_none() { 3 } else { 1 };
    let several = options.lengthscales == Lengthscales::Auto && features > 1;
    let spread = match (several, &options.priors) {
        (false, _) => 0,
        (true, Priors::None) => 1,
        (true, _) => 2,
    };
    let robust = options.likelihood.is_none() && matches!(options.method, Method::Ep(_));
    kernels + spread + usize::from(robust)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{KernelFamily, LikelihoodFamily};

    fn alone() -> FitOptions {
        FitOptions {
            kernel: Some(KernelFamily::SquaredExponential),
            likelihood: Some(LikelihoodFamily::Probit),
            lengthscales: Lengthscales::Single,
            ..FitOptions::default()
        }
    }

    #[test]
    fn memory_grows_with_the_square_and_work_with_the_cube() {
        let cost = |rows| Cost::of_fit(rows, 5, &FitOptions::default());
        let (one, two) = (cost(4000), cost(8000));
        assert_eq!(two.bytes, 4.0 * one.bytes);
        // 8 for the cube, less what grows with the square only: (1 + 1/4) / (1 + 1/2).
        let ratio = two.seconds(300, 1e-3) / one.seconds(300, 1e-3);
        assert!((ratio - 8.0 * 1.25 / 1.5).abs() < 1e-12, "{ratio}");
        assert_eq!(one.rows_within(two.bytes), 8000);
    }

    #[test]
    fn open_choices_and_restarts_cost_more() {
        let cost = |options: &FitOptions| Cost::of_fit(1000, 5, options);
        let (alone, all) = (alone(), FitOptions::default());
        assert_eq!(candidates(5, &all), 6);
        assert_eq!(candidates(1, &all), 4);
        assert_eq!(candidates(5, &alone), 1);
        assert!(cost(&all).bytes > 3.0 * cost(&alone).bytes);
        assert!(cost(&all).cholesky > 5.0 * cost(&alone).cholesky);
        let restarted = FitOptions { restarts: 3, ..alone.clone() };
        assert_eq!(cost(&restarted).cholesky, 4.0 * cost(&alone).cholesky);
        assert!(cost(&restarted).bytes > 2.0 * cost(&alone).bytes);
        let folds = cost(&alone).repeated(10, 2);
        assert_eq!((folds.bytes, folds.cholesky), (2.0 * cost(&alone).bytes, 5.0 * cost(&alone).cholesky));
    }
}
