//! How far rows are apart in the eyes of a model.

use super::{FittedModel, ModelError, check_rows};
use crate::data::Inputs;
use gpclass_linalg::Mat;

/// What rounding leaves of the difference of equal rows, as a share of their variances.
const ROUNDING: f64 = 1e-12;
/// Rows whose variances are computed at once.
const BLOCK: usize = 64;
/// Training rows over which the mean distance is taken, at most.
const MOST_ROWS: usize = 256;

impl FittedModel {
    /// For every training row (rows of the matrix) and every given row (its columns) the variance, under the prior, of the
    /// difference of their latent values, relative to its mean over pairs of training rows. Zero for rows that the model
    /// cannot tell apart; noise of single rows is left out.
    pub fn prior_distances(&self, rows: &Inputs) -> Result<Mat, ModelError> {
        let training = self.data.inputs();
        check_rows(rows, training.features().len(), training.values().cols())?;
        let mut distances = self.differences(training, &self.data.view().apply(rows));
        let some: Vec<usize> = evenly(training.rows(), MOST_ROWS);
        let some = training.select_rows(&some);
        let mean = self.differences(&some, &some).as_slice().iter().sum::<f64>() / (some.rows() as f64).powi(2);
        let unit = if mean > 0.0 { mean } else { 1.0 };
        distances.as_mut_slice().iter_mut().for_each(|d| *d /= unit);
        Ok(distances)
    }

    /// `c(x, x) + c(x', x') - 2 c(x, x')`.
    fn differences(&self, left: &Inputs, right: &Inputs) -> Mat {
        let kernel = &self.model.kernel;
        let (of_left, of_right) = (self.variances(left), self.variances(right));
        let mut out = kernel.cross(left, right);
        for (j, own) in of_right.iter().enumerate() {
            let column = out.col_mut(j).iter_mut().zip(&of_left);
            column.for_each(|(value, other)| {
                let (both, apart) = (own + other, own + other - 2.0 * *value);
                *value = if apart > ROUNDING * both { apart } else { 0.0 };
            });
        }
        out
    }

    /// Prior variances without noise, which a kernel gives only to pairs of rows.
    fn variances(&self, rows: &Inputs) -> Vec<f64> {
        let blocks = (0..rows.rows()).step_by(BLOCK).flat_map(|first| {
            let block = rows.select_rows(&(first..rows.rows().min(first + BLOCK)).collect::<Vec<_>>());
            self.model.kernel.cross(&block, &block).diag()
        });
        blocks.collect()
    }
}

/// At most `most` of `n` positions, evenly spaced.
pub(crate) fn evenly(n: usize, most: usize) -> Vec<usize> {
    let kept = n.min(most);
    (0..kept).map(|k| k * n / kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sign;
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, TrainingData};
    use std::sync::Arc;

    #[test]
    fn distances_are_variances_of_differences() {
        let x = Mat::from_fn(90, 2, |i, j| ((i * (2 * j + 3)) as f64 * 0.7).sin());
        let labels: Vec<Sign> = (0..90).map(|i| if i % 3 == 0 { Sign::Positive } else { Sign::Negative }).collect();
        let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
        let shape =
            || Kernel::squared_exponential(2.0, Scales::Ard(vec![1.0, 1e-9])) + Kernel::linear(Scales::Single(0.1));
        let fit = |kernel: Kernel| Model::new(kernel, Likelihood::probit()).infer(&data, None).unwrap();
        let rows = data.inputs().select_rows(&[4, 70]);
        let plain = fit(shape()).prior_distances(&rows).unwrap();
        // Level and noise belong to no pair.
        let noisy = fit(shape() + Kernel::bias(3.0) + Kernel::noise(0.5)).prior_distances(&rows).unwrap();
        assert!(plain.as_slice().iter().zip(noisy.as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!(plain[(4, 0)] < 1e-12 && plain[(70, 1)] < 1e-12 && plain[(70, 0)] > 0.1);
        let everywhere = fit(shape()).prior_distances(data.inputs()).unwrap();
        let mean = everywhere.as_slice().iter().sum::<f64>() / 8100.0;
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
    }
}
