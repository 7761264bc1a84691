//! Points as one column per feature, for kernels that look at each feature by itself.

use super::blocks::Pairs;
use super::columns::{LANES, add_terms, weighted_sums};
use crate::data::{Feature, FeatureKind, Inputs};
use std::borrow::Cow;
use std::ops::Range;

/// One feature of two sets of points: values of a continuous one, numbers of the levels of a discrete one.
pub(super) struct Coordinate<'a> {
    kind: FeatureKind,
    left: Cow<'a, [f64]>,
    right: Cow<'a, [f64]>,
}

impl Coordinate<'_> {
    /// `sums_i += w term(x_i, x_j)` for the points from `from` on, with the term of numbers or that of levels.
    #[inline(always)]
    pub fn add(
        &self,
        sums: &mut [f64; LANES],
        (from, j): (usize, usize),
        w: f64,
        number: impl Fn(f64, f64) -> f64,
        level: impl Fn(f64, f64) -> f64,
    ) {
        let (x, p) = (&self.left[from..], self.right[j]);
        match self.kind {
            FeatureKind::Continuous => add_terms(sums, x, p, w, number),
            FeatureKind::Discrete => add_terms(sums, x, p, w, level),
        }
    }

    /// sum_i q_i term(x_i, x_j) over the block's rows, of several terms at once.
    #[inline(always)]
    pub fn weigh<const N: usize>(
        &self,
        q: &[f64],
        (rows, j): (Range<usize>, usize),
        number: impl Fn(f64, f64) -> [f64; N],
        level: impl Fn(f64, f64) -> [f64; N],
    ) -> [f64; N] {
        let (x, p) = (&self.left[rows], self.right[j]);
        match self.kind {
            FeatureKind::Continuous => weighted_sums(q, x, p, number),
            FeatureKind::Discrete => weighted_sums(q, x, p, level),
        }
    }
}

/// All features of two sets of points.
pub(super) fn coordinates(pairs: Pairs<'_>) -> Vec<Coordinate<'_>> {
    let one = |feature: &Feature| {
        let of = |x| coordinate(x, feature);
        let left = of(pairs.left());
        let right = if let Pairs::Within(_) = pairs { left.clone() } else { of(pairs.right()) };
        Coordinate { kind: feature.kind, left, right }
    };
    pairs.left().features().iter().map(one).collect()
}

fn coordinate<'a>(x: &'a Inputs, feature: &Feature) -> Cow<'a, [f64]> {
    match feature.kind {
        FeatureKind::Continuous => Cow::Borrowed(x.values().col(feature.columns.start)),
        FeatureKind::Discrete => {
            let mut levels = vec![0.0; x.rows()];
            for (position, c) in feature.columns.clone().enumerate() {
                // One column of a block is not 0: its position tells the level.
                for (level, x) in levels.iter_mut().zip(x.values().col(c)) {
                    *level += (position + 1) as f64 * x;
                }
            }
            Cow::Owned(levels)
        }
    }
}
