//! One scalar term of a row.

use crate::special::{hazard, hazard_gap};

/// A term `Phi(h)` at its cavity: the derivatives of its log-normaliser in the cavity mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairMoments {
    /// First derivative.
    pub d1: f64,
    /// Second derivative.
    pub d2: f64,
    /// `1 + d2 v`, the tilted variance over that of the cavity.
    pub shrink: f64,
}

impl PairMoments {
    /// Of a term that is one everywhere.
    pub const NONE: PairMoments = PairMoments { d1: 0.0, d2: 0.0, shrink: 1.0 };

    /// At `z = m / √(1 + v)`, of a row that is `clean` with this probability: with `w` the probability of that without this pair,
    /// the normaliser is `1 - w + w Phi(z)`, and the ratio of `w N(z)` to it is `clean h(z)` (multiclass 6).
    pub fn at(z: f64, v: f64, clean: f64) -> Self {
        let (a2, h) = (1.0 + v, clean * hazard(z));
        let d1 = h / a2.sqrt();
        if clean == 1.0 {
            let gap = hazard_gap(z); // 1 - h (z + h)
            return PairMoments { d1, d2: (gap - 1.0) / a2, shrink: (1.0 + v * gap) / a2 };
        }
        let d2 = -h * (z + h) / a2;
        PairMoments { d1, d2, shrink: 1.0 + d2 * v }
    }

    /// The site precision that matches the moments.
    pub fn tau(&self) -> f64 {
        -self.d2 / self.shrink
    }
}

/// `m / √(1 + v)`: where the probit of a Gaussian is evaluated.
pub(crate) fn standardised(m: f64, v: f64) -> f64 {
    m / (1.0 + v).sqrt()
}
