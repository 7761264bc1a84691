//! Decisions between two classes where errors of the two kinds cost differently.

use super::{EvaluateError, error::check_length};
use crate::data::{Class, Groups};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Resamples behind the interval of a threshold.
const RESAMPLES: usize = 1000;
/// Probability on each side of that interval.
const TAIL: f64 = 0.05;

/// What the two kinds of errors cost, in any unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// A positive row taken for a negative one.
    #[serde(rename = "fn")]
    pub false_negative: f64,
    /// A negative row taken for a positive one.
    #[serde(rename = "fp")]
    pub false_positive: f64,
}

impl Costs {
    /// Refuses costs that are not positive numbers.
    pub fn check(self) -> Result<Self, EvaluateError> {
        let wanted = "positive and finite";
        for (option, value) in [("cost fn", self.false_negative), ("cost fp", self.false_positive)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(EvaluateError::Option { option, value, wanted });
            }
        }
        Ok(self)
    }

    /// The threshold of least expected cost where probabilities are right: `fp / (fp + fn)`.
    pub fn bayes_threshold(self) -> f64 {
        self.false_positive / (self.false_positive + self.false_negative)
    }
}

/// The threshold of least cost among rows whose classes are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheapestThreshold {
    /// A row is positive where its probability is at least this.
    pub threshold: f64,
    /// Where the thresholds of resampled rows lie, all but a twentieth on each side.
    pub interval: (f64, f64),
    /// Mean cost per row there.
    pub cost: f64,
}

/// Rows with the probability of the positive class, as rows that do not belong to them predict it.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// Of the positive class.
    pub probability: &'a [f64],
    /// Of every row.
    pub labels: &'a [Class],
    /// One per row; `None` is all ones.
    pub weights: Option<&'a [f64]>,
    /// Rows that are resampled together; `None` is each by itself.
    pub groups: Option<&'a Groups>,
}

impl Judged<'_> {
    /// The mean cost per row where those of at least this probability are taken for positive.
    pub fn cost_at(&self, threshold: f64, costs: Costs) -> f64 {
        let (mut cost, mut total) = (0.0, 0.0);
        for (row, (&p, &label)) in self.probability.iter().zip(self.labels).enumerate() {
            let weight = self.weight(row);
            total += weight;
            cost += weight * cost_of(label, p >= threshold, costs);
        }
        if total > 0.0 { cost / total } else { 0.0 }
    }

    /// The threshold of least cost: half-way between the two probabilities that it may lie between, the nearest to Bayes's of
    /// equals. Rows, or groups, are drawn again with the seed for its interval.
    pub fn cheapest(&self, costs: Costs, seed: u64) -> Result<CheapestThreshold, EvaluateError> {
        check_length("probabilities", self.labels.len(), self.probability.len())?;
        costs.check()?;
        let mut order: Vec<usize> = (0..self.labels.len()).filter(|&row| self.weight(row) > 0.0).collect();
        if order.is_empty() {
            return Err(EvaluateError::NoRows);
        }
        order.sort_by(|&a, &b| self.probability[a].total_cmp(&self.probability[b]));
        let counts: Vec<f64> = (0..self.labels.len()).map(|row| self.weight(row)).collect();
        let threshold = self.best(&order, &counts, costs);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut drawn: Vec<f64> = (0..RESAMPLES).map(|_| self.best(&order, &self.resampled(&mut rng), costs)).collect();
        drawn.sort_by(f64::total_cmp);
        let at = |share: f64| drawn[((RESAMPLES - 1) as f64 * share).round() as usize];
        Ok(CheapestThreshold { threshold, interval: (at(TAIL), at(1.0 - TAIL)), cost: self.cost_at(threshold, costs) })
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// How much every row counts among rows, or groups, drawn with replacement.
    fn resampled(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let units = self.groups.map_or(self.labels.len(), |groups| groups.members().len());
        let mut times = vec![0.0; units];
        (0..units).for_each(|_| times[rng.random_range(0..units)] += 1.0);
        let unit = |row: usize| self.groups.map_or(row, |groups| groups.of_row()[row]);
        (0..self.labels.len()).map(|row| times[unit(row)] * self.weight(row)).collect()
    }

    /// The cheapest threshold for rows in the `order` of their probabilities that count so much each.
    fn best(&self, order: &[usize], counts: &[f64], costs: Costs) -> f64 {
        let bayes = costs.bayes_threshold();
        // All rows above the threshold: every negative one costs.
        let mut cost: f64 = order.iter().map(|&row| counts[row] * cost_of(self.labels[row], true, costs)).sum();
        let (mut least, mut best) = (cost, between(0.0, self.probability[order[0]], bayes));
        for (place, &row) in order.iter().enumerate() {
            let label = self.labels[row];
            cost += counts[row] * (cost_of(label, false, costs) - cost_of(label, true, costs));
            let (here, next) = (self.probability[row], order.get(place + 1).map_or(1.0, |&row| self.probability[row]));
            // Rows of one probability go together, and nothing lies above one.
            if here == next {
                continue;
            }
            let threshold = between(here, next, bayes);
            let nearer = (threshold - bayes).abs() < (best - bayes).abs();
            // Sums of the same terms in another order may differ by rounding.
            let slack = 1e-9 * (1.0 + least);
            if cost < least - slack || (cost < least + slack && nearer) {
                (least, best) = (cost.min(least), threshold);
            }
        }
        best
    }
}

/// A threshold above `low` and at most `high`: Bayes's if it lies there, else half-way.
fn between(low: f64, high: f64, bayes: f64) -> f64 {
    if bayes > low && bayes <= high { bayes } else { 0.5 * (low + high) }
}

fn cost_of(label: Class, taken_for_positive: bool, costs: Costs) -> f64 {
    match (label == Class::POSITIVE, taken_for_positive) {
        (true, false) => costs.false_negative,
        (false, true) => costs.false_positive,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::from_bits;
    use super::*;

    const COSTS: Costs = Costs { false_negative: 5.0, false_positive: 1.0 };

    #[test]
    fn the_threshold_is_the_cheapest_of_all() {
        let p: Vec<f64> = (0..60).map(|i| (i as f64 * 0.7).sin().abs()).collect();
        let labels =
            from_bits(&(0..60).map(|i| u8::from(p[i] + 0.6 * (i as f64 * 2.3).sin() > 0.5)).collect::<Vec<_>>());
        let judged = Judged { probability: &p, labels: &labels, weights: None, groups: None };
        let found = judged.cheapest(COSTS, 3).unwrap();
        let everywhere = (0..=1000).map(|k| judged.cost_at(f64::from(k) / 1000.0, COSTS)).fold(f64::INFINITY, f64::min);
        assert!(found.cost <= everywhere + 1e-12, "{found:?} {everywhere}");
        assert!(0.0 <= found.interval.0 && found.interval.0 < found.interval.1 && found.interval.1 <= 1.0, "{found:?}");
        assert_eq!(found, judged.cheapest(COSTS, 3).unwrap());
        // A row of weight two is the row twice.
        let weights: Vec<f64> = (0..60).map(|i| f64::from(1 + i % 2)).collect();
        let twice: Vec<usize> = (0..60).chain((0..60).filter(|i| i % 2 == 1)).collect();
        let (p2, l2): (Vec<f64>, Vec<Class>) = twice.iter().map(|&i| (p[i], labels[i])).unzip();
        let copied = Judged { probability: &p2, labels: &l2, weights: None, groups: None };
        let weighted = Judged { weights: Some(&weights), ..judged };
        assert_eq!(weighted.cheapest(COSTS, 0).unwrap().threshold, copied.cheapest(COSTS, 0).unwrap().threshold);
    }

    #[test]
    fn probabilities_that_are_right_ask_for_bayes() {
        assert!((COSTS.bayes_threshold() - 1.0 / 6.0).abs() < 1e-15);
        // Of rows with probability k / 20, k in 20 are positive.
        let (mut p, mut bits) = (Vec::new(), Vec::new());
        for k in 1..20_u8 {
            p.extend([f64::from(k) / 20.0; 20]);
            bits.extend((0..20).map(|i| u8::from(i < k)));
        }
        let labels = from_bits(&bits);
        let judged = Judged { probability: &p, labels: &labels, weights: None, groups: None };
        let found = judged.cheapest(COSTS, 0).unwrap();
        assert!(found.threshold > 0.15 && found.threshold <= 0.2, "{found:?}");
        assert!(found.interval.0 < 1.0 / 6.0 && found.interval.1 >= 1.0 / 6.0 && found.interval.1 < 0.5, "{found:?}");
    }

    #[test]
    fn separable_rows_take_bayes_where_it_lies_between() {
        let labels = from_bits(&[0, 0, 1, 1]);
        let judged = |p: &'static [f64]| Judged { probability: p, labels: &labels, weights: None, groups: None };
        assert_eq!(judged(&[0.1, 0.1, 0.3, 0.9]).cheapest(COSTS, 0).unwrap().threshold, COSTS.bayes_threshold());
        assert_eq!(judged(&[0.3, 0.4, 0.6, 0.9]).cheapest(COSTS, 0).unwrap().threshold, 0.5);
        assert!(judged(&[0.5]).cheapest(COSTS, 0).is_err());
        let free = Costs { false_positive: 0.0, ..COSTS };
        assert!(judged(&[0.3, 0.4, 0.6, 0.9]).cheapest(free, 0).unwrap_err().to_string().contains("cost fp is 0"));
    }
}
