//! Rows with their own site taken out (multiclass 4).

use super::{ClassObservations, JointInferred};
use gpclass_linalg::Mat;

/// A Gaussian over the functions at one row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGaussian {
    /// Means, one per function.
    pub mean: Vec<f64>,
    /// Covariances, functions x functions.
    pub cov: Mat,
}

/// Every row with one copy of its site taken out.
pub(super) fn cavities(found: &JointInferred, observations: &ClassObservations<'_>) -> Vec<RowGaussian> {
    let covariances = found.factor.row_covariances();
    covariances.iter().enumerate().map(|(i, sigma)| found.cavity(observations, i, sigma)).collect()
}

impl JointInferred {
    /// `S = (I - Sigma T)⁻¹ Sigma`, `m = (I - Sigma T)⁻¹ (mu - Sigma nu)` with the site of one copy.
    fn cavity(&self, observations: &ClassObservations<'_>, i: usize, sigma: &Mat) -> RowGaussian {
        let count = observations.count;
        let copies = observations.copies(i);
        let mean: Vec<f64> = (0..count).map(|c| self.mean[(i, c)]).collect();
        if copies == 0.0 {
            return RowGaussian { mean, cov: sigma.clone() };
        }
        let nu: Vec<f64> = (0..count).map(|c| self.nu[(i, c)] / copies).collect();
        let site = self.one_copy(i, copies);
        let sigma_nu = sigma.mul_vec(&nu);
        // Right-hand sides: Sigma, and mu - Sigma nu as a last column.
        let mut rhs =
            Mat::from_fn(count, count + 1, |c, d| if d < count { sigma[(c, d)] } else { mean[c] - sigma_nu[c] });
        let mut a = Mat::from_fn(count, count, |c, d| {
            let product: f64 = (0..count).map(|k| sigma[(c, k)] * site[(k, d)]).sum();
            f64::from(c == d) - product
        });
        eliminate(&mut a, &mut rhs);
        let cov = Mat::from_fn(count, count, |c, d| 0.5 * (rhs[(c, d)] + rhs[(d, c)]));
        RowGaussian { mean: rhs.col(count).to_vec(), cov }
    }

    /// The precisions `T` of the site of one copy of a row.
    pub(super) fn one_copy(&self, row: usize, copies: f64) -> Mat {
        let pi: Vec<f64> = (0..self.pi.cols()).map(|c| self.pi[(row, c)] / copies).collect();
        let total: f64 = pi.iter().sum();
        Mat::from_fn(pi.len(), pi.len(), |c, d| if c == d { pi[c] } else { 0.0 } - pi[c] * pi[d] / total)
    }
}

/// `rhs <- a⁻¹ rhs` by elimination with row pivots, for a small matrix.
pub(super) fn eliminate(a: &mut Mat, rhs: &mut Mat) {
    let n = a.rows();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[(i, k)].abs().total_cmp(&a[(j, k)].abs())).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| swap(a, (k, j), (pivot, j)));
            (0..rhs.cols()).for_each(|j| swap(rhs, (k, j), (pivot, j)));
        }
        for i in 0..n {
            if i != k {
                let factor = a[(i, k)] / a[(k, k)];
                (k..n).for_each(|j| a[(i, j)] -= factor * a[(k, j)]);
                (0..rhs.cols()).for_each(|j| rhs[(i, j)] -= factor * rhs[(k, j)]);
            }
        }
    }
    for i in 0..n {
        (0..rhs.cols()).for_each(|j| rhs[(i, j)] /= a[(i, i)]);
    }
}

fn swap(m: &mut Mat, a: (usize, usize), b: (usize, usize)) {
    (m[a], m[b]) = (m[b], m[a]);
}
