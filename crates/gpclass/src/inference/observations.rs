//! What was observed: labels, the likelihood that ties them to the latent values, and row weights.

use crate::data::Sign;
use crate::likelihood::{Gaussian, Likelihood, Moments};
use crate::prior::Sparse;

/// Labels under a likelihood, each row's term raised to its weight.
///
/// A weight `w >= 1` is `w` tied copies of the row's site, which for whole `w` is the same as repeating the row (where
/// the covariance has no per-row noise `v2`, which repeated rows would draw separately). A weight below one raises the
/// likelihood term itself to that power. Weight zero leaves the row out.
#[derive(Clone, Copy, Debug)]
pub struct Observations<'a> {
    /// One label per row.
    pub labels: &'a [Sign],
    /// What ties them to the latent values.
    pub likelihood: &'a Likelihood,
    /// Non-negative and finite, one per row; `None` is all ones.
    pub weights: Option<&'a [f64]>,
    /// The prior mean of every row, which a latent value is counted from; `None` is zero.
    pub offset: Option<&'a [f64]>,
    /// Variance that every row has for itself beside the latent value that is inferred: what inducing rows leave of the prior's
    /// (scale 3); `None` is zero.
    pub residual: Option<&'a [f64]>,
}

impl<'a> Observations<'a> {
    /// Labels that all weigh one.
    pub fn new(labels: &'a [Sign], likelihood: &'a Likelihood) -> Self {
        Observations { labels, likelihood, weights: None, offset: None, residual: None }
    }

    /// The same observations of the projections on inducing rows, where the prior has any.
    pub(crate) fn under<'b>(&'b self, prior: Option<&'b Sparse>) -> Observations<'b> {
        let offset = prior.and_then(Sparse::offset).or(self.offset);
        Observations { residual: prior.map(Sparse::residual), offset, ..*self }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The weight of row `i`, from 0; 1 where none are given.
    pub fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// Tied copies of row `i`'s site.
    pub(crate) fn copies(&self, i: usize) -> f64 {
        self.weight(i).max(1.0)
    }

    /// The power of the likelihood term of one copy.
    pub(crate) fn power(&self, i: usize) -> f64 {
        self.weight(i).min(1.0)
    }

    /// Moments of one copy of row `i`'s term at its cavity.
    pub(crate) fn moments(&self, i: usize, cavity: Gaussian) -> Moments {
        let power = self.power(i);
        if power == 0.0 {
            return Moments { log_z: 0.0, d1: 0.0, d2: 0.0, shrink: 1.0 };
        }
        let at = |values: Option<&[f64]>| values.map_or(0.0, |values| values[i]);
        let (offset, residual) = (at(self.offset), at(self.residual));
        let whole = Gaussian { mean: cavity.mean + offset, var: cavity.var + residual };
        let moments = self.likelihood.moments(self.labels[i], whole, power);
        // 1 + d2 s of what is inferred, the rest of the variance apart.
        Moments { shrink: moments.shrink - moments.d2 * residual, ..moments }
    }
}
