//! Class probabilities of the multinomial probit under Gaussian functions (multiclass 4).
//!
//! `P(y = k) = P(f_k + e_k > f_c + e_c for all c)`, `e ~ N(0, I)`: an orthant probability of the differences. What all
//! functions share cancels in them, so that the covariances between functions must never be left out.

use crate::special::{hazard, hazard_gap, log_phi, normal_density, panel_nodes, phi_cdf};
use gpclass_linalg::{Mat, cholesky_in_place, invert_lower};

/// Sweeps of the small EP for one class.
const MAX_SWEEPS: usize = 100;
/// Mean steps per sweep.
const MEAN_STEPS: usize = 6;
/// Relative change of the precisions at which the small EP ends.
const SETTLED: f64 = 1e-12;
/// The largest change of a precision in one sweep, in units of its logarithm.
const MAX_LOG_STEP: f64 = 4.0;
/// The normal density is cut this many standard deviations out.
const FARTHEST: f64 = 9.0;
/// Panels of the integral over one difference.
const PANELS: usize = 8;
/// Further ends of panels about the rise of the integrand, in units of its width.
const RISE: [f64; 4] = [0.5, 2.0, 4.0, 9.0];

/// The probabilities of all classes for functions with the given means and covariances, which sum to one: exact for two and
/// for three classes, to about 3e-3 above.
pub fn class_probabilities(mean: &[f64], cov: &Mat) -> Vec<f64> {
    let raw: Vec<f64> = (0..mean.len()).map(|class| class_probability(mean, cov, class)).collect();
    let total: f64 = raw.iter().sum();
    raw.iter().map(|p| p / total).collect()
}

/// The probability of one class at the cost of one: as among [`class_probabilities`], but that above three classes these
/// sum to one only by being divided.
pub fn class_probability(mean: &[f64], cov: &Mat, class: usize) -> f64 {
    let (m, v) = differences(mean, cov, class);
    match m.len() {
        0 => 1.0,
        1 => phi_cdf(standardised(m[0], v[(0, 0)])),
        2 => both_positive(&m, &v),
        _ => small_ep(&m, &v).exp(),
    }
}

/// Mean and covariance of `h_c = u + f_k - f_c`, `u ~ N(0, 1)`, over the other classes.
fn differences(mean: &[f64], cov: &Mat, k: usize) -> (Vec<f64>, Mat) {
    let others: Vec<usize> = (0..mean.len()).filter(|&c| c != k).collect();
    let m = others.iter().map(|&c| mean[k] - mean[c]).collect();
    let v = Mat::from_fn(others.len(), others.len(), |a, b| {
        let (c, d) = (others[a], others[b]);
        1.0 + (cov[(k, k)] - cov[(k, d)]) + (cov[(c, d)] - cov[(c, k)])
    });
    (m, v)
}

/// `P(h_1 + e_1 > 0, h_2 + e_2 > 0)` by quadrature over the first.
fn both_positive(m: &[f64], v: &Mat) -> f64 {
    let (s1, shared) = ((v[(0, 0)] + 1.0).sqrt(), v[(0, 1)]);
    let slope = shared / s1;
    let s2 = (v[(1, 1)] + 1.0 - slope * slope).sqrt();
    let low = (-m[0] / s1).max(-FARTHEST);
    if low >= FARTHEST {
        return 0.0;
    }
    // The second factor rises from 0 to 1 about `centre` within some `reach`, which can be far below a panel's width.
    let (centre, reach) = (-m[1] / slope, s2 / slope.abs());
    let steep = RISE.iter().flat_map(|r| [centre - r * reach, centre + r * reach]);
    let even = (1..PANELS).map(|p| low + (FARTHEST - low) * p as f64 / PANELS as f64);
    let mut ends: Vec<f64> = steep.chain(even).filter(|x| *x > low && *x < FARTHEST).chain([low, FARTHEST]).collect();
    ends.sort_by(f64::total_cmp);
    let integrand = |x: f64| normal_density(x) * phi_cdf((m[1] + slope * x) / s2);
    ends.windows(2).flat_map(|ends| panel_nodes(ends[0], ends[1])).map(|(x, w)| w * integrand(x)).sum()
}

/// The log of `E Π Phi(h_c)` by EP over scalar sites.
fn small_ep(m: &[f64], v: &Mat) -> f64 {
    let d = m.len();
    let term = |m: f64, v: f64| PairMoments::at(standardised(m, v), v, 1.0);
    // Kept from vanishing, for it is divided by.
    let matching = |term: &PairMoments| term.tau().max(f64::MIN_POSITIVE);
    let mut tau: Vec<f64> = (0..d).map(|c| matching(&term(m[c], v[(c, c)]))).collect();
    let mut b = vec![0.0; d];
    for sweep in 1.. {
        let root: Vec<f64> = tau.iter().map(|t| t.sqrt()).collect();
        let mut chol = Mat::from_fn(d, d, |i, j| root[i] * v[(i, j)] * root[j] + f64::from(i == j));
        // B = I + S V S exceeds the identity, so it has a factor unless V itself is no number.
        if cholesky_in_place(&mut chol).is_err() {
            return f64::NAN;
        }
        let mut inverse = Mat::zeros(d, d);
        invert_lower(&chol, &mut inverse);
        let gap: Vec<f64> = inverse.columns().map(|c| c.iter().map(|x| x * x).sum()).collect(); // 1 - tau var
        let s: Vec<f64> = (0..d).map(|c| (1.0 - gap[c]) / tau[c] / gap[c]).collect();
        let cavity = |c: usize, shift: &[f64], b: &[f64]| m[c] + shift[c] - s[c] * b[c];
        let mut terms: Vec<PairMoments> = Vec::new();
        let mut shift = vec![0.0; d];
        for step in 0..=MEAN_STEPS {
            shift = v.mul_vec(&b);
            terms = (0..d).map(|c| term(cavity(c, &shift, &b), s[c])).collect();
            if step == MEAN_STEPS {
                break;
            }
            // db = S B⁻¹ S (1/tau + s) (d1 - b)
            let scaled: Vec<f64> = (0..d).map(|c| (terms[c].d1 - b[c]) / gap[c] / root[c]).collect();
            let solved = inverse.transpose_mul_vec(&inverse.mul_vec(&scaled));
            (0..d).for_each(|c| b[c] += root[c] * solved[c]);
        }
        let settled = (0..d).all(|c| (matching(&terms[c]) / tau[c] - 1.0).abs() < SETTLED);
        if settled || sweep == MAX_SWEEPS {
            let log_det = 2.0 * chol.diag().iter().map(|x| x.ln()).sum::<f64>();
            let log_z = |c: usize| log_phi(standardised(cavity(c, &shift, &b), s[c]));
            let share = |c: usize| log_z(c) - 0.5 * gap[c].ln() + 0.5 * b[c] * (s[c] * b[c] - shift[c]);
            return (0..d).map(share).sum::<f64>() - 0.5 * log_det;
        }
        for c in 0..d {
            tau[c] *= (matching(&terms[c]) / tau[c]).ln().clamp(-MAX_LOG_STEP, MAX_LOG_STEP).exp();
        }
    }
    f64::NAN
}

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
