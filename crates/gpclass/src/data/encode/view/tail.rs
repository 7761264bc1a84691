//! How a map continues beyond the training values.

use serde::{Deserialize, Serialize};

/// Beyond an end: `height ln(1 + distance / reach)`, straight at first with slope `height / reach`, ever slower far out. A
/// value that nothing in training was like is moved away, but an absurd one not absurdly far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tail {
    /// The outermost training value.
    pub end: f64,
    /// What the map rises by over a distance of 1.7 reaches.
    pub height: f64,
    /// The distance over which the slope falls to a half.
    pub reach: f64,
}

impl Tail {
    /// What a value this far beyond the end is moved by; nothing where it is not beyond.
    pub(super) fn rise(&self, distance: f64) -> f64 {
        if distance <= 0.0 {
            return 0.0;
        }
        // The difference of two finite numbers, and their quotient, can overflow.
        self.height * libm::log1p((distance / self.reach).min(f64::MAX))
    }

    pub(super) fn is_sound(&self) -> bool {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        self.end.is_finite() && positive(self.height) && positive(self.reach)
    }
}
