//! Four classes and more: EP over the scalar terms of one class, in memory that is used for all of them.

use super::{Differences, PairMoments, standardised};
use crate::special::{hazard, log_phi};

/// Sweeps for one class.
const MAX_SWEEPS: usize = 100;
/// Mean steps per sweep.
const MEAN_STEPS: usize = 6;
/// EP ends when means and variances match to this, in posterior standard deviations. The error of log Z is of the order of its square.
const SETTLED: f64 = 1e-6;
/// Halvings of a mean step before it is given up.
const MAX_HALVINGS: usize = 12;
/// The mean conditions are solved to this share of the last sweep's mismatch.
const MEAN_SHARE: f64 = 1e-2;
/// The largest change of a precision in one sweep, as a factor: exp(4).
const MAX_FACTOR: f64 = 54.598_150_033_144_236;

/// `log E Π_c Phi(h_c)` for Gaussian `h`. Matrices are row by row.
pub(super) struct SmallEp {
    d: usize,
    m: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    root: Vec<f64>,
    b: Vec<f64>,
    /// `V b`.
    shift: Vec<f64>,
    /// `L⁻¹`, `I + S V S = L Lᵀ`, `S = tau^½`.
    inverse: Vec<f64>,
    /// `1 - tau var`.
    gap: Vec<f64>,
    /// Cavity variances.
    s: Vec<f64>,
    lacking: Vec<f64>,
    passed: Vec<f64>,
    /// `b` before a step, and the step.
    before: Vec<f64>,
    step: Vec<f64>,
}

impl SmallEp {
    /// For `d` variables.
    pub fn new(d: usize) -> Self {
        let zeros = || vec![0.0; d];
        let square = || vec![0.0; d * d];
        SmallEp {
            d,
            m: zeros(),
            v: square(),
            tau: zeros(),
            root: zeros(),
            b: zeros(),
            shift: zeros(),
            inverse: square(),
            gap: zeros(),
            s: zeros(),
            lacking: zeros(),
            passed: zeros(),
            before: zeros(),
            step: zeros(),
        }
    }

    /// What is no number stays so.
    pub fn log_z(&mut self, h: &Differences<'_>) -> f64 {
        let d = self.d;
        for c in 0..d {
            self.m[c] = h.mean(c);
            (0..d).for_each(|e| self.v[c * d + e] = h.cov(c, e));
            (self.b[c], self.shift[c]) = (0.0, 0.0);
            let v = self.v[c * d + c];
            self.tau[c] = matching(&PairMoments::at(standardised(self.m[c], v), v, 1.0));
        }
        let mut mismatch = f64::INFINITY;
        for sweep in 1.. {
            let Some(log_det) = self.factorise() else { return f64::NAN };
            self.settle(MEAN_SHARE * mismatch.min(1.0));
            mismatch = self.move_precisions();
            if mismatch <= SETTLED * SETTLED || sweep == MAX_SWEEPS || mismatch.is_nan() {
                return self.evidence(log_det);
            }
            std::mem::swap(&mut self.tau, &mut self.passed);
        }
        f64::NAN
    }

    /// `L⁻¹`, and with it the cavity variances; the log-determinant of `L Lᵀ`. None where `V` is no number: else the matrix exceeds the
    /// identity.
    fn factorise(&mut self) -> Option<f64> {
        let d = self.d;
        self.root.iter_mut().zip(&self.tau).for_each(|(root, tau)| *root = tau.sqrt());
        let l = &mut self.inverse;
        let mut log_det = 0.0;
        for i in 0..d {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| l[i * d + k] * l[j * d + k]).sum();
                let entry = self.root[i] * self.v[i * d + j] * self.root[j] - known;
                if i == j {
                    let pivot = 1.0 + entry;
                    let proper = pivot > 0.0 && pivot.is_finite();
                    if !proper {
                        return None;
                    }
                    log_det += pivot.ln();
                    l[i * d + i] = pivot.sqrt();
                } else {
                    l[i * d + j] = entry / l[j * d + j];
                }
            }
        }
        // Row by row, each from the rows above it.
        for i in 0..d {
            let own = 1.0 / l[i * d + i];
            for j in 0..i {
                let sum: f64 = (j..i).map(|k| l[i * d + k] * l[k * d + j]).sum();
                l[i * d + j] = -own * sum;
            }
            l[i * d + i] = own;
        }
        for c in 0..d {
            self.gap[c] = (c..d).map(|i| l[i * d + c] * l[i * d + c]).sum();
            self.s[c] = (1.0 - self.gap[c]) / self.tau[c] / self.gap[c];
        }
        Some(log_det)
    }

    fn z(&self, c: usize) -> f64 {
        standardised(self.m[c] + self.shift[c] - self.s[c] * self.b[c], self.s[c])
    }

    /// Solves the mean conditions at the cavity variances until their mismatch is below `enough`.
    fn settle(&mut self, enough: f64) {
        let mut mismatch = self.mean_mismatch();
        for _ in 0..MEAN_STEPS {
            // The last step is worth it unless means match as well as they ever need to.
            if mismatch <= enough.min(MEAN_SHARE * SETTLED * SETTLED) {
                return;
            }
            let enough_after = mismatch * MEAN_SHARE <= enough;
            match self.mean_step(mismatch) {
                Some(better) if !enough_after => mismatch = better,
                _ => return,
            }
        }
    }

    /// `Σ (m_hat - E h)² / (2 var)` and `d1 - b`.
    fn mean_mismatch(&mut self) -> f64 {
        let mut mismatch = 0.0;
        for c in 0..self.d {
            let d1 = hazard(self.z(c)) / (1.0 + self.s[c]).sqrt();
            self.lacking[c] = d1 - self.b[c];
            mismatch += self.mean_mismatch_of(c);
        }
        mismatch
    }

    /// `(m_hat - E h)² / (2 var)`.
    fn mean_mismatch_of(&self, c: usize) -> f64 {
        let shift = self.s[c] * self.lacking[c];
        shift * shift / (2.0 * self.s[c] * self.gap[c]).max(f64::MIN_POSITIVE)
    }

    /// `db = S B⁻¹ S (1/tau + s) (d1 - b)`, halved until the mismatch falls: whole steps can swing ever wider where one class is
    /// far less certain than the others. The mismatch after it; `None` if none makes it fall.
    fn mean_step(&mut self, mismatch: f64) -> Option<f64> {
        let d = self.d;
        for i in 0..d {
            self.lacking[i] /= self.gap[i] * self.root[i];
        }
        for i in 0..d {
            self.passed[i] = (0..=i).map(|k| self.inverse[i * d + k] * self.lacking[k]).sum();
        }
        for c in 0..d {
            let solved: f64 = (c..d).map(|i| self.inverse[i * d + c] * self.passed[i]).sum();
            (self.before[c], self.step[c]) = (self.b[c], self.root[c] * solved);
        }
        let mut share = 1.0;
        for _ in 0..=MAX_HALVINGS {
            self.move_means(share);
            let trial = self.mean_mismatch();
            if trial < mismatch {
                return Some(trial);
            }
            share *= 0.5;
        }
        self.move_means(0.0);
        None
    }

    /// Goes a share of the step.
    fn move_means(&mut self, share: f64) {
        let d = self.d;
        for c in 0..d {
            self.b[c] = self.before[c] + share * self.step[c];
        }
        for c in 0..d {
            self.shift[c] = self.v[c * d..(c + 1) * d].iter().zip(&self.b).map(|(v, b)| v * b).sum();
        }
    }

    /// The precisions that match, written to `passed`; the mismatch of the present ones and of the means.
    fn move_precisions(&mut self) -> f64 {
        let mut mismatch = 0.0;
        for c in 0..self.d {
            let term = PairMoments::at(self.z(c), self.s[c], 1.0);
            self.lacking[c] = term.d1 - self.b[c];
            let widening = term.shrink / self.gap[c] - 1.0;
            mismatch += self.mean_mismatch_of(c) + widening * widening / 4.0;
            let factor = (matching(&term) / self.tau[c]).clamp(1.0 / MAX_FACTOR, MAX_FACTOR);
            self.passed[c] = self.tau[c] * factor;
        }
        mismatch
    }

    fn evidence(&self, log_det: f64) -> f64 {
        let share = |c: usize| {
            let pull = 0.5 * self.b[c] * (self.s[c] * self.b[c] - self.shift[c]);
            log_phi(self.z(c)) - 0.5 * self.gap[c].ln() + pull
        };
        (0..self.d).map(share).sum::<f64>() - 0.5 * log_det
    }
}

/// The precision that matches, kept from vanishing, for it is divided by.
fn matching(term: &PairMoments) -> f64 {
    term.tau().max(f64::MIN_POSITIVE)
}
