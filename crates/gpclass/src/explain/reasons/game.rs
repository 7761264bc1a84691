//! From one background row to the row that is explained: which coalitions of columns are looked at, and what follows.

use super::ReasonOptions;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Drawn orders of the columns for every background row. They are the same for every row that is explained, so that equal rows
/// have equal reasons.
pub(super) fn orders(columns: usize, background: usize, options: &ReasonOptions) -> Vec<Vec<Vec<usize>>> {
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut order = || {
        let mut order: Vec<usize> = (0..columns).collect();
        order.shuffle(&mut random);
        order
    };
    (0..background).map(|_| (0..options.orders).map(|_| order()).collect()).collect()
}

/// A background row and a row: the columns in which they differ, all others having no part in the difference.
pub(super) struct Between {
    differing: Vec<usize>,
    /// Orders of the differing columns, by position among them; none where every coalition is looked at.
    orders: Vec<Vec<usize>>,
}

impl Between {
    /// The drawn orders are used where more than `exact` columns differ.
    pub fn new(differing: Vec<usize>, orders: &[Vec<usize>], exact: usize) -> Self {
        if differing.len() <= exact {
            return Between { differing, orders: Vec::new() };
        }
        let position = |column: &usize| differing.binary_search(column).ok();
        let orders = orders.iter().map(|order| order.iter().filter_map(position).collect()).collect();
        Between { differing, orders }
    }

    /// The columns in which the rows differ.
    pub fn differing(&self) -> &[usize] {
        &self.differing
    }

    /// How many coalitions are looked at, neither empty nor whole.
    pub fn len(&self) -> usize {
        match (self.differing.len(), self.orders.len()) {
            (0 | 1, _) => 0,
            (columns, 0) => (1 << columns) - 2,
            (columns, orders) => 2 * orders * (columns - 1),
        }
    }

    /// Every coalition in turn, as columns.
    pub fn each(&self, mut visit: impl FnMut(&[usize])) {
        let columns = self.differing.len();
        if self.orders.is_empty() {
            for mask in 1..(1_usize << columns).max(2) - 1 {
                let taken: Vec<usize> =
                    (0..columns).filter(|k| mask >> k & 1 == 1).map(|k| self.differing[k]).collect();
                visit(&taken);
            }
            return;
        }
        for order in &self.orders {
            let there: Vec<usize> = order.iter().map(|&k| self.differing[k]).collect();
            let back: Vec<usize> = there.iter().rev().copied().collect();
            for walk in [there, back] {
                (1..columns).for_each(|taken| visit(&walk[..taken]));
            }
        }
    }

    /// The value of every differing column and the variance of its estimate, from what is said of the background row, of the row,
    /// and of the coalitions between.
    pub fn account(&self, from: f64, to: f64, seen: &[f64]) -> (Vec<f64>, Vec<f64>) {
        match (self.differing.len(), self.orders.is_empty()) {
            (0, _) => (Vec::new(), Vec::new()),
            (columns, true) => (enumerated(columns, from, to, seen), vec![0.0; columns]),
            (_, false) => self.walked(from, to, seen),
        }
    }

    /// Mean and variance over the orders, each with its reverse.
    fn walked(&self, from: f64, to: f64, seen: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (columns, count) = (self.differing.len(), self.orders.len() as f64);
        let steps = |walk: &[f64]| {
            let values: Vec<f64> = [&[from], walk, &[to]].concat();
            values.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>()
        };
        let mut both = vec![Vec::with_capacity(self.orders.len()); columns];
        for (order, walks) in self.orders.iter().zip(seen.chunks(2 * (columns - 1))) {
            let (there, back) = walks.split_at(columns - 1);
            let (there, back) = (steps(there), steps(back));
            for (k, &column) in order.iter().enumerate() {
                both[column].push(0.5 * (there[k] + back[columns - 1 - k]));
            }
        }
        let mean = |own: &Vec<f64>| own.iter().sum::<f64>() / count;
        let variance = |own: &Vec<f64>| {
            let mean = mean(own);
            own.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0) / count
        };
        (both.iter().map(mean).collect(), both.iter().map(variance).collect())
    }
}

/// `sum_S |S|! (n - 1 - |S|)! / n! (v(S with k) - v(S))` over the coalitions without k. // math 11.4
fn enumerated(columns: usize, from: f64, to: f64, seen: &[f64]) -> Vec<f64> {
    let whole = (1_usize << columns) - 1;
    let value = |mask: usize| match mask {
        0 => from,
        mask if mask == whole => to,
        mask => seen[mask - 1],
    };
    // |S|! (n - 1 - |S|)! / n! = 1 / (n binomial(n - 1, |S|)).
    let mut weights = vec![1.0 / columns as f64; columns];
    for size in 1..columns {
        weights[size] = weights[size - 1] * size as f64 / (columns - size) as f64;
    }
    let of = |k: usize| {
        let without = (0..whole).filter(|mask| mask >> k & 1 == 0);
        without.map(|mask| weights[mask.count_ones() as usize] * (value(mask | 1 << k) - value(mask))).sum()
    };
    (0..columns).map(of).collect()
}
