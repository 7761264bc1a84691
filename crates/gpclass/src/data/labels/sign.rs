//! A label as binary likelihoods see it.

use serde::{Deserialize, Serialize};

/// The label of a row of a problem with two classes, y in {-1, +1}.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sign {
    /// y = -1.
    Negative,
    /// y = +1.
    Positive,
}

impl Sign {
    /// y as a number: -1 or +1.
    pub fn sign(self) -> f64 {
        match self {
            Sign::Negative => -1.0,
            Sign::Positive => 1.0,
        }
    }

    /// The other label.
    pub fn flipped(self) -> Sign {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Positive => Sign::Negative,
        }
    }
}
