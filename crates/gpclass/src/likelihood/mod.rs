//! Likelihoods.

/// A one-dimensional Gaussian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    pub mean: f64,
    pub var: f64,
}
