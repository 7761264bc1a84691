//! The terms of rows at cavities (multiclass 1, 6).
//!
//! `p(y | f) = rho + (1 - C rho) E_u Π_{c ≠ y} Phi(u + f_y - f_c)`, `u ~ N(0, 1)`. With `h_c = u + f_y - f_c` the row is a
//! product of scalar terms `Phi(h_c)` (or, with label error, a mixture of that product and one), and EP gives each pair of
//! a row and another class one scalar site in `h_c`.

use crate::inference::joint::ClassObservations;
use crate::likelihood::multinomial::{PairMoments, standardised};
use crate::special::{log_phi, log1p_exp};

/// Terms of all rows.
pub(super) struct Terms {
    rows: Vec<RowTerm>,
    /// Of every row and class, a row's classes side by side; nothing for its own class.
    pairs: Vec<PairMoments>,
    count: usize,
}

/// The term of one row.
#[derive(Clone, Copy)]
pub(super) struct RowTerm {
    /// Log of its normaliser.
    pub log_z: f64,
    /// `Σ_c log Phi(z_c)`.
    pub log_product: f64,
}

impl Terms {
    /// At cavities of `h_c` with the means and variances that `cavity` gives for a row and another class.
    pub fn new(observations: &ClassObservations<'_>, cavity: impl Fn(usize, usize) -> (f64, f64)) -> Self {
        let (n, count) = (observations.len(), observations.count);
        let mut terms = Terms { rows: Vec::with_capacity(n), pairs: vec![PairMoments::NONE; n * count], count };
        let mut at = vec![(0.0, 0.0); count]; // z and the cavity variance
        for (i, pairs) in terms.pairs.chunks_mut(count).enumerate() {
            let mut log_product = 0.0;
            for c in observations.others(i) {
                let (m, v) = cavity(i, c);
                at[c] = (standardised(m, v), v);
                log_product += log_phi(at[c].0);
            }
            let (clean, log_z) = mixture(log_product, count, observations.link.label_error());
            for c in observations.others(i) {
                pairs[c] = PairMoments::at(at[c].0, at[c].1, clean);
            }
            terms.rows.push(RowTerm { log_z, log_product });
        }
        terms
    }

    pub fn row(&self, i: usize) -> RowTerm {
        self.rows[i]
    }

    /// Of row `i` and another class.
    pub fn pair(&self, i: usize, c: usize) -> &PairMoments {
        &self.pairs[i * self.count + c]
    }
}

/// The probability that a row is clean, and the log of its normaliser.
fn mixture(log_product: f64, count: usize, label_error: f64) -> (f64, f64) {
    if label_error == 0.0 {
        return (1.0, log_product);
    }
    // The odds of a clean row are those of (1 - C rho) Π Phi to rho, the same for each of its pairs.
    let log_odds = (1.0 - count as f64 * label_error).ln() - label_error.ln() + log_product;
    ((-log1p_exp(-log_odds)).exp(), label_error.ln() + log1p_exp(log_odds))
}
