//! Where rows lie, in standard deviations of the training rows.

use crate::data::{FeatureKind, Inputs};
use gpclass_linalg::Mat;
use std::ops::Range;

/// The training rows in units that make their features comparable.
#[derive(Clone, Debug)]
pub(super) struct Places {
    values: Mat,
    features: Vec<(FeatureKind, Range<usize>)>,
    centre: Vec<f64>,
    scale: Vec<f64>,
}

impl Places {
    pub fn new(training: &Inputs) -> Self {
        let features: Vec<_> = training.features().iter().map(|f| (f.kind, f.columns.clone())).collect();
        let n = training.rows().max(1) as f64;
        let mean = |column: &[f64]| column.iter().sum::<f64>() / n;
        let centre: Vec<f64> = training.values().columns().map(mean).collect();
        let mut scale = vec![1.0; centre.len()];
        for (kind, columns) in &features {
            if *kind == FeatureKind::Continuous {
                for c in columns.clone() {
                    let square = |v: &f64| (v - centre[c]) * (v - centre[c]);
                    let deviation = (training.values().col(c).iter().map(square).sum::<f64>() / n).sqrt();
                    // A constant column, or one beyond all reason, is left in the units of the encoder.
                    scale[c] = if deviation.is_normal() { deviation } else { 1.0 };
                }
            }
        }
        let mut places = Places { values: Mat::default(), features, centre, scale };
        places.values = places.of(training);
        places
    }

    /// The training rows.
    pub fn values(&self) -> &Mat {
        &self.values
    }

    /// Encoded columns.
    pub fn width(&self) -> usize {
        self.centre.len()
    }

    pub fn features(&self) -> usize {
        self.features.len()
    }

    /// Rows in the same units.
    pub fn of(&self, rows: &Inputs) -> Mat {
        let values = rows.values();
        Mat::from_fn(values.rows(), values.cols(), |i, c| (values[(i, c)] - self.centre[c]) / self.scale[c])
    }

    /// For every training row and every row the sum over features of how far they are apart: standard deviations of a
    /// number, root two for another category, also for one that was never seen.
    pub fn distances(&self, rows: &Mat) -> Mat {
        let mut out = Mat::zeros(self.values.rows(), rows.rows());
        let mut apart: Vec<f64> = vec![0.0; self.values.rows()];
        for row in 0..rows.rows() {
            for (kind, columns) in &self.features {
                match kind {
                    FeatureKind::Continuous => columns.clone().for_each(|c| {
                        let (own, sum) = (rows[(row, c)], out.col_mut(row));
                        sum.iter_mut().zip(self.values.col(c)).for_each(|(sum, v)| *sum += (v - own).abs());
                    }),
                    FeatureKind::Discrete => {
                        apart.fill(0.0);
                        for c in columns.clone() {
                            let own = rows[(row, c)];
                            apart.iter_mut().zip(self.values.col(c)).for_each(|(a, v)| *a = a.max((v - own).abs()));
                        }
                        // An entry of a one-hot block is 1/sqrt(2) or zero (math 1).
                        out.col_mut(row).iter_mut().zip(&apart).for_each(|(sum, a)| *sum += 2.0 * a);
                    }
                }
            }
        }
        out
    }
}
