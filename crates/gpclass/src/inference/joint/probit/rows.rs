//! The terms of rows at cavities (multiclass 1, 6).
//!
//! `p(y | f) = rho + (1 - C rho) E_u Π_{c ≠ y} Phi(u + f_y - f_c)`, `u ~ N(0, 1)`. With `h_c = u + f_y - f_c` the row is a
//! product of scalar terms `Phi(h_c)` (or, with label error, a mixture of that product and one), and EP gives each pair of
//! a row and another class one scalar site in `h_c`.

use crate::likelihood::multinomial::{PairMoments, standardised};
use crate::special::{log_phi, log1p_exp};

/// Terms of one row. `cavities` are means and variances of `h_c` of the other classes.
pub(super) struct RowMoments {
    /// Log of the row's normaliser.
    pub log_z: f64,
    /// In the order of `cavities`.
    pub pairs: Vec<PairMoments>,
    /// `Σ_c log Phi(z_c)`.
    pub log_product: f64,
}

impl RowMoments {
    pub fn new(cavities: &[(f64, f64)], count: usize, label_error: f64) -> Self {
        let z: Vec<f64> = cavities.iter().map(|&(m, v)| standardised(m, v)).collect();
        let log_product: f64 = z.iter().map(|&z| log_phi(z)).sum();
        let (clean, log_z) = if label_error == 0.0 {
            (1.0, log_product)
        } else {
            // The odds of a clean row are those of (1 - C rho) Π Phi to rho, the same for each of its pairs.
            let log_odds = (1.0 - count as f64 * label_error).ln() - label_error.ln() + log_product;
            ((-log1p_exp(-log_odds)).exp(), label_error.ln() + log1p_exp(log_odds))
        };
        let pairs = cavities.iter().zip(&z).map(|(&(_, v), &z)| PairMoments::at(z, v, clean)).collect();
        RowMoments { log_z, pairs, log_product }
    }
}
