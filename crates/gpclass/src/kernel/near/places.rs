//! Rows as points of the space in which a kernel measures distances.

use super::super::leaf::Leaf;
use super::super::{Kernel, Weights};
use crate::data::{Feature, FeatureKind, Inputs};

/// How the differences of coordinates make a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Norm {
    /// The sum of their squares.
    Squares,
    /// The sum of their absolute values.
    Absolutes,
}

impl Norm {
    /// What a difference in one coordinate adds to a distance.
    #[inline(always)]
    fn term(self, difference: f64) -> f64 {
        match self {
            Norm::Squares => difference * difference,
            Norm::Absolutes => difference.abs(),
        }
    }
}

/// A kernel's own way to measure distances, or one that grows with it.
#[derive(Clone, Debug)]
pub(super) struct Metric {
    norm: Norm,
    /// Of every column.
    factors: Vec<f64>,
}

impl Metric {
    /// None where the kernel has no single metric.
    pub fn of(kernel: &Kernel, features: &[Feature]) -> Option<Metric> {
        let (norm, weights) = metric(kernel)?;
        let by_column = weights.per_column(features).into_iter().zip(features.iter().flat_map(kinds));
        let factor = |(w, kind): (f64, FeatureKind)| match (norm, kind) {
            (Norm::Squares, _) => w.sqrt(),
            (Norm::Absolutes, FeatureKind::Continuous) => w,
            // Two columns of 1/√2 differ where levels do.
            (Norm::Absolutes, FeatureKind::Discrete) => w * std::f64::consts::FRAC_1_SQRT_2,
        };
        Some(Metric { norm, factors: by_column.map(factor).collect() })
    }

    /// The distances of all rows from row `query` of `queries`, column by column.
    pub fn distances(&self, x: &Inputs, queries: &Inputs, query: usize) -> Vec<f64> {
        let mut distances = vec![0.0; x.rows()];
        for ((column, asked), factor) in x.values().columns().zip(queries.values().columns()).zip(&self.factors) {
            let place = factor * asked[query];
            distances.iter_mut().zip(column).for_each(|(sum, x)| *sum += self.norm.term(factor * x - place));
        }
        distances
    }
}

/// Rows as points, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Places {
    norm: Norm,
    width: usize,
    values: Vec<f64>,
}

impl Places {
    /// The points whose distances are those of a kernel; none where it has no single metric.
    pub fn of(kernel: &Kernel, x: &Inputs) -> Option<Places> {
        let Metric { norm, factors } = Metric::of(kernel, x.features())?;
        Some(Places::scaled(x, norm, &factors))
    }

    /// All columns alike.
    pub fn plain(x: &Inputs) -> Places {
        Places::scaled(x, Norm::Squares, &vec![1.0; x.values().cols()])
    }

    fn scaled(x: &Inputs, norm: Norm, factors: &[f64]) -> Places {
        let width = factors.len();
        let mut values = vec![0.0; x.rows() * width];
        for (c, (column, factor)) in x.values().columns().zip(factors).enumerate() {
            column.iter().enumerate().for_each(|(row, x)| values[row * width + c] = factor * x);
        }
        Places { norm, width, values }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    pub fn at(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..(row + 1) * self.width]
    }

    /// What a difference in one coordinate adds to a distance.
    #[inline(always)]
    pub fn term(&self, difference: f64) -> f64 {
        self.norm.term(difference)
    }

    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let differences = a.iter().zip(b).map(|(a, b)| a - b);
        match self.norm {
            Norm::Squares => differences.map(|d| d * d).sum(),
            Norm::Absolutes => differences.map(f64::abs).sum(),
        }
    }

    /// The points in another order.
    pub fn ordered(&self, order: &[usize]) -> Places {
        Places { values: order.iter().flat_map(|&row| self.at(row).iter().copied()).collect(), ..*self }
    }
}

fn kinds(feature: &Feature) -> impl Iterator<Item = FeatureKind> + use<> {
    std::iter::repeat_n(feature.kind, feature.columns.len())
}

/// The one metric of a kernel: level and noise have none.
fn metric(kernel: &Kernel) -> Option<(Norm, &Weights)> {
    match kernel {
        Kernel::Stationary(leaf) => Some((Norm::Squares, leaf.weights()?)),
        Kernel::L1Product(leaf) => Some((Norm::Absolutes, leaf.weights()?)),
        Kernel::Sum(terms) => {
            let mut looking = terms.iter().filter(|term| !matches!(term, Kernel::Bias(_) | Kernel::Noise(_)));
            let only = looking.next()?;
            if looking.next().is_some() { None } else { metric(only) }
        }
        Kernel::Additive(_)
        | Kernel::Linear(_)
        | Kernel::Bias(_)
        | Kernel::Noise(_)
        | Kernel::Product(_)
        | Kernel::PerClass(_) => None,
    }
}
