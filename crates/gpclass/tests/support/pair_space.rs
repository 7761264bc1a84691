//! The fixed-point conditions of EP for several classes from first principles: all pairs `h_ic = u_i + f_iy - f_ic` as one dense
//! Gaussian, with nothing of the engine's structure (multiclass 1, 6).

use crate::class_problems::Problem;
use gpclass::inference::joint::PairSites;
use gpclass::linalg::Mat;
use gpclass::special::{normal_density, phi_cdf};

/// The residual of the given sites, as reports define it, and the smallest eigenvalue-like pivot of the posterior.
pub fn residual(problem: &Problem, label_error: f64, sites: &PairSites) -> f64 {
    let pairs = pairs(problem);
    let h = prior_of_pairs(problem, &pairs);
    let n = pairs.len();
    let value = |m: &Mat, p: usize| m[(pairs[p].0, pairs[p].1)];
    // Sigma = (I + H T)⁻¹ H, E h = H beta.
    let system = Mat::from_fn(n, n, |p, q| f64::from(u8::from(p == q)) + h[(p, q)] * value(&sites.tau, q));
    let sigma = solve(system, h.clone());
    let beta: Vec<f64> = (0..n).map(|p| value(&sites.beta, p)).collect();
    let mean = h.mul_vec(&beta);
    let cavity = |p: usize| {
        let var = sigma[(p, p)];
        let v = var / (1.0 - value(&sites.tau, p) * var);
        (mean[p] - v * beta[p], v)
    };
    let z = |p: usize| cavity(p).0 / (1.0 + cavity(p).1).sqrt();
    let count = problem.count as f64;
    let mut sum = 0.0;
    for p in 0..n {
        let (m, v) = cavity(p);
        assert!(sigma[(p, p)] > 0.0 && v > 0.0, "an improper posterior");
        let rest: f64 = (0..n).filter(|&q| q != p && pairs[q].0 == pairs[p].0).map(|q| phi_cdf(z(q))).product();
        // Z = rho + (1 - C rho) Π Phi, as a function of this pair's cavity mean.
        let (a, z) = ((1.0 + v).sqrt(), z(p));
        let scale = (1.0 - count * label_error) * rest;
        let normaliser = label_error + scale * phi_cdf(z);
        let d1 = scale * normal_density(z) / (a * normaliser);
        let d2 = -scale * z * normal_density(z) / (a * a * normaliser) - d1 * d1;
        let (tilted_mean, tilted_var) = (m + v * d1, v + v * v * d2);
        let (var, shift) = (sigma[(p, p)], tilted_mean - mean[p]);
        sum += (tilted_var / var - 1.0).powi(2) / 4.0 + shift * shift / (2.0 * var);
    }
    sum.sqrt()
}

fn pairs(problem: &Problem) -> Vec<(usize, usize)> {
    let others = |i: usize| (0..problem.count).filter(move |&c| c != problem.classes[i].position());
    (0..problem.classes.len()).flat_map(|i| others(i).map(move |c| (i, c))).collect()
}

fn prior_of_pairs(problem: &Problem, pairs: &[(usize, usize)]) -> Mat {
    let k = problem.covariance();
    let own = |i: usize| problem.classes[i].position();
    let same = |a: usize, b: usize| f64::from(u8::from(a == b));
    Mat::from_fn(pairs.len(), pairs.len(), |p, q| {
        let ((i, c), (j, d)) = (pairs[p], pairs[q]);
        let common = same(own(i), own(j)) - same(own(i), d) - same(c, own(j)) + same(c, d);
        same(i, j) + common * k[(i, j)]
    })
}

/// `a⁻¹ b` by elimination with row pivots.
fn solve(mut a: Mat, mut b: Mat) -> Mat {
    let n = a.rows();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[(i, k)].abs().total_cmp(&a[(j, k)].abs())).unwrap_or(k);
        for m in [&mut a, &mut b] {
            (0..n).for_each(|j| (m[(k, j)], m[(pivot, j)]) = (m[(pivot, j)], m[(k, j)]));
        }
        let factors: Vec<f64> = (0..n).map(|i| if i == k { 0.0 } else { a[(i, k)] / a[(k, k)] }).collect();
        for m in [&mut a, &mut b] {
            for j in 0..n {
                let top = m[(k, j)];
                m.col_mut(j).iter_mut().zip(&factors).for_each(|(value, factor)| *value -= factor * top);
            }
        }
    }
    for i in 0..n {
        (0..n).for_each(|j| b[(i, j)] /= a[(i, i)]);
    }
    b
}
