//! Options of the least-squares classifier.

use serde::{Deserialize, Serialize};

/// Options of the least-squares classifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeastSquaresOptions {
    /// The noise variance lambda of the regression (EPCV 14). Positive.
    pub noise: f64,
}

impl Default for LeastSquaresOptions {
    fn default() -> Self {
        LeastSquaresOptions { noise: 1e-2 }
    }
}
