//! The posterior covariance in full.

use super::DenseFactor;
use gpclass_linalg::{
    Mat, Op, inverse_from_lower_inverse, mirror_lower, multiply_add, self_product, solve_lower_in_place,
    solve_lower_transpose_in_place,
};

/// A site with `tau_i K_ii` above this is strong: dividing by its root costs at most three digits.
const STRONG: f64 = 1e-3;
/// Up to one row in this many may be weak before the plain form is the quicker one.
const WEAK_SHARE: usize = 4;

impl DenseFactor {
    /// `Sigma = K - K R K`, exactly symmetric.
    pub(in crate::posterior) fn covariance(&self) -> Mat {
        let (k, n) = (self.k(), self.tau.len());
        let weak: Vec<usize> = (0..n).filter(|&i| self.tau[i] * k[(i, i)] <= STRONG).collect();
        let mut sigma = match &self.inverse {
            Some(inverse) if weak.len() * WEAK_SHARE <= n => self.by_inverse(inverse, &weak),
            _ => self.by_subtraction(),
        };
        if let Some(neg) = &self.negative {
            multiply_add(&mut sigma, 1.0, &neg.spread, Op::Plain, &neg.spread, Op::Transpose);
            mirror_lower(&mut sigma);
        }
        sigma
    }

    /// `K - VᵀV`, `V = L⁻¹ S K`, of the non-negative sites.
    fn by_subtraction(&self) -> Mat {
        let k = self.k();
        let mut v = k.clone();
        self.scale_rows(&mut v);
        solve_lower_in_place(&self.chol, &mut v);
        let mut sigma = self_product(&v, Op::Transpose);
        for (s, k) in sigma.as_mut_slice().iter_mut().zip(k.as_slice()) {
            *s = k - *s;
        }
        sigma
    }

    /// The same from `S Sigma S = I - B⁻¹`, a quarter of the work and without its cancellation at strong sites; the
    /// rows of the weak ones, where that divides by next to nothing, from `S Sigma = B⁻¹ S K`.
    fn by_inverse(&self, inverse: &Mat, weak: &[usize]) -> Mat {
        let n = self.tau.len();
        let mut sigma = inverse_from_lower_inverse(inverse);
        let upscale: Vec<f64> = self.root.iter().map(|r| 1.0 / r).collect();
        for j in 0..n {
            sigma[(j, j)] -= 1.0;
            let column = sigma.col_mut(j).iter_mut();
            column.zip(&upscale).for_each(|(value, u)| *value *= -u * upscale[j]);
        }
        if !weak.is_empty() {
            self.fill_weak(weak, &mut sigma);
        }
        sigma
    }

    /// Overwrites the rows and columns of weak sites.
    fn fill_weak(&self, weak: &[usize], sigma: &mut Mat) {
        let k = self.k();
        let mut columns = k.select_columns(weak);
        self.scale_rows(&mut columns);
        solve_lower_in_place(&self.chol, &mut columns);
        let shared = self_product(&columns, Op::Transpose);
        solve_lower_transpose_in_place(&self.chol, &mut columns); // B⁻¹ S K
        for (a, &i) in weak.iter().enumerate() {
            for (j, (value, root)) in columns.col(a).iter().zip(&self.root).enumerate() {
                let entry = value / root;
                sigma[(j, i)] = entry;
                sigma[(i, j)] = entry;
            }
        }
        for (a, &i) in weak.iter().enumerate() {
            for (b, &j) in weak.iter().enumerate() {
                sigma[(i, j)] = k[(i, j)] - shared[(a, b)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prior::Prior;
    use gpclass_linalg::Mat;

    #[test]
    fn both_forms_agree_over_sites_of_every_strength_and_sign() {
        let n = 24;
        let k = Mat::from_fn(n, n, |i, j| {
            let d = (i as f64 - j as f64) / 5.0;
            2.0 * (-0.5 * d * d).exp() + f64::from(i == j) * 0.3
        });
        let strength = |i: usize| match i {
            3 => 0.0,
            9 => -0.05,
            14 => 1e-20,
            20 => 1e6,
            _ => 0.1 + 0.2 * i as f64,
        };
        let tau: Vec<f64> = (0..n).map(strength).collect();
        let plain = Prior::from_covariance(k).factorise(&tau, None).unwrap();
        let (quick, _) = plain.clone().with_marginals().unwrap();
        let (want, got) = (plain.covariance(), quick.covariance());
        for i in 0..n {
            for j in 0..n {
                assert!((got[(i, j)] - want[(i, j)]).abs() < 1e-12, "{i} {j}: {} {}", got[(i, j)], want[(i, j)]);
                assert_eq!(got[(i, j)], got[(j, i)]);
            }
        }
    }
}
