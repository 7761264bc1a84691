//! Shapley values of `sum_i w_i c(x, z_i)` in closed form, for a kernel c that is a sum of products over features.
//!
//! From a background row b to a row x a product changes its factor of column p from `c_p(b, z)` to `c_p(x, z)`. Its Shapley value is
//! `(c_p(x, z) - c_p(b, z)) int_0^1 prod_{q != p} (t c_q(x, z) + (1 - t) c_q(b, z)) dt`: the integrand is a polynomial in t, for which
//! half as many nodes of Gauss and Legendre's rule as it has factors are exact (math 11.4).

use super::separable::Term;
use super::{Background, Parts};
use crate::data::{Feature, FeatureKind, Inputs};
use crate::model::Expansion;
use crate::special::legendre_nodes;
use gpclass_linalg::{Mat, map_tasks, vector};

/// Rows that share the factors of the background.
const ROWS: usize = 8;

/// Rows of which a kernel sees the same things.
pub(super) struct Seen<'a> {
    pub rows: &'a Inputs,
    pub background: &'a Inputs,
    pub shares: &'a Background,
}

/// Rows x columns of the table: the values of the sum of terms around the centres.
pub(super) fn closed(terms: &[Term], expansion: &Expansion<'_>, seen: &Seen<'_>, parts: &Parts) -> Mat {
    let mut values = Mat::zeros(seen.rows.rows(), parts.len());
    for term in terms {
        let own = match term {
            Term::Linear { weight } => linear(weight, expansion, seen, parts),
            Term::Product { variance, square, step } => {
                product(&Decay { variance: *variance, square, step }, expansion, seen, parts)
            }
        };
        vector::add_scaled(values.as_mut_slice(), 1.0, own.as_slice());
    }
    values
}

/// A linear function moves with each column by itself.
fn linear(weight: &[f64], expansion: &Expansion<'_>, seen: &Seen<'_>, parts: &Parts) -> Mat {
    let centres = expansion.centres.values();
    let slope = |c: usize| vector::dot(centres.col(c), &expansion.weights);
    let of_feature = |row: usize, feature: usize| -> f64 {
        let columns = seen.rows.features()[feature].columns.clone();
        let moved = |c: usize| seen.rows.values()[(row, c)] - seen.shares.mean(seen.background.values().col(c));
        columns.map(|c| weight[feature] * slope(c) * moved(c)).sum()
    };
    Mat::from_fn(seen.rows.rows(), parts.len(), |row, part| {
        parts.features()[part].iter().map(|&feature| of_feature(row, feature)).sum()
    })
}

/// How a product of features falls off with their differences.
struct Decay<'a> {
    variance: f64,
    square: &'a [f64],
    step: &'a [f64],
}

impl Decay<'_> {
    fn rests_on(&self, features: &[usize]) -> bool {
        features.iter().any(|&m| self.square[m] > 0.0 || self.step[m] > 0.0)
    }

    /// The factors of some features for all rows with one centre.
    fn factors(&self, features: &[usize], rows: &Inputs, centres: &Inputs, centre: usize) -> Vec<f64> {
        let mut exponents = vec![0.0; rows.rows()];
        for &m in features {
            let feature = &rows.features()[m];
            let (square, step) = (self.square[m], self.step[m]);
            for (sum, (squared, size)) in exponents.iter_mut().zip(differences(feature, rows, centres, centre)) {
                *sum += square * squared + step * size;
            }
        }
        exponents.iter().map(|exponent| (-exponent).exp()).collect()
    }
}

/// The squared difference of every row from a centre in a feature, and its size; zero or one between levels.
fn differences<'a>(
    feature: &'a Feature,
    rows: &'a Inputs,
    centres: &'a Inputs,
    centre: usize,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let square = move |c: usize, row: usize| (rows.values()[(row, c)] - centres.values()[(centre, c)]).powi(2);
    (0..rows.rows()).map(move |row| {
        let squared: f64 = feature.columns.clone().map(|c| square(c, row)).sum();
        match feature.kind {
            FeatureKind::Continuous => (squared, squared.sqrt()),
            // Blocks are scaled so that two levels are at distance one; their size is the same without rounding.
            FeatureKind::Discrete => (squared, if squared > 0.5 { 1.0 } else { 0.0 }),
        }
    })
}

fn product(decay: &Decay<'_>, expansion: &Expansion<'_>, seen: &Seen<'_>, parts: &Parts) -> Mat {
    let active: Vec<usize> = (0..parts.len()).filter(|&part| decay.rests_on(&parts.features()[part])).collect();
    let nodes = legendre_nodes(active.len().div_ceil(2), 0.0, 1.0);
    let blocks = map_tasks(seen.rows.rows().div_ceil(ROWS), |block| {
        let which: Vec<usize> = (block * ROWS..seen.rows.rows().min((block + 1) * ROWS)).collect();
        let rows = seen.rows.select_rows(&which);
        let mut values = Mat::zeros(rows.rows(), parts.len());
        let mut work = Work::new(active.len(), seen.shares.shares().len());
        for (centre, weight) in expansion.weights.iter().enumerate() {
            let factors = |of: &Inputs| -> Vec<Vec<f64>> {
                let part = |&part: &usize| decay.factors(&parts.features()[part], of, &expansion.centres, centre);
                active.iter().map(part).collect()
            };
            let (own, background) = (factors(&rows), factors(seen.background));
            for row in 0..rows.rows() {
                let own: Vec<f64> = own.iter().map(|part| part[row]).collect();
                let sums = work.integral(&own, &background, seen.shares.shares(), &nodes);
                for (&part, sum) in active.iter().zip(sums) {
                    values[(row, part)] += decay.variance * weight * sum;
                }
            }
        }
        values
    });
    let rows: Vec<Vec<f64>> = blocks.iter().flat_map(|block| (0..block.rows()).map(|i| row_of(block, i))).collect();
    Mat::from_fn(rows.len(), parts.len(), |i, part| rows[i][part])
}

fn row_of(values: &Mat, row: usize) -> Vec<f64> {
    values.columns().map(|column| column[row]).collect()
}

/// Products over columns, for all background rows at once.
struct Work {
    background: usize,
    /// For every column the product of those after it.
    after: Vec<Vec<f64>>,
    /// The product of those before.
    before: Vec<f64>,
    sums: Vec<f64>,
}

impl Work {
    fn new(columns: usize, background: usize) -> Self {
        let rows = || vec![1.0; background];
        Work { background, after: vec![rows(); columns + 1], before: rows(), sums: vec![0.0; columns] }
    }

    /// For every column the integral, averaged over the background.
    fn integral(&mut self, own: &[f64], others: &[Vec<f64>], shares: &[f64], nodes: &[(f64, f64)]) -> &[f64] {
        self.sums.fill(0.0);
        for &(t, weight) in nodes {
            let between = |own: f64, other: f64| t * own + (1.0 - t) * other;
            for p in (0..own.len()).rev() {
                let (left, right) = self.after.split_at_mut(p + 1);
                for b in 0..self.background {
                    left[p][b] = right[0][b] * between(own[p], others[p][b]);
                }
            }
            self.before.iter_mut().zip(shares).for_each(|(before, share)| *before = weight * share);
            for p in 0..own.len() {
                let (other, after) = (&others[p], &self.after[p + 1]);
                let mut sum = 0.0;
                for b in 0..self.background {
                    sum += self.before[b] * (own[p] - other[b]) * after[b];
                    self.before[b] *= between(own[p], other[b]);
                }
                self.sums[p] += sum;
            }
        }
        &self.sums
    }
}
