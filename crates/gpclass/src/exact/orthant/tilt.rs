//! Botev's minimax tilting: the shift of each variable that makes the integrand nearly constant.
//!
//! Z. I. Botev, The normal law under linear restrictions, J. R. Statist. Soc. B 79, 2017. There the shifts are the saddle
//! point of a function of 2n variables. For bounds on one side it reduces to n: with h the hazard of the normal and S
//! the covariance over the deviations of the separation, the saddle point is
//! `z = c + (S - I) h(z)`, `mu = -Rᵀ h(z)`, where `R` holds the rows of the separation below the diagonal. Its left and right
//! side are the gradient, in h, of one convex function, so a damped Newton method finds it from anywhere.

use super::separate::Separated;
use crate::special::{hazard, hazard_gap, log_phi};
use gpclass_linalg::{Mat, cholesky_in_place, lower_solve, lower_transpose_solve, symmetric_mul, vector};

/// The Newton iteration stops at this residual. Any shift gives the right answer, a better one only a smaller error.
const TOLERANCE: f64 = 1e-8;
const NEWTON_STEPS: usize = 60;
const HALVINGS: usize = 40;

/// The shifts, one per variable with variation of its own.
pub(super) fn minimax_shifts(separated: &Separated) -> Vec<f64> {
    let scaled = scaled_covariance(separated);
    let saddle = Saddle { scaled: &scaled, upper: &separated.upper[..separated.rank()] };
    let z = saddle.solve();
    let h: Vec<f64> = z.iter().map(|&z| hazard(z)).collect();
    let mut shifts = vec![0.0; h.len()];
    for (row, h) in separated.rows.iter().zip(&h) {
        vector::add_scaled(&mut shifts, -h, row);
    }
    shifts
}

/// `S = (I + R)(I + R)ᵀ`.
fn scaled_covariance(separated: &Separated) -> Mat {
    let rank = separated.rank();
    Mat::from_fn(rank, rank, |i, j| {
        let (low, high) = (i.min(j), i.max(j));
        let (short, long) = (&separated.rows[low], &separated.rows[high]);
        let diagonal = if low == high { 1.0 } else { long[low] };
        vector::dot(short, long) + diagonal
    })
}

struct Saddle<'a> {
    scaled: &'a Mat,
    upper: &'a [f64],
}

impl Saddle<'_> {
    fn solve(&self) -> Vec<f64> {
        let mut z = self.upper.to_vec();
        let (mut value, mut gradient) = self.value_and_gradient(&z);
        for _ in 0..NEWTON_STEPS {
            if gradient.iter().all(|g| g.abs() < TOLERANCE) {
                break;
            }
            let Some(direction) = self.newton_direction(&z, &gradient) else { break };
            let mut step = 1.0;
            let accepted = (0..HALVINGS).find_map(|_| {
                let trial: Vec<f64> = z.iter().zip(&direction).map(|(z, d)| z + step * d).collect();
                let (v, g) = self.value_and_gradient(&trial);
                step *= 0.5;
                (v < value).then_some((trial, v, g))
            });
            let Some(next) = accepted else { break }; // at the limit of rounding
            (z, value, gradient) = next;
        }
        z
    }

    /// `h'Sh/2 + c'h - sum (h^2/2 + z h - ln Phi(z))` and its gradient in h, `S h + c - h - z`.
    fn value_and_gradient(&self, z: &[f64]) -> (f64, Vec<f64>) {
        let h: Vec<f64> = z.iter().map(|&z| hazard(z)).collect();
        let mut gradient = symmetric_mul(self.scaled, &h);
        let mut value = 0.0;
        for i in 0..z.len() {
            value += h[i] * (0.5 * gradient[i] + self.upper[i] - 0.5 * h[i] - z[i]) + log_phi(z[i]);
            gradient[i] += self.upper[i] - h[i] - z[i];
        }
        (value, gradient)
    }

    /// With `w = -h'(z)` and `t = w / (1 - w)` the Hessian in h is `S + 1/t`; a step in h is `-w` times one in z.
    fn newton_direction(&self, z: &[f64], gradient: &[f64]) -> Option<Vec<f64>> {
        let gap: Vec<f64> = z.iter().map(|&z| hazard_gap(z).clamp(f64::MIN_POSITIVE, 1.0)).collect();
        let w: Vec<f64> = gap.iter().map(|g| (1.0 - g).max(f64::MIN_POSITIVE)).collect();
        let root: Vec<f64> = w.iter().zip(&gap).map(|(w, g)| (w / g).sqrt()).collect();
        let n = z.len();
        let mut b = Mat::from_fn(n, n, |i, j| root[i] * self.scaled[(i, j)] * root[j] + f64::from(u8::from(i == j)));
        cholesky_in_place(&mut b).ok()?;
        let mut step: Vec<f64> = root.iter().zip(gradient).map(|(r, g)| r * g).collect();
        lower_solve(&b, &mut step);
        lower_transpose_solve(&b, &mut step);
        Some((0..n).map(|i| root[i] * step[i] / w[i]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shifts_are_the_saddle_point_of_botev() {
        let cov = Mat::from_fn(6, 6, |i, j| 2.0 * (-0.1 * (i as f64 - j as f64).powi(2)).exp() + f64::from(i == j));
        let upper = [-3.0, 0.5, 4.0, -1.0, 0.0, 30.0];
        let separated = Separated::new(&cov, &upper).unwrap();
        let shifts = minimax_shifts(&separated);
        // Botev (2017) eq. 2.4: both partial derivatives of psi(x, mu) vanish.
        let (mut x, mut h) = (Vec::new(), Vec::new());
        for (k, shift) in shifts.iter().enumerate() {
            h.push(hazard(separated.bound(k, &x) - shift));
            x.push(shift - h[k]);
        }
        for (j, shift) in shifts.iter().enumerate() {
            let pull: f64 = (j + 1..6).map(|k| h[k] * separated.rows[k][j]).sum();
            assert!((shift + pull).abs() < 1e-7, "variable {j}: {shift} and {pull}");
        }
    }
}
