//! The labels of several classes, and their terms at cavities (multiclass 1, 6).
//!
//! `p(y | f) = rho + (1 - C rho) E_u Π_{c ≠ y} Phi(u + f_y - f_c)`, `u ~ N(0, 1)`. With `h_c = u + f_y - f_c` the row is a
//! product of scalar terms `Phi(h_c)` (or, with label error, a mixture of that product and one), and EP gives each pair of
//! a row and another class one scalar site in `h_c`.

use crate::special::{hazard, hazard_gap, log_phi, log1p_exp};

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

/// One pair's term at its cavity: the derivatives of the row's log-normaliser in the cavity mean.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairMoments {
    /// First derivative.
    pub d1: f64,
    /// Second derivative.
    pub d2: f64,
    /// `1 + d2 v`, the tilted variance over that of the cavity.
    pub shrink: f64,
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
        let z: Vec<f64> = cavities.iter().map(|(m, v)| m / (1.0 + v).sqrt()).collect();
        let log_product: f64 = z.iter().map(|&z| log_phi(z)).sum();
        let (clean, log_z) = if label_error == 0.0 {
            (1.0, log_product)
        } else {
            // The odds of a clean row are those of (1 - C rho) Π Phi to rho, the same for each of its pairs.
            let log_odds = (1.0 - count as f64 * label_error).ln() - label_error.ln() + log_product;
            ((-log1p_exp(-log_odds)).exp(), label_error.ln() + log1p_exp(log_odds))
        };
        let pairs = cavities.iter().zip(&z).map(|(&(_, v), &z)| pair(z, v, clean)).collect();
        RowMoments { log_z, pairs, log_product }
    }
}

/// With `w` the cavity's probability of a clean row without this pair, `Z = 1 - w + w Phi(z)`: the ratio `w N(z) / Z` is
/// `clean h(z)`.
fn pair(z: f64, v: f64, clean: f64) -> PairMoments {
    let (a2, h) = (1.0 + v, clean * hazard(z));
    let d1 = h / a2.sqrt();
    if clean == 1.0 {
        let gap = hazard_gap(z); // 1 - h (z + h)
        return PairMoments { d1, d2: (gap - 1.0) / a2, shrink: (1.0 + v * gap) / a2 };
    }
    let d2 = -h * (z + h) / a2;
    PairMoments { d1, d2, shrink: 1.0 + d2 * v }
}
