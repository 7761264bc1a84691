//! Class probabilities of the multinomial probit under Gaussian functions (multiclass 4).
//!
//! `P(y = k) = P(f_k + e_k > f_c + e_c for all c)`, `e ~ N(0, I)`: an orthant probability of the differences. What all
//! functions share cancels in them, so that the covariances between functions must never be left out.

mod pair;
mod quadrant;
mod small_ep;

pub(crate) use pair::{PairMoments, standardised};

use crate::special::log_phi;
use gpclass_linalg::Mat;
use quadrant::log_both_positive;
use small_ep::SmallEp;

/// The probabilities of all classes for functions with the given means and covariances, which sum to one: exact for two and
/// for three classes, to about 3e-3 above, or 2e-2 where one class is ten times less certain than the others.
pub fn class_probabilities(mean: &[f64], cov: &Mat) -> Vec<f64> {
    class_log_probabilities(mean, cov).iter().map(|log| log.exp()).collect()
}

/// The logarithms of [`class_probabilities`], to full relative accuracy however small these are.
pub fn class_log_probabilities(mean: &[f64], cov: &Mat) -> Vec<f64> {
    let mut small_ep = SmallEp::new(mean.len().saturating_sub(1));
    let raw: Vec<f64> = (0..mean.len()).map(|k| Differences { mean, cov, k }.log_all_positive(&mut small_ep)).collect();
    let largest = raw.iter().fold(f64::NEG_INFINITY, |most, log| most.max(*log));
    let total = largest + raw.iter().map(|log| (log - largest).exp()).sum::<f64>().ln();
    raw.iter().map(|log| log - total).collect()
}

/// The log-probability of one class at the cost of one: as among [`class_log_probabilities`], but that above three classes
/// these sum to one only by being divided.
pub fn class_log_probability(mean: &[f64], cov: &Mat, class: usize) -> f64 {
    Differences { mean, cov, k: class }.log_all_positive(&mut SmallEp::new(mean.len().saturating_sub(1)))
}

/// `h_c = u + f_k - f_c`, `u ~ N(0, 1)`, over the other classes, which are numbered without `k`.
struct Differences<'a> {
    mean: &'a [f64],
    cov: &'a Mat,
    k: usize,
}

impl Differences<'_> {
    /// `log P(h_c + e_c > 0 for all c)`.
    fn log_all_positive(&self, small_ep: &mut SmallEp) -> f64 {
        match self.mean.len() {
            1 => 0.0,
            2 => log_phi(standardised(self.mean(0), self.cov(0, 0))),
            3 => log_both_positive(self),
            _ => small_ep.log_z(self),
        }
    }

    fn class(&self, other: usize) -> usize {
        other + usize::from(other >= self.k)
    }

    fn mean(&self, other: usize) -> f64 {
        self.mean[self.k] - self.mean[self.class(other)]
    }

    fn cov(&self, one: usize, other: usize) -> f64 {
        let (k, c, d, cov) = (self.k, self.class(one), self.class(other), self.cov);
        1.0 + (cov[(k, k)] - cov[(k, d)]) + (cov[(c, d)] - cov[(c, k)])
    }
}

#[cfg(test)]
mod tests;
