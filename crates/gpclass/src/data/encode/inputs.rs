//! Encoded rows: the only thing a kernel accepts.

use super::PairSums;
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// How a feature enters the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    /// One column; d_m is the squared difference.
    Continuous,
    /// A one-hot block scaled by 1/sqrt(2), so that the squared distance is d_m = 1 - \[equal\] (math 1).
    Discrete,
}

/// One feature of the user's table and the encoded columns it occupies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// Name of the column in the user's table.
    pub name: String,
    /// How its distances are taken.
    pub kind: FeatureKind,
    /// Positions of its encoded columns, from 0; one for a continuous feature.
    pub columns: Range<usize>,
}

/// Encoded rows. Features are contiguous blocks of columns, in order. Clones share the values.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    features: Vec<Feature>,
    values: Arc<Mat>,
    pair_sums: PairSums,
}

impl Inputs {
    /// Encoded values with their features. Panics unless the features tile the columns: encoders are the only callers.
    pub fn new(features: Vec<Feature>, values: Mat) -> Self {
        let mut next = 0;
        for feature in &features {
            assert_eq!(feature.columns.start, next, "feature '{}' must start where the last one ended", feature.name);
            next = feature.columns.end;
        }
        assert_eq!(next, values.cols(), "features must cover every column");
        Inputs { features, values: Arc::new(values), pair_sums: PairSums::default() }
    }

    /// Continuous features named `x1..xd`.
    pub fn continuous(values: Mat) -> Self {
        let features = (0..values.cols())
            .map(|j| Feature { name: format!("x{}", j + 1), kind: FeatureKind::Continuous, columns: j..j + 1 })
            .collect();
        Inputs { features, values: Arc::new(values), pair_sums: PairSums::default() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values.rows()
    }

    /// The features in the order of their columns.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Rows x encoded columns.
    pub fn values(&self) -> &Mat {
        &self.values
    }

    /// What kernels have found out about all pairs of these rows.
    pub(crate) fn pair_sums(&self) -> &PairSums {
        &self.pair_sums
    }

    /// The given features, in the order given.
    pub fn select_features(&self, which: &[usize]) -> Inputs {
        let columns: Vec<usize> = which.iter().flat_map(|&m| self.features[m].columns.clone()).collect();
        let mut next = 0;
        let moved = |&m: &usize| {
            let columns = next..next + self.features[m].columns.len();
            next = columns.end;
            Feature { columns, ..self.features[m].clone() }
        };
        Inputs::new(which.iter().map(moved).collect(), self.values.select_columns(&columns))
    }

    /// The given rows, in the order given.
    pub fn select_rows(&self, which: &[usize]) -> Inputs {
        Inputs::new(self.features.clone(), self.values.select_rows(which))
    }

    /// These rows and then those of `more`, which have the same features.
    pub fn followed_by(&self, more: &Inputs) -> Inputs {
        let (first, columns) = (self.rows(), self.values.columns().zip(more.values.columns()));
        let values = columns.flat_map(|(a, b)| [a, b].concat()).collect();
        Inputs::new(self.features.clone(), Mat::from_columns(first + more.rows(), self.values.cols(), values))
    }
}
