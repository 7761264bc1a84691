//! The prior as one matrix.

use super::Failure;
use gpclass_linalg::{Mat, Op, multiply, symmetric_mul};
use std::sync::Arc;

/// All covariances of the training rows.
#[derive(Clone, Debug)]
pub struct Dense {
    /// `K`, with the jitter on its diagonal: symmetric, both triangles.
    k: Arc<Mat>,
    /// The diagonal without jitter.
    plain: Arc<[f64]>,
    jitter: f64,
    /// The jitter over the mean variance.
    relative_jitter: f64,
}

impl Dense {
    pub(super) fn new(k: Mat) -> Self {
        assert_eq!(k.rows(), k.cols(), "a covariance matrix is square");
        Dense { plain: k.diag().into(), k: Arc::new(k), jitter: 0.0, relative_jitter: 0.0 }
    }

    /// `K`.
    pub(crate) fn k(&self) -> &Mat {
        &self.k
    }

    pub(super) fn jitter(&self) -> f64 {
        self.jitter
    }

    pub(super) fn relative_jitter(&self) -> f64 {
        self.relative_jitter
    }

    /// The mean variance without jitter.
    pub(super) fn mean_variance(&self) -> f64 {
        self.plain.iter().sum::<f64>() / self.plain.len() as f64
    }

    /// A jitter relative to the mean variance in place of the present one.
    pub(super) fn jittered(self, relative: f64) -> Self {
        let jitter = relative * self.mean_variance();
        Dense { relative_jitter: relative, ..self.shifted(jitter) }
    }

    /// A jitter in place of the present one. Copies the matrix only where somebody else holds it.
    pub(super) fn shifted(mut self, jitter: f64) -> Self {
        let k = Arc::make_mut(&mut self.k);
        for (i, variance) in self.plain.iter().enumerate() {
            k[(i, i)] = variance + jitter;
        }
        self.jitter = jitter;
        self.relative_jitter = jitter / self.mean_variance();
        self
    }

    /// A failure to factorise it.
    pub(crate) fn indefinite(&self) -> Failure {
        Failure::NotPositiveDefinite { jitter: self.jitter }
    }

    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        symmetric_mul(&self.k, x)
    }

    pub(super) fn times_columns(&self, x: &Mat) -> Mat {
        multiply(&self.k, Op::Plain, x, Op::Plain)
    }

    pub(super) fn product_errors(&self, x: &[f64]) -> Vec<f64> {
        let mut terms = vec![0.0; self.k.rows()];
        for (column, x) in self.k.columns().zip(x) {
            terms.iter_mut().zip(column).for_each(|(sum, k)| *sum += (k * x).abs());
        }
        terms.iter().map(|t| f64::EPSILON * t).collect()
    }

    pub(super) fn overflow(&self) -> Option<(usize, usize, f64)> {
        self.k.columns().enumerate().find_map(|(j, column)| {
            let i = column.iter().position(|v| !v.is_finite())?;
            Some((i.min(j), i.max(j), column[i]))
        })
    }
}
