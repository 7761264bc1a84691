//! Posteriors of a few rows by direct integration over the latent values.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use gpclass::linalg::Mat;

/// Half-width of the trapezium rule in each whitened coordinate. For smooth integrands the rule converges faster than
/// any power of its step.
const REACH: f64 = 8.0;
/// Its step for one, two and three rows: as fine as costs nothing.
const STEPS: [f64; 3] = [0.03125, 0.0625, 0.32];
/// Points that weigh less than this, where the largest weigh about 1, are passed over.
const NEGLIGIBLE: f64 = 1e-15;

/// Evidence and posterior moments of the latent values, exact but for quadrature.
pub struct Exact {
    pub log_z: f64,
    pub mean: Vec<f64>,
    pub var: Vec<f64>,
    /// Expectation of `probability`.
    pub probability: f64,
}

/// Integrates `prod_i exp(log_p(i, f_i))` over f ~ N(0, K). `probability(u)` is averaged over the posterior as a function
/// of the whitened values u, f = L u with `K = L Lᵀ` (see [`lower_factor`]).
pub fn integrate(k: &Mat, log_p: impl Fn(usize, f64) -> f64, probability: impl Fn(&[f64]) -> f64) -> Exact {
    let n = k.rows();
    let l = lower_factor(k);
    let step = STEPS[n - 1];
    let side = (2.0 * REACH / step) as usize + 1;
    let mut sums = vec![0.0; 2 + 2 * n];
    let mut u = vec![0.0; n];
    for point in 0..side.pow(n as u32) {
        let mut rest = point;
        for coordinate in &mut u {
            *coordinate = -REACH + step * (rest % side) as f64;
            rest /= side;
        }
        let f: Vec<f64> = (0..n).map(|i| (0..=i).map(|j| l[(i, j)] * u[j]).sum()).collect();
        let log_weight: f64 = (0..n).map(|i| log_p(i, f[i]) - 0.5 * u[i] * u[i]).sum();
        let weight = log_weight.exp();
        if weight < NEGLIGIBLE {
            continue;
        }
        sums[0] += weight;
        sums[1] += weight * probability(&u);
        for i in 0..n {
            sums[2 + i] += weight * f[i];
            sums[2 + n + i] += weight * f[i] * f[i];
        }
    }
    let cell = (step / std::f64::consts::TAU.sqrt()).powi(n as i32);
    let mean: Vec<f64> = (0..n).map(|i| sums[2 + i] / sums[0]).collect();
    let var = (0..n).map(|i| sums[2 + n + i] / sums[0] - mean[i] * mean[i]).collect();
    Exact { log_z: (sums[0] * cell).ln(), mean, var, probability: sums[1] / sums[0] }
}

/// L with K = L Lᵀ, by the textbook recursion.
pub fn lower_factor(k: &Mat) -> Mat {
    let n = k.rows();
    let mut l = Mat::zeros(n, n);
    for i in 0..n {
        for j in 0..=i {
            let rest = k[(i, j)] - (0..j).map(|m| l[(i, m)] * l[(j, m)]).sum::<f64>();
            l[(i, j)] = if i == j { rest.sqrt() } else { rest / l[(j, j)] };
        }
    }
    l
}

/// L⁻¹ x.
pub fn whiten(l: &Mat, x: &[f64]) -> Vec<f64> {
    let mut out = x.to_vec();
    for i in 0..x.len() {
        for j in 0..i {
            out[i] -= l[(i, j)] * out[j];
        }
        out[i] /= l[(i, i)];
    }
    out
}
