//! The softmax of several functions, at a point and averaged over a Gaussian (multiclass 5).

use crate::special::{normal_density, normal_quantile, panel_nodes};
use gpclass_linalg::{Mat, cholesky_in_place, vector};

/// The normal density is cut this many standard deviations out.
const FARTHEST: f64 = 8.3;
/// Panels of an integral over one difference: at least these many, so wide in units of the functions, and at most these many.
const PANELS: (f64, f64, f64) = (4.0, 7.0, 150.0);
/// Most panels for each of three differences.
const PANELS_OF_THREE: f64 = 10.0;
/// Points of the lattice where there are five classes or more: probabilities are then good to about 1e-3.
const POINTS: usize = 1 << 14;

/// `f_c - log Σ exp f`.
pub(super) fn at(f: &[f64]) -> Vec<f64> {
    let largest = f.iter().fold(f64::NEG_INFINITY, |m, f| m.max(*f));
    let total: f64 = f.iter().map(|f| (f - largest).exp()).sum();
    f.iter().map(|f| f - largest - total.ln()).collect()
}

/// `E softmax(f)`, `f ~ N(mean, cov)`: by quadrature over the differences up to four classes, over a lattice above.
pub(super) fn averaged(mean: &[f64], cov: &Mat) -> Vec<f64> {
    let differences = mean.len() - 1;
    let mut chol = Mat::from_fn(differences, differences, |a, b| {
        let (c, d) = (a + 1, b + 1);
        let v = cov[(c, d)] - cov[(c, 0)] - cov[(0, d)] + cov[(0, 0)];
        // Functions that move together have no variance between them; a trace of it gives the factor that is wanted.
        if a == b { v.max(0.0) * (1.0 + 1e-14) + 1e-14 } else { v }
    });
    if cholesky_in_place(&mut chol).is_err() {
        return at(mean).iter().map(|log| log.exp()).collect();
    }
    let mut sum = Average { mean, chol: &chol, f: vec![0.0; mean.len()], total: vec![0.0; mean.len()] };
    match differences {
        0 => return vec![1.0],
        1 => nodes(chol[(0, 0)], PANELS.2).iter().for_each(|&(z, w)| sum.add(&[z], w)),
        2 => {
            let inner = nodes(chol[(1, 1)], PANELS.2);
            for &(z, w) in &nodes(chol[(0, 0)].hypot(chol[(1, 0)]), PANELS.2) {
                inner.iter().for_each(|&(z2, w2)| sum.add(&[z, z2], w * w2));
            }
        }
        3 => {
            let of = |k: usize| nodes(vector::dot(&chol.col(k)[k..], &chol.col(k)[k..]).sqrt(), PANELS_OF_THREE);
            let (outer, middle, inner) = (of(0), of(1), of(2));
            for &(z, w) in &outer {
                for &(z2, w2) in &middle {
                    inner.iter().for_each(|&(z3, w3)| sum.add(&[z, z2, z3], w * w2 * w3));
                }
            }
        }
        _ => lattice(differences).for_each(|z| sum.add(&z, 1.0)),
    }
    let all: f64 = sum.total.iter().sum();
    sum.total.iter().map(|p| p / all).collect()
}

struct Average<'a> {
    mean: &'a [f64],
    chol: &'a Mat,
    f: Vec<f64>,
    total: Vec<f64>,
}

impl Average<'_> {
    /// Adds the softmax where the differences to the first function are `mean + L z`.
    fn add(&mut self, z: &[f64], weight: f64) {
        self.f[0] = 0.0;
        for c in 0..z.len() {
            let shift: f64 = (0..=c).map(|k| self.chol[(c, k)] * z[k]).sum();
            self.f[c + 1] = self.mean[c + 1] - self.mean[0] + shift;
        }
        let log = at(&self.f);
        self.total.iter_mut().zip(log).for_each(|(total, log)| *total += weight * log.exp());
    }
}

/// Positions and weights under the standard normal, fine enough for a softmax of `deviation` times the position.
fn nodes(deviation: f64, most: f64) -> Vec<(f64, f64)> {
    let (least, width, _) = PANELS;
    let panels = (2.0 * FARTHEST * deviation / width).clamp(least, most).ceil();
    let end = |k: usize| -FARTHEST + 2.0 * FARTHEST * k as f64 / panels;
    let panel = |k: usize| panel_nodes(end(k), end(k + 1)).map(|(z, w)| (z, w * normal_density(z)));
    (0..panels as usize).flat_map(panel).collect()
}

/// Standard normal points of a rank-one lattice: multiples of the powers of the generalised golden ratio, folded so that
/// the integrand is periodic.
fn lattice(dimensions: usize) -> impl Iterator<Item = Vec<f64>> {
    let mut ratio: f64 = 1.5;
    for _ in 0..60 {
        ratio = (1.0 + ratio).powf(1.0 / (dimensions as f64 + 1.0)); // ratio^(d+1) = ratio + 1
    }
    (0..POINTS).map(move |k| {
        let folded = |j: usize| {
            let turned = (0.5 + (k + 1) as f64 * ratio.powi(-(j as i32 + 1))).fract();
            (1.0 - (2.0 * turned - 1.0).abs()).clamp(1e-15, 1.0 - 1e-15)
        };
        (0..dimensions).map(|j| normal_quantile(folded(j))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_do_not_depend_on_the_order_and_shrink_towards_even_shares() {
        for count in [3, 4, 6] {
            let mean: Vec<f64> = (0..count).map(|c| [1.5, -0.5, 0.3, 0.0, -1.0, 0.7][c]).collect();
            let cov = Mat::from_fn(count, count, |c, d| if c == d { 2.0 + c as f64 } else { 0.5 });
            let p = averaged(&mean, &cov);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let turned: Vec<f64> = (0..count).map(|c| mean[(c + 1) % count]).collect();
            let turned_cov = Mat::from_fn(count, count, |c, d| cov[((c + 1) % count, (d + 1) % count)]);
            let q = averaged(&turned, &turned_cov);
            let allowed = if count <= 4 { 1e-9 } else { 1e-3 };
            (0..count).for_each(|c| assert!((p[(c + 1) % count] - q[c]).abs() < allowed, "{p:?} {q:?}"));
            assert!(p[0] < at(&mean)[0].exp() && p[0] > 1.0 / count as f64);
        }
    }

    #[test]
    fn what_is_common_to_all_functions_cancels() {
        let common = Mat::from_fn(3, 3, |_, _| 7.0);
        let p = averaged(&[0.2, 1.0, -0.4], &common);
        at(&[0.2, 1.0, -0.4]).iter().zip(p).for_each(|(log, p)| assert!((log.exp() - p).abs() < 1e-6));
    }
}
