//! Three classes: the probability that two Gaussian variables are both positive, however small it is.

use super::Differences;
use crate::special::{hazard, log_phi, panel_nodes};

/// The integrand is followed down to this below the logarithm of its largest value.
const DEPTH: f64 = 42.0;
/// Newton steps to its largest value, and halvings of the way to where it ends.
const STEPS: usize = 60;
/// Panels from one end to the other.
const PANELS: usize = 8;
/// Further ends of panels about the rise of the integrand, in units of its width.
const RISE: [f64; 4] = [0.5, 2.0, 4.0, 9.0];
/// ln √(2 pi).
const LOG_ROOT_TAU: f64 = 0.918_938_533_204_672_7;

/// `log P(h_1 + e_1 > 0, h_2 + e_2 > 0)`, by quadrature over the first.
pub(super) fn log_both_positive(h: &Differences<'_>) -> f64 {
    let s1 = (h.cov(0, 0) + 1.0).sqrt();
    let slope = h.cov(0, 1) / s1;
    let s2 = (h.cov(1, 1) + 1.0 - slope * slope).sqrt();
    let integrand = Integrand { low: -h.mean(0) / s1, start: h.mean(1) / s2, slope: slope / s2 };
    integrand.log_integral()
}

/// `exp(-x²/2) Phi(start + slope x)` on `x > low`. Its logarithm is concave, with a second derivative of -1 or less.
struct Integrand {
    low: f64,
    start: f64,
    slope: f64,
}

impl Integrand {
    fn log(&self, x: f64) -> f64 {
        -0.5 * x * x + log_phi(self.start + self.slope * x)
    }

    /// The derivative of the logarithm.
    fn rise(&self, x: f64) -> f64 {
        self.slope * hazard(self.start + self.slope * x) - x
    }

    fn log_integral(&self) -> f64 {
        let mode = self.mode();
        let most = self.log(mode);
        if !most.is_finite() {
            return most; // nothing to integrate, or no number
        }
        let (low, high) = (self.end(mode, most, -1.0), self.end(mode, most, 1.0));
        // The second factor rises from 0 to 1 about `centre` within some `reach`, which can be far below a panel's width.
        let (centre, reach) = (-self.start / self.slope, 1.0 / self.slope.abs());
        let steep = RISE.iter().flat_map(|r| [centre - r * reach, centre + r * reach]);
        let even = (1..PANELS).map(|p| low + (high - low) * p as f64 / PANELS as f64);
        let mut ends: Vec<f64> = steep.chain(even).filter(|x| *x > low && *x < high).chain([low, high]).collect();
        ends.sort_by(f64::total_cmp);
        let nodes = ends.windows(2).flat_map(|ends| panel_nodes(ends[0], ends[1]));
        let sum: f64 = nodes.map(|(x, w)| w * (self.log(x) - most).exp()).sum();
        most + sum.ln() - LOG_ROOT_TAU
    }

    /// Where it is largest.
    fn mode(&self) -> f64 {
        if self.rise(self.low) <= 0.0 {
            return self.low;
        }
        // The derivative falls by one or more per unit, so that it is zero within this of the left end.
        let (mut left, mut right) = (self.low, self.low + self.rise(self.low));
        for _ in 0..STEPS {
            let middle = 0.5 * (left + right);
            if self.rise(middle) > 0.0 {
                left = middle
            } else {
                right = middle
            }
            if right - left < 1e-3 {
                break;
            }
        }
        0.5 * (left + right)
    }

    /// Where it has fallen by [`DEPTH`] on one side of the mode, or begins.
    fn end(&self, mode: f64, most: f64, side: f64) -> f64 {
        // The logarithm lies below a parabola of curvature one.
        let far = mode + side * (2.0 * DEPTH).sqrt();
        if side < 0.0 && far <= self.low && self.log(self.low) > most - DEPTH {
            return self.low;
        }
        let (mut near, mut far) = (mode, far.max(self.low));
        for _ in 0..STEPS {
            let middle = 0.5 * (near + far);
            if self.log(middle) > most - DEPTH {
                near = middle
            } else {
                far = middle
            }
            if (far - near).abs() < 0.1 * (far - mode).abs() {
                break;
            }
        }
        far
    }
}
