//! Rows one feature of which is another row's: their covariances, without going over the other features again.
//!
//! Every leaf that looks at features is a function of a sum over them. In a table of many columns an exchange changes one of
//! its terms, and everything else about the row is known.

use super::leaf::Leaf;
use super::{Additive, Kernel, L1Product, Linear, Stationary};
use crate::data::{Feature, FeatureKind, Inputs};
use gpclass_linalg::Mat;
use std::slice::Iter;

/// Some training rows, ready for exchanges with others.
pub struct Exchange<'a> {
    kernel: &'a Kernel,
    training: &'a Inputs,
    rows: &'a [usize],
    leaves: Vec<Sums<'a>>,
}

/// A row by its position among those that were made ready, and the training row that it gets a feature from.
pub type Exchanged = (usize, usize);

impl Kernel {
    /// Makes training rows ready for exchanges.
    pub fn exchange<'a>(&'a self, training: &'a Inputs, rows: &'a [usize]) -> Exchange<'a> {
        let leaves = self.summing().into_iter().map(|leaf| Sums::new(leaf, training, rows)).collect();
        Exchange { kernel: self, training, rows, leaves }
    }

    /// The leaves that look at features, in order.
    fn summing(&self) -> Vec<Summing<'_>> {
        match self {
            Kernel::Stationary(leaf) => vec![Summing::Stationary(leaf)],
            Kernel::L1Product(leaf) => vec![Summing::L1Product(leaf)],
            Kernel::Additive(leaf) => vec![Summing::Additive(leaf)],
            Kernel::Linear(leaf) => vec![Summing::Linear(leaf)],
            Kernel::Bias(_) | Kernel::Noise(_) => Vec::new(),
            Kernel::Sum(_) | Kernel::Product(_) | Kernel::PerClass(_) => {
                self.parts().flat_map(Kernel::summing).collect()
            }
        }
    }
}

impl Exchange<'_> {
    /// The covariances of all training rows with rows that have `feature` of another row (one column each), and the variances
    /// of those rows, noise included.
    pub fn covariances(&self, feature: usize, exchanged: &[Exchanged]) -> (Mat, Vec<f64>) {
        let n = self.training.rows();
        let mut leaves: Vec<Values> = Vec::with_capacity(self.leaves.len());
        for sums in &self.leaves {
            let mut values = Values { cross: Vec::with_capacity(n * exchanged.len()), own: Vec::new() };
            for &(at, donor) in exchanged {
                sums.exchanged(self.training, feature, (at, self.rows[at], donor), &mut values);
            }
            sums.leaf.apply(&mut values.cross);
            sums.leaf.apply(&mut values.own);
            leaves.push(values);
        }
        let values = self.kernel.combined(&mut leaves.iter(), n, exchanged.len());
        (Mat::from_columns(n, exchanged.len(), values.cross), values.own)
    }
}

/// What a kernel says of training rows with exchanged ones, column after column, and of these with themselves.
#[derive(Clone)]
struct Values {
    cross: Vec<f64>,
    own: Vec<f64>,
}

impl Kernel {
    /// The kernel's values from those of its leaves that look at features, given in order.
    fn combined(&self, leaves: &mut Iter<'_, Values>, n: usize, exchanged: usize) -> Values {
        let constant = |cross: f64, own: f64| Values { cross: vec![cross; n * exchanged], own: vec![own; exchanged] };
        let mut fold = |empty: f64, op: fn(f64, f64) -> f64| {
            self.parts().fold(constant(empty, empty), |mut all, part| {
                let one = part.combined(leaves, n, exchanged);
                all.cross.iter_mut().zip(one.cross).for_each(|(a, b)| *a = op(*a, b));
                all.own.iter_mut().zip(one.own).for_each(|(a, b)| *a = op(*a, b));
                all
            })
        };
        match self {
            Kernel::Sum(_) | Kernel::PerClass(_) => fold(0.0, |a, b| a + b),
            Kernel::Product(_) => fold(1.0, |a, b| a * b),
            Kernel::Bias(leaf) => constant(leaf.v1(), leaf.v1()),
            Kernel::Noise(leaf) => constant(0.0, leaf.v2()),
            Kernel::Stationary(_) | Kernel::L1Product(_) | Kernel::Additive(_) | Kernel::Linear(_) => {
                leaves.next().cloned().unwrap_or_else(|| constant(0.0, 0.0))
            }
        }
    }
}

/// A leaf that is a function of a sum over features.
#[derive(Clone, Copy)]
enum Summing<'a> {
    Stationary(&'a Stationary),
    L1Product(&'a L1Product),
    Additive(&'a Additive),
    Linear(&'a Linear),
}

/// What a feature adds to the sum of a pair of rows.
#[derive(Clone, Copy)]
enum Term<'a> {
    Squared,
    Absolute,
    Product,
    /// What an additive kernel has left at a squared distance.
    Decay(&'a Additive),
    /// Whether two levels are one.
    Equal,
}

impl<'a> Summing<'a> {
    /// The weight of every feature.
    fn weights(self, features: &[Feature]) -> Vec<f64> {
        let leaf: &dyn Leaf = match self {
            Summing::Stationary(leaf) => leaf,
            Summing::L1Product(leaf) => leaf,
            Summing::Additive(leaf) => leaf,
            Summing::Linear(leaf) => leaf,
        };
        leaf.weights().map_or_else(Vec::new, |weights| weights.per_feature(features))
    }

    fn term(self, kind: FeatureKind) -> Term<'a> {
        match (self, kind) {
            (Summing::Linear(_), _) => Term::Product,
            (Summing::Additive(leaf), FeatureKind::Continuous) => Term::Decay(leaf),
            (Summing::Additive(_), FeatureKind::Discrete) => Term::Equal,
            (Summing::L1Product(_), FeatureKind::Continuous) => Term::Absolute,
            // The squared distance of two levels is 0 or 1 (math 1).
            (Summing::L1Product(_), FeatureKind::Discrete) | (Summing::Stationary(_), _) => Term::Squared,
        }
    }

    /// From sums to values, in place.
    fn apply(self, sums: &mut [f64]) {
        match self {
            Summing::Stationary(leaf) => leaf.profile().apply(leaf.v0(), sums),
            Summing::L1Product(leaf) => leaf.apply(sums),
            Summing::Additive(_) | Summing::Linear(_) => {}
        }
    }

    /// No distance is negative, which rounding could make it.
    fn least(self) -> f64 {
        match self {
            Summing::Stationary(_) | Summing::L1Product(_) => 0.0,
            Summing::Additive(_) | Summing::Linear(_) => f64::NEG_INFINITY,
        }
    }
}

/// The sums of one leaf for training rows with those made ready.
struct Sums<'a> {
    leaf: Summing<'a>,
    /// Of every feature.
    weights: Vec<f64>,
    /// Training rows x rows made ready.
    cross: Mat,
    /// Of rows with themselves.
    own: Vec<f64>,
}

impl<'a> Sums<'a> {
    fn new(leaf: Summing<'a>, training: &Inputs, rows: &[usize]) -> Self {
        let weights = leaf.weights(training.features());
        let (cross, own) = (Mat::zeros(training.rows(), rows.len()), vec![0.0; rows.len()]);
        let mut sums = Sums { leaf, weights, cross, own };
        for (m, feature) in training.features().iter().enumerate() {
            let (term, w) = (leaf.term(feature.kind), sums.weights[m]);
            for (at, &row) in rows.iter().enumerate() {
                add(sums.cross.col_mut(at), training, feature, row, (term, w));
                sums.own[at] += w * own_term(training, feature, row, term);
            }
        }
        sums
    }

    /// Appends the sums of the row made ready at a position, with a feature of another training row.
    fn exchanged(&self, x: &Inputs, m: usize, (at, row, donor): (usize, usize, usize), to: &mut Values) {
        let (feature, w, first) = (&x.features()[m], self.weights[m], to.cross.len());
        let term = self.leaf.term(feature.kind);
        to.cross.extend_from_slice(self.cross.col(at));
        let column = &mut to.cross[first..];
        if donor != row {
            add(column, x, feature, row, (term, -w));
            add(column, x, feature, donor, (term, w));
            let least = self.leaf.least();
            column.iter_mut().for_each(|sum| *sum = sum.max(least));
        }
        let change = own_term(x, feature, donor, term) - own_term(x, feature, row, term);
        to.own.push(self.own[at] + w * change);
    }
}

/// Adds to every training row's sum the weighted term of its feature and a row's.
fn add(sums: &mut [f64], x: &Inputs, feature: &Feature, row: usize, (term, w): (Term<'_>, f64)) {
    if let Term::Equal = term {
        // One less the squared distance of the levels, which is 0 or 1 (math 1).
        sums.iter_mut().for_each(|sum| *sum += w);
        return add(sums, x, feature, row, (Term::Squared, -w));
    }
    for column in feature.columns.clone().map(|c| x.values().col(c)) {
        let p = column[row];
        let pairs = sums.iter_mut().zip(column);
        match term {
            Term::Squared | Term::Equal => pairs.for_each(|(sum, x)| *sum += w * ((x - p) * (x - p))),
            Term::Absolute => pairs.for_each(|(sum, x)| *sum += w * (x - p).abs()),
            Term::Product => pairs.for_each(|(sum, x)| *sum += w * (x * p)),
            Term::Decay(leaf) => pairs.for_each(|(sum, x)| *sum += w * leaf.decay((x - p) * (x - p))),
        }
    }
}

/// The term of a row with itself.
fn own_term(x: &Inputs, feature: &Feature, row: usize, term: Term<'_>) -> f64 {
    match term {
        Term::Squared | Term::Absolute => 0.0,
        Term::Decay(_) | Term::Equal => 1.0,
        Term::Product => feature.columns.clone().map(|c| x.values()[(row, c)] * x.values()[(row, c)]).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Scales;

    fn rows() -> Inputs {
        let level = |i: usize, c: usize| if (i * i) % 3 + 2 == c { 0.5_f64.sqrt() } else { 0.0 };
        let value = |i: usize, c: usize| if c < 2 { ((i * (c + 3)) as f64).sin() } else { level(i, c) };
        let continuous =
            |name: &str, c: usize| Feature { name: name.to_owned(), kind: FeatureKind::Continuous, columns: c..c + 1 };
        let site = Feature { name: "site".to_owned(), kind: FeatureKind::Discrete, columns: 2..5 };
        Inputs::new(vec![continuous("a", 0), continuous("b", 1), site], Mat::from_fn(12, 5, value))
    }

    /// Against the covariances of rows that are written out.
    #[test]
    fn they_are_the_covariances_of_the_rows_written_out() {
        let x = rows();
        let l = || Scales::Ard(vec![0.7, 0.2, 1.3]);
        let kernels = [
            Kernel::squared_exponential(3.0, l()) + Kernel::bias(0.4) + Kernel::noise(0.2),
            Kernel::matern32(1.5, l()),
            Kernel::l1_product(2.0, l()),
            Kernel::additive(l(), 0.6) + Kernel::bias(0.3),
            Kernel::l1_product(2.0, Scales::Single(0.3)) + Kernel::linear(l()),
            Kernel::rational_quadratic(1.5, 0.7, l()) * Kernel::linear(Scales::Single(0.5)) + Kernel::bias(1.0),
        ];
        let (chosen, pairs) = ([3, 7, 8], [(0, 5), (2, 1), (1, 7), (1, 10)]);
        for kernel in kernels {
            let exchange = kernel.exchange(&x, &chosen);
            for (m, feature) in x.features().iter().enumerate() {
                let value = |k: usize, c: usize| {
                    let (at, donor) = pairs[k];
                    x.values()[(if feature.columns.contains(&c) { donor } else { chosen[at] }, c)]
                };
                let written = Inputs::new(x.features().to_vec(), Mat::from_fn(pairs.len(), 5, value));
                let (cross, own) = exchange.covariances(m, &pairs);
                let (want, want_own) = (kernel.cross(&x, &written), kernel.diag(&written));
                let all = cross.as_slice().iter().chain(&own).zip(want.as_slice().iter().chain(&want_own));
                for (got, want) in all {
                    assert!((got - want).abs() < 1e-12, "{}: {got} and {want}", kernel.describe());
                }
            }
        }
    }
}
