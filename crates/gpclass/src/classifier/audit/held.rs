//! Labels of two classes as a model sees them while the shares of wrong ones change and its functions are held.
//!
//! With e_c the share of the rows truly of class c that have the other label, the probability of a label c is
//! (1 - e_c) q + e_c' (1 - q), q being that of the class by the other rows and c' the other class. Where it is wrong with
//! probability p at shares r, its probability at shares e is (1 - p) (1 - e_c) / (1 - r_c) + p e_c' / r_c' times what it is at r.

use crate::data::Class;

/// Rounds of expectation and maximisation, at most.
const ROUNDS: usize = 300;
/// Change of a share, relative to it, below which it has settled.
const SETTLED: f64 = 1e-5;
/// The shares that are looked at: none at all would leave rows impossible, and from one half on labels say nothing.
pub(super) const LEAST: f64 = 1e-6;
pub(super) const MOST: f64 = 0.49;

/// A share of wrong labels for the rows of each class, the negative one first.
pub(super) type Shares = [f64; 2];

/// Rows with the probabilities that their labels are wrong at given shares.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub labels: &'a [Class],
    pub weights: Option<&'a [f64]>,
    pub wrong: &'a [f64],
    pub at: Shares,
}

impl Held<'_> {
    /// What the probabilities of a right and of a wrong label of this class are multiplied by.
    pub fn factors(&self, shares: Shares, label: Class) -> (f64, f64) {
        let own = label.position();
        let other = 1 - own;
        ((1.0 - shares[own]) / (1.0 - self.at[own]), shares[other] / self.at[other].max(LEAST))
    }

    fn rows(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.labels.len()).map(|row| (row, self.weights.map_or(1.0, |weights| weights[row])))
    }

    /// The logarithm of the labels' probability, less what it is at the given shares.
    pub fn log_likelihood(&self, shares: Shares) -> f64 {
        let factors = [Class::NEGATIVE, Class::POSITIVE].map(|label| self.factors(shares, label));
        let of_row = |(row, weight): (usize, f64)| {
            let ((right, wrong), p) = (factors[self.labels[row].position()], self.wrong[row]);
            if weight > 0.0 { weight * ((1.0 - p) * right + p * wrong).ln() } else { 0.0 }
        };
        self.rows().map(of_row).sum()
    }

    /// The shares that explain the labels best: one for both classes, or one for each.
    pub fn best(&self, common: bool) -> Shares {
        let mut shares = self.at.map(|share| share.clamp(LEAST, MOST));
        if common {
            shares = [0.5 * (shares[0] + shares[1]); 2];
        }
        for _ in 0..ROUNDS {
            let next = self.next(shares, common);
            let moved = (0..2).map(|c| (next[c] / shares[c] - 1.0).abs()).fold(0.0, f64::max);
            shares = next;
            if moved < SETTLED {
                break;
            }
        }
        shares
    }

    fn next(&self, shares: Shares, common: bool) -> Shares {
        let factors = [Class::NEGATIVE, Class::POSITIVE].map(|label| self.factors(shares, label));
        // Of every class the rows that have another label, and those that have theirs.
        let (mut hidden, mut shown) = ([0.0; 2], [0.0; 2]);
        for (row, weight) in self.rows() {
            let own = self.labels[row].position();
            let ((right, wrong), p) = (factors[own], self.wrong[row]);
            let part = p * wrong / ((1.0 - p) * right + p * wrong);
            hidden[1 - own] += weight * part;
            shown[own] += weight * (1.0 - part);
        }
        let share = |hidden: f64, shown: f64| {
            if hidden + shown > 0.0 { (hidden / (hidden + shown)).clamp(LEAST, MOST) } else { LEAST }
        };
        if common {
            [share(hidden[0] + hidden[1], shown[0] + shown[1]); 2]
        } else {
            [share(hidden[0], shown[0]), share(hidden[1], shown[1])]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: [Class; 2] = [Class::NEGATIVE, Class::POSITIVE];

    /// Rows of both classes that the others are sure of, some with the other label, as seen at a common share.
    fn seen(right: [usize; 2], hidden: [usize; 2], sure: f64, at: f64) -> (Vec<Class>, Vec<f64>) {
        let wrong = |q: f64| at * (1.0 - q) / (at * (1.0 - q) + (1.0 - at) * q);
        let mut rows = Vec::new();
        for c in 0..2 {
            rows.extend(std::iter::repeat_n((LABELS[c], wrong(sure)), right[c]));
            rows.extend(std::iter::repeat_n((LABELS[1 - c], wrong(1.0 - sure)), hidden[c]));
        }
        rows.into_iter().unzip()
    }

    #[test]
    fn shares_of_rows_that_are_sure_are_counted() {
        let (labels, wrong) = seen([90, 194], [10, 6], 1.0 - 1e-9, 0.05);
        let held = Held { labels: &labels, weights: None, wrong: &wrong, at: [0.05; 2] };
        let (common, own) = (held.best(true), held.best(false));
        assert!((common[0] - 16.0 / 300.0).abs() < 1e-6 && common[0] == common[1], "{common:?}");
        assert!((own[0] - 0.1).abs() < 1e-6 && (own[1] - 0.03).abs() < 1e-6, "{own:?}");
        // Binomial likelihoods: sum over classes of k ln e + (n - k) ln (1 - e).
        let binomial = |k: f64, n: f64, e: f64| k * e.ln() + (n - k) * (1.0 - e).ln();
        let want = binomial(10.0, 100.0, 0.1) + binomial(6.0, 200.0, 0.03) - binomial(16.0, 300.0, 16.0 / 300.0);
        let gain = held.log_likelihood(own) - held.log_likelihood(common);
        assert!((gain - want).abs() < 1e-5, "{gain} {want}");
    }

    #[test]
    fn weights_count_rows_as_often() {
        let (labels, wrong) = seen([30, 30], [3, 1], 0.97, 0.05);
        let weights: Vec<f64> = (0..labels.len()).map(|i| [2.0, 0.0, 1.0][i % 3]).collect();
        let copies: Vec<usize> = (0..labels.len()).flat_map(|i| vec![i; weights[i] as usize]).collect();
        let (l, w): (Vec<Class>, Vec<f64>) = copies.iter().map(|&i| (labels[i], wrong[i])).unzip();
        let weighted = Held { labels: &labels, weights: Some(&weights), wrong: &wrong, at: [0.05; 2] };
        let copied = Held { labels: &l, weights: None, wrong: &w, at: [0.05; 2] };
        for common in [true, false] {
            let (a, b) = (weighted.best(common), copied.best(common));
            assert!((0..2).all(|c| (a[c] - b[c]).abs() < 1e-12), "{a:?} {b:?}");
            assert!((weighted.log_likelihood(a) - copied.log_likelihood(a)).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_is_wrong_where_nothing_contradicts() {
        let (labels, wrong) = seen([50, 50], [0, 0], 1.0 - 1e-12, 0.05);
        let held = Held { labels: &labels, weights: None, wrong: &wrong, at: [0.05; 2] };
        assert_eq!(held.best(false), [LEAST; 2]);
    }
}
