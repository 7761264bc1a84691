//! Class probabilities of the multinomial probit under Gaussian functions (multiclass 4).
//!
//! `P(y = k) = P(f_k + e_k > f_c + e_c for all c)`, `e ~ N(0, I)`: an orthant probability of the differences. What all
//! functions share cancels in them, so that the covariances between functions must never be left out.

use crate::special::{hazard, hazard_gap, log_phi, normal_density, panel_nodes, phi_cdf};
use gpclass_linalg::Mat;

/// Sweeps of the small EP for one class.
const MAX_SWEEPS: usize = 100;
/// Change in a sweep at which the small EP ends; the log-normaliser then moves by its square.
const SETTLED: f64 = 1e-9;
/// The normal density is cut this many standard deviations out.
const FARTHEST: f64 = 9.0;
/// Panels of the integral over one difference.
const PANELS: usize = 8;
/// Further ends of panels about the rise of the integrand, in units of its width.
const RISE: [f64; 4] = [0.5, 2.0, 4.0, 9.0];

/// The probabilities of all classes for functions with the given means and covariances, which sum to one: exact for two and
/// for three classes, to about 3e-3 above, or 2e-2 where one class is ten times less certain than the others.
pub fn class_probabilities(mean: &[f64], cov: &Mat) -> Vec<f64> {
    let count = mean.len();
    let raw: Vec<f64> = (0..count)
        .map(|k| {
            let (m, v) = differences(mean, cov, k);
            match m.len() {
                0 => 1.0,
                1 => phi_cdf(standardised(m[0], v[(0, 0)])),
                2 => both_positive(&m, &v),
                _ => small_ep(&m, &v).exp(),
            }
        })
        .collect();
    let total: f64 = raw.iter().sum();
    raw.iter().map(|p| p / total).collect()
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

/// The log of `E Π Phi(h_c)` by EP over scalar sites, one after the other: all at once, their means can swing ever wider where
/// one class is far less certain than the others.
fn small_ep(m: &[f64], v: &Mat) -> f64 {
    let mut state = SmallEp::new(m, v);
    for _ in 0..MAX_SWEEPS {
        let change = (0..m.len()).map(|c| state.match_site(c)).fold(0.0, f64::max);
        if change < SETTLED {
            break;
        }
    }
    state.log_z(m)
}

/// The posterior of the differences under Gaussian sites.
struct SmallEp {
    mean: Vec<f64>,
    cov: Mat,
    tau: Vec<f64>,
    nu: Vec<f64>,
    /// `log |I + V diag(tau)|`.
    log_det: f64,
}

impl SmallEp {
    fn new(m: &[f64], v: &Mat) -> Self {
        SmallEp { mean: m.to_vec(), cov: v.clone(), tau: vec![0.0; m.len()], nu: vec![0.0; m.len()], log_det: 0.0 }
    }

    /// Mean and variance without a site, and the share `1 - tau var` of the variance that the site leaves.
    fn cavity(&self, c: usize) -> (f64, f64, f64) {
        let own = self.cov[(c, c)];
        let gap = 1.0 - self.tau[c] * own;
        ((self.mean[c] - own * self.nu[c]) / gap, own / gap, gap)
    }

    /// Gives a site the moments of its term. Returns by how much the difference moved: its variance relatively, its mean in
    /// standard deviations.
    fn match_site(&mut self, c: usize) -> f64 {
        let (m, v, _) = self.cavity(c);
        let term = PairMoments::at(standardised(m, v), v, 1.0);
        let (tau, nu) = (term.tau(), (term.d1 - term.d2 * m) / term.shrink);
        let column = self.cov.col(c).to_vec();
        let (own, d_tau) = (column[c], tau - self.tau[c]);
        let grown = 1.0 + d_tau * own;
        let pull = (nu - self.nu[c] - d_tau * self.mean[c]) / grown;
        for (j, by) in column.iter().enumerate() {
            self.mean[j] += pull * by;
            let share = d_tau / grown * by;
            self.cov.col_mut(j).iter_mut().zip(&column).for_each(|(cov, x)| *cov -= share * x);
        }
        self.log_det += grown.ln();
        (self.tau[c], self.nu[c]) = (tau, nu);
        (d_tau * own).abs().max(pull.abs() * own.sqrt())
    }

    /// The log-normaliser, for prior means `m`.
    fn log_z(&self, m: &[f64]) -> f64 {
        let share = |c: usize| {
            let (cavity, s, gap) = self.cavity(c);
            let b = self.nu[c] - self.tau[c] * self.mean[c];
            log_phi(standardised(cavity, s)) - 0.5 * gap.ln() + 0.5 * b * (s * b - (self.mean[c] - m[c]))
        };
        (0..m.len()).map(share).sum::<f64>() - 0.5 * self.log_det
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// For functions that are independent the probabilities are integrals over one of them.
    fn by_quadrature(mean: &[f64], sd: &[f64], k: usize) -> f64 {
        let deviation = |c: usize| (sd[c] * sd[c] + 1.0).sqrt();
        let others = |g: f64| -> f64 {
            (0..mean.len()).filter(|c| *c != k).map(|c| phi_cdf((g - mean[c]) / deviation(c))).product()
        };
        let step = 1e-3;
        let at = |i: i32| f64::from(i) * step;
        (-9000..=9000).map(|i| step * normal_density(at(i)) * others(mean[k] + deviation(k) * at(i))).sum()
    }

    #[test]
    fn a_class_that_is_far_less_certain_keeps_its_probability() {
        let mean = [7.0, -10.0, 2.0, -1.0, 3.0, 12.0, -183.0, 24.0];
        let sd = [17.0, 17.0, 17.0, 17.0, 17.0, 17.0, 170.0, 17.0];
        let p = class_probabilities(&mean, &Mat::from_fn(8, 8, |c, d| if c == d { sd[c] * sd[c] } else { 0.0 }));
        for (k, p) in p.iter().enumerate() {
            let exact = by_quadrature(&mean, &sd, k);
            assert!((p - exact).abs() < 0.025, "class {k}: {p} for {exact}");
        }
        assert!(p[6] > 0.07, "{p:?}");
    }
}
