//! What exact inference needs to know of a likelihood.

use super::ExactError;
use super::error::{at_least, same_size};
use crate::data::Sign;

/// The likelihood of the training rows as a plain function.
#[derive(Clone)]
pub struct Terms<'a> {
    /// Number of training rows.
    pub rows: usize,
    /// Latent values that a row's label depends on, at least 1; those of one row stand together.
    pub width: usize,
    /// `log p(y_i | f_i)` of row `i` given its latent values; at most 0, negative infinity where impossible.
    pub log_p: &'a (dyn Fn(usize, &[f64]) -> f64 + Sync),
    /// The same likelihood as a threshold on a noisy latent value, where it is one. Must agree with `log_p`.
    pub threshold: Option<Threshold>,
}

impl Terms<'_> {
    /// The sum of all terms.
    pub(super) fn total(&self, latent: &[f64]) -> f64 {
        self.by_row(latent).map(|(i, f)| (self.log_p)(i, f)).sum()
    }

    /// The sum of all terms if it exceeds `bound`; stops as soon as it cannot, since no term is positive.
    pub(super) fn total_above(&self, latent: &[f64], bound: f64) -> Option<f64> {
        let mut sum = 0.0;
        for (i, f) in self.by_row(latent) {
            sum += (self.log_p)(i, f);
            if sum <= bound {
                return None;
            }
        }
        (sum > bound).then_some(sum)
    }

    fn by_row<'f>(&self, latent: &'f [f64]) -> impl Iterator<Item = (usize, &'f [f64])> + use<'f> {
        latent.chunks_exact(self.width).enumerate()
    }

    /// Refuses terms that are not those of `n` latent values.
    pub(super) fn validate(&self, n: usize) -> Result<(), ExactError> {
        at_least("width", self.width, 1)?;
        same_size("the likelihood", self.rows * self.width, n)?;
        match &self.threshold {
            Some(t) => same_size("the labels", t.labels.len(), n),
            None => Ok(()),
        }
    }
}

/// `p(y_i | f) = Phi(y_i (f + bias) / sigma)`: the label is the sign of `f + bias +` Gaussian noise of deviation
/// `sigma`, which may be 0 (a step). The probit family without label error, math 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// One per latent value.
    pub labels: Vec<Sign>,
    /// Added to every latent value.
    pub bias: f64,
    /// Deviation of the noise.
    pub sigma: f64,
}
