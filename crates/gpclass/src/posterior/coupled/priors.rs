//! The priors of several functions.

use super::by_function;
use crate::prior::{Failure, Prior};
use gpclass_linalg::Mat;

/// Priors of the functions: one for all, or one each.
#[derive(Clone, Debug)]
pub struct FunctionPriors {
    each: Vec<Prior>,
    count: usize,
}

impl FunctionPriors {
    /// One prior for `count` functions.
    pub fn shared(prior: Prior, count: usize) -> Self {
        FunctionPriors { each: vec![prior], count }
    }

    /// A prior for every function; there is at least one.
    pub fn own(each: Vec<Prior>) -> Self {
        assert!(!each.is_empty(), "at least one function");
        FunctionPriors { count: each.len(), each }
    }

    /// The prior of function `c`.
    pub fn of(&self, c: usize) -> &Prior {
        &self.each[if self.is_shared() { 0 } else { c }]
    }

    /// Whether all functions have the same one.
    pub fn is_shared(&self) -> bool {
        self.each.len() == 1
    }

    /// The number of functions.
    pub fn functions(&self) -> usize {
        self.count
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.each[0].rows()
    }

    /// A covariance that is not finite, with its two rows, the earlier first.
    pub fn overflow(&self) -> Option<(usize, usize, f64)> {
        self.each.iter().find_map(Prior::overflow)
    }

    /// What is added to every variance of every function; usually zero.
    pub fn jitter(&self) -> f64 {
        self.each[0].jitter()
    }

    /// The same priors with another jitter.
    #[must_use]
    pub fn shifted(self, jitter: f64) -> Self {
        FunctionPriors { each: self.each.into_iter().map(|prior| prior.shifted(jitter)).collect(), ..self }
    }

    /// What `attempt` makes of these priors or, where they are not positive definite, of these with the first jitter of `levels`
    /// that is enough. Levels are relative to the largest of the functions' mean variances and increase.
    pub(crate) fn with_least_jitter<R>(
        self,
        levels: &[f64],
        attempt: impl Fn(&FunctionPriors) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let variance = self.each.iter().map(Prior::mean_variance).fold(0.0, f64::max);
        let mut found = attempt(&self);
        let mut priors = self;
        for level in levels {
            match found {
                Err(failure) if failure.is_indefinite() => {
                    priors = priors.shifted(level * variance);
                    found = attempt(&priors);
                }
                _ => break,
            }
        }
        found
    }

    /// `K_c x_c` for every function: `x` is rows x functions.
    pub fn times(&self, x: &Mat) -> Mat {
        if self.is_shared() { self.each[0].times_columns(x) } else { by_function(x, |c, x| self.each[c].times(x)) }
    }

    /// The rounding errors of the entries of `K_c x_c` (see [`Prior::product_errors`]), rows x functions.
    pub fn product_errors(&self, x: &Mat) -> Mat {
        by_function(x, |c, x| self.of(c).product_errors(x))
    }
}
