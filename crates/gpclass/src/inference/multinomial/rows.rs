//! The labels of several classes, and their terms at cavities (multiclass 1, 6).
//!
//! `p(y | f) = rho + (1 - C rho) E_u Π_{c ≠ y} Phi(u + f_y - f_c)`, `u ~ N(0, 1)`. With `h_c = u + f_y - f_c` the row is a
//! product of scalar terms `Phi(h_c)` (or, with label error, a mixture of that product and one), and EP gives each pair of
//! a row and another class one scalar site in `h_c`.

use crate::likelihood::multinomial::{PairMoments, standardised};
use crate::special::{log_phi, log1p_exp};

/// Classes under the multinomial probit, each row's term raised to its weight.
///
/// A weight `w >= 1` is `w` tied copies of the row. A weight of zero leaves the row out. A weight between zero and one is not
/// known here: the term of a row is no product before `u` is averaged over.
#[derive(Clone, Copy, Debug)]
pub struct ClassObservations<'a> {
    /// The class of every row, below `count`.
    pub classes: &'a [usize],
    /// The number of classes.
    pub count: usize,
    /// `rho`: the probability of each particular wrong label, in [0, 1/C).
    pub label_error: f64,
    /// Zero, or at least one; `None` is all ones.
    pub weights: Option<&'a [f64]>,
}

impl ClassObservations<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Tied copies of row `i`, zero where it is left out.
    pub(in crate::inference) fn copies(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// The other classes of row `i`.
    pub(super) fn others(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let own = self.classes[i];
        (0..self.count).filter(move |&c| c != own)
    }
}

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
