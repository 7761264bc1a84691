//! The L1 product kernel: every feature multiplies the covariance by an exponential of the difference in it.

use super::KernelFamily;
use super::blocks::{Block, Pairs, Prepared};
use super::columns::{absolute, entries, unequal};
use super::coordinates::{Coordinate, coordinates};
use super::hyper::{Hyper, Scales, Weights};
use super::kept::Kept;
use super::leaf::Leaf;
use crate::data::Inputs;
use crate::param::{Param, Role};
use gpclass_linalg::Mat;
use gpclass_linalg::vector::{dot, exp, sum, vectorised};
use serde::{Deserialize, Serialize};

/// v0 exp(-sum_m l_m s_m) with s_m = |x_m - x'_m|, or [x_m differs from x'_m] of a discrete feature: l_m is an inverse
/// lengthscale. Its functions may step along every axis, as an infinite forest of random trees does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct L1Product {
    v0: Hyper,
    l: Weights,
}

impl L1Product {
    /// A free variance and free inverse lengthscales.
    pub fn new(v0: f64, l: Scales) -> Self {
        L1Product { v0: Hyper::free(v0), l: l.into() }
    }

    /// The variance.
    pub fn v0(&self) -> f64 {
        self.v0.value
    }

    /// The inverse lengthscales.
    pub fn scales(&self) -> Scales {
        self.l.scales()
    }

    /// sum_m l_m s_m -> the kernel's value, in place.
    pub(super) fn apply(&self, sums: &mut [f64]) {
        let v0 = self.v0.value;
        vectorised(
            #[inline(always)]
            || sums.iter_mut().for_each(|s| *s = v0 * exp(-*s)),
        );
    }
}

impl Leaf for L1Product {
    fn label(&self) -> &'static str {
        KernelFamily::L1Product.name()
    }

    fn title(&self) -> String {
        if self.l.is_per_feature() { "L1(ARD)".to_owned() } else { "L1".to_owned() }
    }

    fn named(&self) -> Vec<Param> {
        let mut named = vec![self.v0.param("v0", Role::Signal)];
        named.extend(self.l.named("l", "l", Role::Rate));
        named
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.v0.assign(hypers);
        self.l.assign(hypers);
    }

    fn weights(&self) -> Option<&Weights> {
        Some(&self.l)
    }

    fn weights_mut(&mut self) -> Option<&mut Weights> {
        Some(&mut self.l)
    }

    fn diag(&self, x: &Inputs) -> Vec<f64> {
        vec![self.v0.value; x.rows()]
    }

    fn prepare<'a>(&'a self, pairs: Pairs<'a>) -> Box<dyn Prepared + 'a> {
        let unit = || -> Box<dyn Fn(&Block) -> Mat + Sync + 'a> {
            let (l, coordinates) = (vec![1.0; pairs.left().features().len()], coordinates(pairs));
            Box::new(move |block| sums(&coordinates, &l, block))
        };
        let distances = match Kept::of(pairs, &self.l, |sums| &sums.absolute, unit) {
            Some(kept) => L1Distances::Kept(kept),
            None => L1Distances::Made(coordinates(pairs), self.l.per_feature(pairs.left().features())),
        };
        Box::new(PreparedL1 { kernel: self, distances })
    }
}

struct PreparedL1<'a> {
    kernel: &'a L1Product,
    distances: L1Distances<'a>,
}

/// sum_m l_m s_m of every entry.
enum L1Distances<'a> {
    /// Known but for the one l.
    Kept(Kept<'a>),
    /// To be made of coordinates and the l of each.
    Made(Vec<Coordinate<'a>>, Vec<f64>),
}

impl L1Distances<'_> {
    fn block(&self, block: &Block) -> Mat {
        match self {
            L1Distances::Kept(kept) => kept.block(block),
            L1Distances::Made(coordinates, l) => sums(coordinates, l, block),
        }
    }

    /// For every feature that has its own l: l_m sum_ij q_ij s_m,ij over the block.
    fn weigh(&self, block: &Block, q: &Mat) -> Vec<f64> {
        match self {
            L1Distances::Kept(_) => Vec::new(),
            L1Distances::Made(coordinates, l) => weighted(coordinates, l, block, q),
        }
    }
}

fn sums(coordinates: &[Coordinate<'_>], l: &[f64], block: &Block) -> Mat {
    vectorised(
        #[inline(always)]
        || {
            entries(
                block,
                #[inline(always)]
                |sums, from, j| {
                    for (feature, l) in coordinates.iter().zip(l) {
                        feature.add(sums, (from, j), *l, absolute, unequal);
                    }
                },
            )
        },
    )
}

fn weighted(coordinates: &[Coordinate<'_>], l: &[f64], block: &Block, q: &Mat) -> Vec<f64> {
    let mut sums = vec![0.0; l.len()];
    vectorised(
        #[inline(always)]
        || {
            // One column of q at a time: it stays in the nearest cache while the features pass by.
            for (j, q) in block.cols.clone().zip(q.columns()) {
                for (sum, feature) in sums.iter_mut().zip(coordinates) {
                    let at = (block.rows.clone(), j);
                    let [own] = feature.weigh(
                        q,
                        at,
                        #[inline(always)]
                        |x, p| [absolute(x, p)],
                        #[inline(always)]
                        |x, p| [unequal(x, p)],
                    );
                    *sum += own;
                }
            }
        },
    );
    sums.iter().zip(l).map(|(sum, l)| l * sum).collect()
}

impl Prepared for PreparedL1<'_> {
    fn values(&self, block: &Block) -> Mat {
        let mut out = self.distances.block(block);
        self.kernel.apply(out.as_mut_slice());
        out
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        let (distances, mut q) = (self.distances.block(block), weights.clone());
        let v0 = self.kernel.v0.value;
        vectorised(
            #[inline(always)]
            || {
                for (q, s) in q.as_mut_slice().iter_mut().zip(distances.as_slice()) {
                    *q *= v0 * exp(-s);
                }
            },
        );
        gradient.push(sum(q.as_slice()));
        // dk/dlog(l_m) = -l_m s_m k.
        match &self.kernel.l {
            Weights::Single(_) => gradient.push(-dot(q.as_slice(), distances.as_slice())),
            Weights::PerFeature(_) => gradient.extend(self.distances.weigh(block, &q).iter().map(|sum| -sum)),
        }
    }
}
