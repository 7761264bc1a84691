//! ln Z for Z = floor + (top - floor) Phi(z) and its derivatives: the closed form behind the whole probit family.
//!
//! With w = (top - floor) Phi / Z, the share of the clean part, and u = floor / Z, ln Z = ln floor + ln(1 + e^a) with
//! a = ln((top - floor)/floor) + ln Phi, so its derivatives are those of ln Phi mixed by w and u. Nothing here divides two
//! underflowing numbers: with floor = 0 it is ln Phi itself.

use crate::special::{hazard, hazard_gap, log_phi, log_phi_derivatives, phi_cdf};

/// Derivatives with respect to eps can exceed f64 (1/Phi(z) where eps = 0); they are held at this size, so that the zero
/// slope of the transform at eps = 0 gives 0 and not NaN.
const LARGEST_SLOPE: f64 = 1e300;

/// The two heights of p(y|f)^power far from the boundary, and their slopes in the label error that makes each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    floor: f64,
    span: f64,
    log_top: f64,
    slopes: [f64; 2],
    /// top floor' - top' floor, in parts: of the floor's label error and of the top's.
    wronskian: [f64; 2],
}

/// Which of the two label errors moves: that of the floor, that of the top, or one that is both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Floor,
    Top,
    Both,
}

impl Levels {
    /// below^power and (1 - above)^power: `below` is the share of the other class that has this label, `above` the share
    /// of this class that has the other.
    pub fn new(below: f64, above: f64, power: f64) -> Self {
        let log_top = power * (-above).ln_1p();
        if power == 1.0 {
            let span = 1.0 - (below + above);
            return Levels { floor: below, span, log_top, slopes: [1.0, -1.0], wronskian: [1.0 - above, below] };
        }
        let floor = below.powf(power);
        let top = log_top.exp();
        let floor_slope = (power * below.powf(power - 1.0)).min(LARGEST_SLOPE);
        let top_slope = -power * (1.0 - above).powf(power - 1.0);
        Levels {
            floor,
            span: top - floor,
            log_top,
            slopes: [floor_slope, top_slope],
            wronskian: [top * floor_slope, -top_slope * floor],
        }
    }

    /// ln Z, with full relative accuracy both near 0 and near 1.
    pub fn log_z(&self, z: f64) -> f64 {
        if z > 0.0 {
            self.log_top + (-self.span * (-self.log_top).exp() * phi_cdf(-z)).ln_1p()
        } else if self.floor > 0.0 {
            (self.floor + self.span * phi_cdf(z)).ln()
        } else {
            self.span.ln() + log_phi(z)
        }
    }

    pub fn z(&self, z: f64) -> f64 {
        self.floor + self.span * phi_cdf(z)
    }

    /// The shares of the clean part and of the floor in Z; they sum to 1.
    fn shares(&self, z: f64) -> [f64; 2] {
        if self.floor == 0.0 {
            return [1.0, 0.0];
        }
        let clean = self.span * phi_cdf(z);
        [clean / (self.floor + clean), self.floor / (self.floor + clean)]
    }

    /// d ln Z / dz, d2 ln Z / dz2 and 1 + the latter, a sum of positive terms.
    pub fn slopes(&self, z: f64) -> (f64, f64, f64) {
        let [w, u] = self.shares(z);
        let h = hazard(z);
        let gap = hazard_gap(z);
        if w == 0.0 {
            return (0.0, 0.0, 1.0); // h^2 may be huge where w has underflowed
        }
        let second = if z > 0.0 { -h * (z + h) } else { gap - 1.0 };
        (w * h, w * (second + u * h * h), u + w * gap + w * u * h * h)
    }

    /// The first four derivatives of ln Z in z.
    pub fn derivatives(&self, z: f64) -> [f64; 4] {
        let [w, u] = self.shares(z);
        let ([g1, g2, g3, g4], _) = log_phi_derivatives(z);
        if u == 0.0 {
            return [g1, g2, g3, g4];
        }
        if w == 0.0 {
            return [0.0; 4];
        }
        let wu = w * u;
        [
            w * g1,
            w * g2 + wu * g1 * g1,
            w * g3 + 3.0 * wu * g1 * g2 + wu * (u - w) * g1.powi(3),
            w * g4
                + wu * (4.0 * g1 * g3 + 3.0 * g2 * g2)
                + 6.0 * wu * (u - w) * g1 * g1 * g2
                + wu * (1.0 - 6.0 * wu) * g1.powi(4),
        ]
    }

    /// d/d (label error) of ln Z, of its first and of its second derivative in z, given the first.
    pub fn by_error(&self, moved: Moved, z: f64, first: f64) -> [f64; 3] {
        let [of_floor, of_top] = [moved != Moved::Top, moved != Moved::Floor].map(|counts| f64::from(u8::from(counts)));
        let [floor_slope, top_slope] = self.slopes;
        let total = self.z(z);
        let value = (of_floor * floor_slope * phi_cdf(-z) + of_top * top_slope * phi_cdf(z)) / total;
        // N/Z^2 through dlnZ/dz = (top - floor) N/Z, which does not underflow where floor = 0.
        let wronskian = of_floor * self.wronskian[0] + of_top * self.wronskian[1];
        let density = wronskian * (first / self.span) / total;
        [value, -density, (z + 2.0 * first) * density].map(hold)
    }
}

/// Finite, whatever overflowed or underflowed on the way.
pub(super) fn hold(value: f64) -> f64 {
    if value.is_nan() { LARGEST_SLOPE } else { value.clamp(-LARGEST_SLOPE, LARGEST_SLOPE) }
}
