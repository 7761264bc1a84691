//! Negative site precisions, exactly: a low-rank correction of the factor of the positive ones.
//!
//! With `Sigma₊`, `T₊` of the non-negative sites, `E` the unit columns of the rows `N` with `tau < 0`, `D = (-tau_N)^½`
//! and `C Cᵀ = I - D Sigma₊[N,N] D` (which exists exactly when the posterior is proper),
//! `R = R₊ - F Fᵀ` and `Sigma = Sigma₊ + H Hᵀ` with `F = (I - T₊ Sigma₊) E D C⁻ᵀ` and `H = K F`.

use super::DenseFactor;
use gpclass_linalg::{
    Mat, NotPositiveDefinite, Op, cholesky_in_place, multiply, self_product, solve_lower_in_place,
    solve_lower_transpose_in_place,
};

/// The correction, `n x |N|` matrices.
#[derive(Clone, Debug)]
pub(super) struct NegativeSites {
    /// `F`.
    pub gain: Mat,
    /// `H`.
    pub spread: Mat,
    /// `log |C Cᵀ|`, what the negative sites add to `log |I + K T|`.
    pub log_det: f64,
}

impl NegativeSites {
    /// The correction for `rows`, on top of a factor of the other sites.
    pub fn new(positive: &DenseFactor, rows: Vec<usize>) -> Result<Self, NotPositiveDefinite> {
        let k = positive.k();
        let d: Vec<f64> = rows.iter().map(|&i| (-positive.tau[i]).sqrt()).collect();
        let mut v = k.select_columns(&rows);
        positive.scale_rows(&mut v);
        solve_lower_in_place(&positive.chol, &mut v); // V = L⁻¹ S K E

        let shared = self_product(&v, Op::Transpose); // Sigma₊[N,N] = K[N,N] - VᵀV
        let m = rows.len();
        let mut c = Mat::from_fn(m, m, |a, b| {
            let sigma = k[(rows[a], rows[b])] - shared[(a, b)];
            f64::from(a == b) - d[a] * sigma * d[b]
        });
        cholesky_in_place(&mut c)?;

        // (I - T₊ Sigma₊) E = E - S L⁻ᵀ V
        solve_lower_transpose_in_place(&positive.chol, &mut v);
        let mut y = v;
        for (a, &i) in rows.iter().enumerate() {
            for (value, s) in y.col_mut(a).iter_mut().zip(&positive.root) {
                *value *= -s;
            }
            y[(i, a)] += 1.0;
        }
        // F = Y D C⁻ᵀ, as Fᵀ = C⁻¹ D Yᵀ
        let mut gain = Mat::from_fn(m, y.rows(), |a, i| d[a] * y[(i, a)]);
        solve_lower_in_place(&c, &mut gain);
        let gain = gain.transposed();
        let spread = multiply(k, Op::Plain, &gain, Op::Plain);
        let log_det = 2.0 * (0..m).map(|a| c[(a, a)].ln()).sum::<f64>();
        Ok(NegativeSites { gain, spread, log_det })
    }
}
