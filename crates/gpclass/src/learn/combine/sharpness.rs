//! The power that the mixture of a stack is raised to.

use crate::data::Class;
use crate::named::named;
use gpclass_linalg::Mat;

/// Weight of the prior: the log-prior of the power `s` is `a (log s - s + 1)`, that of a gamma distribution with its mode at one.
///
/// This and the least gain were picked by leave-one-out alone: weights and power found on four fifths of the rows and judged by the
/// corrected left-out probabilities of the rest, over 32 tables of 130 to 400 rows, 25 of them of two classes. Without a power
/// the mean NLP is .3033; with it .0081 less at a = 3 and .0082 less at a = 10 (of several classes .022, of two .0042 and .0044 less), and
/// no table loses .0002. Powers that gain less than a nat would make 16 of the tables worse by .001 to .015.
const PRIOR: f64 = 5.0;
/// What a power must gain, in nats over all rows and with its prior, to be used at all.
const LEAST_GAIN: f64 = 1.0;
/// The search ends where a Newton step is a smaller share of the power than this.
const TOLERANCE: f64 = 1e-13;
/// Newton steps at most; some six are made.
const MAX_STEPS: usize = 100;
/// A step changes the power by this factor at most.
const MOST_CHANGE: f64 = 2.0;
/// Most of what a row may decide about the power: beyond, a Newton step leads anywhere.
const MOST_LEVERAGE: f64 = 0.6;

/// Whether the mixture of a stack is made bolder or more cautious.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharpen {
    /// By the power that predicts left-out rows best, where that gains something.
    #[default]
    Auto,
    /// It stays as it is.
    Off,
}

named!(Sharpen, "sharpen", {
    Auto = "auto": "By the power that predicts left-out rows best, where that gains something";
    Off = "off": "Probabilities are the weighted mean of the models'";
});

/// Left-out probabilities of the classes by what predicts: their logarithms, rows x classes, with the rows' own classes.
#[derive(Clone, Copy, Debug)]
pub struct LeftOutClasses<'a> {
    /// Logarithms of the probabilities.
    pub logs: &'a Mat,
    /// The class of every row.
    pub labels: &'a [Class],
    /// The weight of every row, one each if there are none.
    pub omega: Option<&'a [f64]>,
}

/// What a row says about the power: the log-probability of its class, its slope and its negative curvature.
#[derive(Clone, Copy, Default)]
struct Said {
    log: f64,
    slope: f64,
    curvature: f64,
}

impl LeftOutClasses<'_> {
    /// The power `s` that maximises
    ///
    /// `Σ_i ω_i log (m_iy^s / Σ_c m_ic^s) + a (log s - s + 1)`,  `a = 5`
    ///
    /// `m_ic` being the mixture's probability of class c in row i from the other rows and y the row's own class. Every row's part is
    /// the log-likelihood of an exponential family in `s`, so that the objective is strictly concave; steps are Newton's. Exactly one
    /// where it gains less than a nat over that.
    pub fn sharpness(&self) -> f64 {
        let mut sharpness = 1.0;
        for _ in 0..MAX_STEPS {
            let Said { slope, curvature, .. } = self.all(sharpness);
            let next = (sharpness + slope / curvature).clamp(sharpness / MOST_CHANGE, sharpness * MOST_CHANGE);
            let change = (next - sharpness).abs();
            sharpness = next;
            if change <= TOLERANCE * sharpness {
                break;
            }
        }
        let gain = self.value(sharpness) - self.value(1.0);
        if gain >= LEAST_GAIN { sharpness } else { 1.0 }
    }

    /// What is maximised.
    pub(in crate::learn) fn value(&self, sharpness: f64) -> f64 {
        self.all(sharpness).log
    }

    /// For every row the power as it would be without it, by one Newton step from `sharpness`, which is that of all rows. A row
    /// of weight above one lacks one copy, as it does in leave-one-out.
    pub fn sharpness_without_each(&self, sharpness: f64) -> Vec<f64> {
        if sharpness == 1.0 {
            return vec![1.0; self.labels.len()];
        }
        let curvature = self.all(sharpness).curvature;
        let without = |i: usize| {
            let own = self.row(i, sharpness);
            let copy = self.weight(i).min(1.0);
            let left = curvature - copy * own.curvature.min(MOST_LEVERAGE * curvature);
            (sharpness - copy * own.slope / left).clamp(sharpness / MOST_CHANGE, sharpness * MOST_CHANGE)
        };
        (0..self.labels.len()).map(without).collect()
    }

    fn weight(&self, i: usize) -> f64 {
        self.omega.map_or(1.0, |omega| omega[i])
    }

    /// The objective at a power, its slope and its negative curvature.
    fn all(&self, sharpness: f64) -> Said {
        let prior = Said {
            log: PRIOR * (sharpness.ln() - sharpness + 1.0),
            slope: PRIOR * (1.0 / sharpness - 1.0),
            curvature: PRIOR / (sharpness * sharpness),
        };
        (0..self.labels.len()).filter(|&i| self.weight(i) > 0.0).fold(prior, |sum, i| {
            let (own, weight) = (self.row(i, sharpness), self.weight(i));
            Said {
                log: sum.log + weight * own.log,
                slope: sum.slope + weight * own.slope,
                curvature: sum.curvature + weight * own.curvature,
            }
        })
    }

    fn row(&self, i: usize, sharpness: f64) -> Said {
        let label = self.logs[(i, self.labels[i].position())];
        // A row whose class is impossible is so at any power.
        if !label.is_finite() {
            return Said::default();
        }
        // In units of the row's own class, of those that are possible.
        let others = || (0..self.logs.cols()).map(|c| self.logs[(i, c)] - label).filter(|log| log.is_finite());
        let largest = others().fold(0.0_f64, f64::max);
        let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
        for log in others() {
            let share = (sharpness * (log - largest)).exp();
            total += share;
            first += share * log;
            second += share * log * log;
        }
        let mean = first / total;
        Said {
            log: -(sharpness * largest + total.ln()),
            slope: -mean,
            curvature: (second / total - mean * mean).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 60;

    /// Probabilities of three classes that are the `power`-th root, normalised, of those that the labels are drawn from.
    fn cautious(power: f64) -> (Mat, Vec<Class>) {
        let raw = |i: usize, c: usize| 2.5 * ((i * 7 + c * 11) as f64 * 0.83).sin();
        let total = |i: usize, s: f64| (0..3).map(|c| (s * raw(i, c)).exp()).sum::<f64>();
        let logs = Mat::from_fn(ROWS, 3, |i, c| raw(i, c) / power - total(i, 1.0 / power).ln());
        let label = |i: usize| {
            let drawn = ((i as f64 + 0.5) * 0.618_033_988_749_895).fract();
            let below = |c: usize| (0..=c).map(|d| raw(i, d).exp()).sum::<f64>() / total(i, 1.0);
            Class::from((0..3).find(|&c| drawn < below(c)).unwrap_or(2) as u16)
        };
        (logs, (0..ROWS).map(label).collect())
    }

    /// What is maximised, from its definition.
    fn objective(logs: &Mat, labels: &[Class], omega: &[f64], s: f64) -> f64 {
        let row = |i: usize| {
            let total: f64 = (0..logs.cols()).map(|c| logs[(i, c)].exp().powf(s)).sum();
            (logs[(i, labels[i].position())].exp().powf(s) / total).ln()
        };
        let fit: f64 = (0..labels.len()).filter(|&i| omega[i] > 0.0).map(|i| omega[i] * row(i)).sum();
        fit + PRIOR * (s.ln() - s + 1.0)
    }

    #[test]
    fn no_power_of_a_fine_grid_is_better() {
        let thirds: Vec<f64> = (0..ROWS).map(|i| [0.0, 0.5, 1.0, 3.0][i % 4]).collect();
        for (power, omega) in [(2.5, None), (2.5, Some(&thirds)), (0.4, None)] {
            let (logs, labels) = cautious(power);
            let seen = LeftOutClasses { logs: &logs, labels: &labels, omega: omega.map(Vec::as_slice) };
            let found = seen.sharpness();
            assert!((found > 1.2) == (power > 1.0) && found != 1.0, "{power}: {found}");
            let value = |s: f64| objective(&logs, &labels, omega.unwrap_or(&vec![1.0; ROWS]), s);
            let top = value(found);
            assert!((1..800).all(|k| value(f64::from(k) / 100.0) <= top + 1e-9));
            let slope = (value(found + 1e-6) - value(found - 1e-6)) / 2e-6;
            assert!(slope.abs() < 1e-6, "{slope}");
        }
    }

    #[test]
    fn what_gains_nothing_stays_as_it_is() {
        let (logs, labels) = cautious(1.0);
        let seen = LeftOutClasses { logs: &logs, labels: &labels, omega: None };
        assert_eq!(seen.sharpness(), 1.0);
        assert_eq!(seen.sharpness_without_each(1.0), vec![1.0; ROWS]);
    }

    #[test]
    fn weights_count_like_copies_and_impossible_rows_say_nothing() {
        let (logs, labels) = cautious(2.5);
        let twice = Mat::from_fn(2 * ROWS, 3, |i, c| logs[(i % ROWS, c)]);
        let both: Vec<Class> = labels.iter().chain(&labels).copied().collect();
        let copied = LeftOutClasses { logs: &twice, labels: &both, omega: None }.sharpness();
        let weighed = LeftOutClasses { logs: &logs, labels: &labels, omega: Some(&[2.0; ROWS]) }.sharpness();
        assert!((copied - weighed).abs() < 1e-9);
        let impossible = Mat::from_fn(ROWS + 1, 3, |i, c| match (i, c) {
            (ROWS, 1) => 0.0,
            (ROWS, _) => f64::NEG_INFINITY,
            _ => logs[(i, c)],
        });
        let with = [labels.as_slice(), &[Class::from(0)]].concat();
        let alone = LeftOutClasses { logs: &logs, labels: &labels, omega: None }.sharpness();
        let ignored = LeftOutClasses { logs: &impossible, labels: &with, omega: None }.sharpness();
        assert!((alone - ignored).abs() < 1e-12);
    }

    /// Against the power of the other rows alone.
    #[test]
    fn a_step_foretells_the_power_without_a_row() {
        let (logs, labels) = cautious(2.5);
        let all = LeftOutClasses { logs: &logs, labels: &labels, omega: None };
        let sharpness = all.sharpness();
        for (i, got) in all.sharpness_without_each(sharpness).into_iter().enumerate() {
            let omega: Vec<f64> = (0..ROWS).map(|j| if i == j { 0.0 } else { 1.0 }).collect();
            let want = LeftOutClasses { omega: Some(&omega), ..all }.sharpness();
            let (away, before) = ((got - want).abs(), (sharpness - want).abs());
            assert!(away < 0.25 * before + 1e-3, "row {i}: {away} of {before}");
        }
    }
}
