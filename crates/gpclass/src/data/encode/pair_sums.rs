//! What kernels find out once about all pairs of rows of a wide table.

use gpclass_linalg::Mat;
use std::sync::{Arc, OnceLock};

/// Sums over all columns for every pair of rows, kept where they are asked for again and again. Copies of the rows share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairSums {
    /// Squared differences.
    pub squared: KeptSums,
    /// Sizes of differences, of discrete features whether they differ.
    pub absolute: KeptSums,
    /// Products.
    pub product: KeptSums,
}

/// One of them.
pub(crate) type KeptSums = Arc<OnceLock<Mat>>;

impl PartialEq for PairSums {
    /// What follows from the rows says nothing about whether they are equal.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
