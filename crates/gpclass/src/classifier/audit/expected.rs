//! How many labels are wrong (NOTATION, number of wrong labels).
//!
//! Given the shares of wrong labels they are wrong independently. The shares are known from the rows as well as the labels'
//! probability with the functions held says (`held`), and the functions as well as the hyperparameters are: the number has the
//! mixture over both of Poisson-binomial distributions.

use super::held::{Held, LEAST, MOST, Shares};
use crate::data::Class;
use crate::special::phi_cdf;
use serde::Serialize;

/// Shares that a line of them is looked at by: of one for both classes, and of each where they have their own.
const COMMON: usize = 41;
const OWN: usize = 13;
/// The line ends where the labels' log-probability is lower than at its best by this.
const LOWER: f64 = 8.0;
/// Halvings until such an end is found.
const HALVINGS: usize = 30;
/// Draws that are less probable than this are left out.
const NEGLIGIBLE: f64 = 1e-5;
/// Places and weights of a standard normal quantity, exact to its ninth moment (Gauss and Hermite).
const NORMAL: [(f64, f64); 5] = [
    (-2.856_970_013_872_806, 0.011_257_411_327_720_69),
    (-1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (0.0, 0.533_333_333_333_333_3),
    (1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (2.856_970_013_872_806, 0.011_257_411_327_720_69),
];
/// Probability on each side of an interval.
const TAIL: f64 = 0.05;
/// Standard deviations beyond the mean that a distribution is followed to.
const FOLLOWED: f64 = 12.0;
/// Variance from which on a number is as good as normal.
const LARGE: f64 = 400.0;

/// A number of wrong labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WrongCount {
    /// Its expectation: the sum of the probabilities.
    pub expected: f64,
    /// It is smaller than this with a probability of one in twenty at most.
    pub low: usize,
    /// It is larger than this with a probability of one in twenty at most.
    pub high: usize,
}

/// A share of wrong labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WrongShare {
    /// As it was learned.
    pub value: f64,
    /// It is smaller than this with a probability of one in twenty.
    pub low: f64,
    /// It is larger than this with a probability of one in twenty.
    pub high: f64,
}

/// The wrong labels of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassErrors {
    /// Name of the class.
    pub class: String,
    /// Rows that are labelled so.
    pub rows: usize,
    /// How many of them are of another class.
    pub wrong: WrongCount,
    /// How many rows that are labelled otherwise are of this class.
    pub hidden: WrongCount,
    /// Of two classes: the share of the rows truly of this class that are labelled otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<WrongShare>,
}

/// What the shares may be, each with its weight.
pub(super) struct Draws(Vec<Draw>);

struct Draw {
    weight: f64,
    shares: Shares,
    /// By the class of the label: factors on the odds that it is wrong.
    odds: [f64; 2],
}

impl Draws {
    /// Of shares of their own for two classes, or of a common one. `spread` is the standard deviation of the logarithm of the
    /// number over all hyperparameters, where that is known.
    pub fn of(held: &Held<'_>, common: bool, spread: Option<f64>) -> Self {
        if held.wrong.iter().all(|&p| p <= 0.0) {
            return Draws(vec![Draw { weight: 1.0, shares: held.at, odds: [1.0; 2] }]);
        }
        let best = held.best(common);
        let lines = if common {
            line(held, COMMON, best[0], |share| [share; 2]).into_iter().map(|share| [share; 2]).collect()
        } else {
            let negative = line(held, OWN, best[0], |share| [share, best[1]]);
            let positive = line(held, OWN, best[1], |share| [best[0], share]);
            negative.iter().flat_map(|&a| positive.iter().map(move |&b| [a, b])).collect::<Vec<Shares>>()
        };
        let highest = held.log_likelihood(best);
        let draw = |shares: Shares| {
            let odds = [Class::NEGATIVE, Class::POSITIVE].map(|label| {
                let (right, wrong) = held.factors(shares, label);
                wrong / right
            });
            Draw { weight: (held.log_likelihood(shares) - highest).exp(), shares, odds }
        };
        Draws(lines.into_iter().map(draw).collect()).normalised().spread(held, spread)
    }

    /// Without those that do not matter, the weights summing to one.
    fn normalised(mut self) -> Self {
        let total: f64 = self.0.iter().map(|draw| draw.weight).sum();
        self.0.retain(|draw| draw.weight > NEGLIGIBLE * total);
        let total: f64 = self.0.iter().map(|draw| draw.weight).sum();
        self.0.iter_mut().for_each(|draw| draw.weight /= total);
        self
    }

    /// The draws with what the functions leave open: their number varies by so much in all.
    fn spread(self, held: &Held<'_>, spread: Option<f64>) -> Self {
        let Some(whole) = spread else { return self };
        let logs: Vec<f64> = self.0.iter().map(|draw| draw.expected(held, 1.0).max(LEAST).ln()).collect();
        let mean: f64 = self.0.iter().zip(&logs).map(|(draw, log)| draw.weight * log).sum();
        let own: f64 = self.0.iter().zip(&logs).map(|(draw, log)| draw.weight * (log - mean).powi(2)).sum();
        let more = (whole * whole - own).max(0.0).sqrt();
        if more == 0.0 {
            return self;
        }
        let moved = |draw: &Draw, (place, weight): (f64, f64)| {
            let (times, factor) = ((more * place).exp(), draw.factor(held, (more * place).exp()));
            Draw {
                weight: draw.weight * weight,
                shares: draw.shares.map(|share| (share * times).min(0.5)),
                odds: draw.odds.map(|odds| odds * factor),
            }
        };
        Draws(self.0.iter().flat_map(|draw| NORMAL.map(|node| moved(draw, node))).collect()).normalised()
    }

    /// The number among rows, each given by the class of its label, the probability that it is wrong, and which part of that is
    /// counted.
    pub fn count(&self, rows: &[(Class, f64, f64)]) -> WrongCount {
        let mut mixed: Vec<f64> = Vec::new();
        for draw in &self.0 {
            let own: Vec<f64> = rows.iter().map(|&(label, p, part)| part * changed(p, draw.odds_of(label))).collect();
            let distribution = poisson_binomial(&own);
            mixed.resize(mixed.len().max(distribution.len()), 0.0);
            mixed.iter_mut().zip(distribution).for_each(|(sum, part)| *sum += draw.weight * part);
        }
        let total: f64 = mixed.iter().sum();
        let quantile = |share: f64| {
            let mut below = 0.0;
            let reached = mixed.iter().position(|part| {
                below += part / total;
                below >= share
            });
            reached.unwrap_or(mixed.len().saturating_sub(1))
        };
        let expected = rows.iter().map(|&(_, p, part)| part * p).sum();
        WrongCount { expected, low: quantile(TAIL), high: quantile(1.0 - TAIL) }
    }

    /// The share of a class.
    pub fn share(&self, class: Class, value: f64) -> WrongShare {
        let mut shares: Vec<(f64, f64)> = self.0.iter().map(|d| (d.shares[class.position()], d.weight)).collect();
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Between two shares the probability passed by grows evenly.
        let quantile = |tail: f64| {
            let (mut below, mut last) = (0.0, (0.0, 0.0));
            for &(share, weight) in &shares {
                let here = below + 0.5 * weight;
                if here >= tail {
                    let (before, passed) = last;
                    return before + (share - before) * (tail - passed) / (here - passed);
                }
                (below, last) = (below + weight, (share, here));
            }
            last.0
        };
        WrongShare { value, low: quantile(TAIL).min(value), high: quantile(1.0 - TAIL).max(value) }
    }
}

impl Draw {
    fn odds_of(&self, label: Class) -> f64 {
        // Of several classes there is one share, so that the odds are those of any.
        self.odds[label.position().min(1)]
    }

    /// The expected number with the odds multiplied.
    fn expected(&self, held: &Held<'_>, factor: f64) -> f64 {
        let rows = held.wrong.iter().zip(held.labels);
        rows.map(|(&p, &label)| changed(p, factor * self.odds_of(label))).sum()
    }

    /// By what the odds are multiplied where the expected number is.
    fn factor(&self, held: &Held<'_>, times: f64) -> f64 {
        let wanted = times * self.expected(held, 1.0);
        let (mut low, mut high) = (-30.0_f64, 30.0_f64);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.expected(held, middle.exp()) < wanted { low = middle } else { high = middle }
        }
        (0.5 * (low + high)).exp()
    }
}

/// A probability once its odds are multiplied.
fn changed(p: f64, odds: f64) -> f64 {
    p * odds / (1.0 - p + p * odds)
}

/// Shares about the best one, evenly apart, as far as they matter.
fn line(held: &Held<'_>, points: usize, best: f64, shares: impl Fn(f64) -> Shares) -> Vec<f64> {
    let least = held.log_likelihood(shares(best)) - LOWER;
    let end = |mut near: f64, mut far: f64| {
        if held.log_likelihood(shares(far)) >= least {
            return far;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            if held.log_likelihood(shares(middle)) >= least { near = middle } else { far = middle }
        }
        near
    };
    let (low, high) = (end(best, LEAST), end(best, MOST));
    (0..points).map(|k| low + (high - low) * k as f64 / (points - 1) as f64).collect()
}

/// The probabilities of 0, 1, 2, ... among independent events of these probabilities, as far as they matter.
fn poisson_binomial(p: &[f64]) -> Vec<f64> {
    let mean: f64 = p.iter().sum();
    let var: f64 = p.iter().map(|p| p * (1.0 - p)).sum();
    let most = ((mean + FOLLOWED * var.sqrt() + FOLLOWED).ceil() as usize).min(p.len());
    if var > LARGE {
        let below = |k: usize| phi_cdf((k as f64 - 0.5 - mean) / var.sqrt());
        return (0..=most).map(|k| below(k + 1) - if k > 0 { below(k) } else { 0.0 }).collect();
    }
    let mut distribution = vec![0.0; most + 1];
    distribution[0] = 1.0;
    for (seen, &p) in p.iter().enumerate() {
        for k in (0..=most.min(seen + 1)).rev() {
            let fewer = if k > 0 { distribution[k - 1] } else { 0.0 };
            distribution[k] = distribution[k] * (1.0 - p) + fewer * p;
        }
    }
    distribution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_probabilities_are_binomial() {
        // scipy.stats.binom.pmf(k, 10, 0.3) for k = 0, 3, 10.
        let found = poisson_binomial(&[0.3; 10]);
        for (k, want) in [(0, 0.0282475249), (3, 0.266827932), (10, 5.9049e-06)] {
            assert!((found[k] - want).abs() < 1e-12, "{k}: {}", found[k]);
        }
        // Of 1/2 and 1/4: 3/8, 1/2, 1/8.
        assert_eq!(poisson_binomial(&[0.5, 0.25]), [0.375, 0.5, 0.125]);
    }

    #[test]
    fn large_numbers_are_normal() {
        // scipy.stats.binom.ppf([.05, .95], 4000, 0.3): 1152, 1248.
        let found = poisson_binomial(&[0.3; 4000]);
        let mut below = 0.0;
        let quantile = |share: f64, below: &mut f64| {
            found
                .iter()
                .position(|p| {
                    *below += p;
                    *below >= share
                })
                .unwrap()
        };
        assert_eq!(quantile(0.05, &mut below), 1152);
        below = 0.0;
        assert_eq!(quantile(0.95, &mut below), 1248);
    }

    /// What is counted of rows that are taken for wrong by a common share.
    fn counted(p: &[f64], spread: Option<f64>) -> WrongCount {
        let labels = vec![Class::NEGATIVE; p.len()];
        let mean = p.iter().sum::<f64>() / p.len() as f64;
        let held = Held { labels: &labels, weights: None, wrong: p, at: [mean; 2] };
        let rows: Vec<(Class, f64, f64)> = p.iter().map(|&p| (Class::NEGATIVE, p, 1.0)).collect();
        Draws::of(&held, true, spread).count(&rows)
    }

    #[test]
    fn what_is_certain_is_counted_up_to_the_share_and_nothing_is_none() {
        let mut p = vec![0.0; 200];
        assert_eq!(counted(&p, None), WrongCount { expected: 0.0, low: 0, high: 0 });
        p[..10].fill(1.0 - 1e-12);
        let sure = counted(&p, None);
        assert_eq!((sure.low, sure.high), (10, 10));
    }

    #[test]
    fn what_the_functions_leave_open_widens_the_interval() {
        let p: Vec<f64> = (0..300).map(|i| if i < 20 { 0.9 } else { 0.005 }).collect();
        let (plain, wide) = (counted(&p, None), counted(&p, Some(0.4)));
        assert_eq!(counted(&p, Some(0.0)), plain, "the shares alone vary by more");
        assert_eq!(plain.expected, wide.expected);
        // Twice the standard deviation of a log-normal number is a factor of about two either way at 1.645.
        assert!(wide.low < plain.low && wide.high > plain.high, "{plain:?} {wide:?}");
        assert!((8..=14).contains(&wide.low) && (28..=45).contains(&wide.high), "{wide:?}");
    }

    /// Beta distributions: with k of n rows for certain labelled otherwise and a flat prior the share has Beta(k + 1, n - k + 1).
    #[test]
    fn shares_of_classes_have_their_own_intervals() {
        let (mut labels, mut p) = (Vec::new(), Vec::new());
        let wrong = |q: f64| 0.05 * (1.0 - q) / (0.05 * (1.0 - q) + 0.95 * q);
        for (label, right, count) in [(0, true, 90), (1, false, 10), (1, true, 200)] {
            let class = if label == 0 { Class::NEGATIVE } else { Class::POSITIVE };
            labels.extend(std::iter::repeat_n(class, count));
            p.extend(std::iter::repeat_n(wrong(if right { 1.0 - 1e-10 } else { 1e-10 }), count));
        }
        let held = Held { labels: &labels, weights: None, wrong: &p, at: [0.05; 2] };
        let draws = Draws::of(&held, false, None);
        // scipy.stats.beta.ppf([.05, .95], 11, 91) and (1, 201).
        for (class, value, low, high) in
            [(Class::NEGATIVE, 0.1, 0.06229_f64, 0.16215), (Class::POSITIVE, 0.0, 0.000255, 0.014794)]
        {
            let share = draws.share(class, value);
            assert!((share.low - low.min(value)).abs() < 0.003 && (share.high - high).abs() < 0.003, "{share:?}");
        }
    }

    /// Rows with a likelihood ratio against their label, of which a share is wrong: the interval covers the number in about
    /// nine of ten tables, or more.
    #[test]
    fn the_interval_covers_the_number() {
        use crate::special::phi_cdf;
        use rand::{RngExt, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let mut covered = 0;
        for _ in 0..200 {
            let (rate, rows) = (0.06, 150);
            let mut wrong = 0;
            // The probability that a label is right, as the other rows have it, calibrated.
            let right: Vec<f64> = (0..rows).map(|_| phi_cdf(4.0 * rng.random::<f64>())).collect();
            let kept: Vec<f64> = right
                .iter()
                .map(|&q| {
                    // The true class agrees with the forecast with probability q; the label is the truth, or flipped.
                    let truth = rng.random::<f64>() < q;
                    let flipped = rng.random::<f64>() < rate;
                    wrong += usize::from(flipped);
                    if truth != flipped { q } else { 1.0 - q }
                })
                .collect();
            // The share that the rows themselves ask for, by EM.
            let mut eps: f64 = 0.05;
            let flip = |eps: f64, q: f64| eps * (1.0 - q) / (eps * (1.0 - q) + (1.0 - eps) * q);
            for _ in 0..500 {
                eps = kept.iter().map(|&q| flip(eps, q)).sum::<f64>() / rows as f64;
            }
            let p: Vec<f64> = kept.iter().map(|&q| flip(eps, q)).collect();
            let count = counted(&p, None);
            covered += usize::from((count.low..=count.high).contains(&wrong));
        }
        assert!((165..=199).contains(&covered), "{covered} of 200");
    }
}
