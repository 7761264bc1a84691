//! The two classes.

use serde::{Deserialize, Serialize};

/// One of the two classes, y in {-1, +1}.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Label {
    Negative,
    Positive,
}

impl Label {
    /// y as a number: -1 or +1.
    pub fn sign(self) -> f64 {
        match self {
            Label::Negative => -1.0,
            Label::Positive => 1.0,
        }
    }

    pub fn flipped(self) -> Label {
        match self {
            Label::Negative => Label::Positive,
            Label::Positive => Label::Negative,
        }
    }
}
