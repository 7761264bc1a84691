//! The additive kernel: a sum of functions of single features, the Gaussian-process form of a generalised additive model.

use super::KernelFamily;
use super::blocks::{Block, Pairs, Prepared};
use super::columns::{entries, equal, squared};
use super::coordinates::{Coordinate, coordinates};
use super::hyper::{Hyper, Scales, Weights};
use super::leaf::Leaf;
use crate::data::Inputs;
use crate::param::{Param, Role};
use gpclass_linalg::Mat;
use gpclass_linalg::vector::{exp, vectorised};
use serde::{Deserialize, Serialize};

/// sum_m w_m exp(-l (x_m - x'_m)²/2), where the term of a discrete feature is w_m [x_m equals x'_m]: w_m is the variance of
/// the function of a feature, and l the inverse squared lengthscale of all of them.
///
/// Relevance is in the variances alone. Of a function that bends little over the rows only w_m and l together are
/// determined, so a length for every feature would add little but uncertainty. Terms are not centred: what they have of a
/// constant is known as soon as the overall level is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Additive {
    w: Weights,
    l: Hyper,
}

impl Additive {
    /// Free variances of the terms, one for all of them or one each, and a free inverse squared lengthscale.
    pub fn new(w: Scales, l: f64) -> Self {
        Additive { w: w.into(), l: Hyper::free(l) }
    }

    /// The variances of the terms.
    pub fn scales(&self) -> Scales {
        self.w.scales()
    }

    /// The inverse squared lengthscale of the terms of continuous features.
    pub fn l(&self) -> f64 {
        self.l.value
    }

    /// The covariance, as a share of the term's variance, of two values of a continuous feature at this squared distance.
    pub(super) fn decay(&self, squared: f64) -> f64 {
        exp(-0.5 * self.l.value * squared)
    }
}

impl Leaf for Additive {
    fn label(&self) -> &'static str {
        KernelFamily::Additive.name()
    }

    fn title(&self) -> String {
        if self.w.is_per_feature() { "additive(ARD)".to_owned() } else { "additive".to_owned() }
    }

    fn named(&self) -> Vec<Param> {
        let mut named = self.w.named("v0", "w", Role::Term);
        named.push(self.l.param("l", Role::TermScale));
        named
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.w.assign(hypers);
        self.l.assign(hypers);
    }

    fn weights(&self) -> Option<&Weights> {
        Some(&self.w)
    }

    fn weights_mut(&mut self) -> Option<&mut Weights> {
        Some(&mut self.w)
    }

    fn diag(&self, x: &Inputs) -> Vec<f64> {
        vec![self.w.per_feature(x.features()).iter().sum(); x.rows()]
    }

    fn prepare<'a>(&'a self, pairs: Pairs<'a>) -> Box<dyn Prepared + 'a> {
        let w = self.w.per_feature(pairs.left().features());
        Box::new(PreparedAdditive { kernel: self, w, coordinates: coordinates(pairs) })
    }
}

struct PreparedAdditive<'a> {
    kernel: &'a Additive,
    w: Vec<f64>,
    coordinates: Vec<Coordinate<'a>>,
}

/// Of one feature, over a block: sums of the term's derivatives.
#[derive(Clone, Copy, Default)]
struct Slopes {
    /// In the logarithm of its variance.
    variance: f64,
    /// In the logarithm of the inverse squared lengthscale.
    length: f64,
}

impl PreparedAdditive<'_> {
    /// For every feature, over the block: sum_ij q_ij times the derivatives of its term.
    fn slopes(&self, block: &Block, q: &Mat) -> Vec<Slopes> {
        let half = 0.5 * self.kernel.l.value;
        let mut slopes = vec![Slopes::default(); self.w.len()];
        vectorised(
            #[inline(always)]
            || {
                // One column of q at a time: it stays in the nearest cache while the features pass by.
                for (j, q) in block.cols.clone().zip(q.columns()) {
                    for ((slopes, feature), w) in slopes.iter_mut().zip(&self.coordinates).zip(&self.w) {
                        let [value, moved] = feature.weigh(
                            q,
                            (block.rows.clone(), j),
                            // With k = exp(-l d/2): dk/dlog(l) = -(l d/2) k.
                            #[inline(always)]
                            |x, p| {
                                let exponent = -half * squared(x, p);
                                let decay = exp(exponent);
                                [decay, exponent * decay]
                            },
                            #[inline(always)]
                            |x, p| [equal(x, p), 0.0],
                        );
                        slopes.variance += w * value;
                        slopes.length += w * moved;
                    }
                }
            },
        );
        slopes
    }
}

impl Prepared for PreparedAdditive<'_> {
    fn values(&self, block: &Block) -> Mat {
        let half = 0.5 * self.kernel.l.value;
        vectorised(
            #[inline(always)]
            || {
                entries(
                    block,
                    #[inline(always)]
                    |sums, from, j| {
                        for (feature, w) in self.coordinates.iter().zip(&self.w) {
                            feature.add(
                                sums,
                                (from, j),
                                *w,
                                #[inline(always)]
                                |x, p| exp(-half * squared(x, p)),
                                equal,
                            );
                        }
                    },
                )
            },
        )
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        let slopes = self.slopes(block, weights);
        match &self.kernel.w {
            Weights::Single(_) => gradient.push(slopes.iter().map(|own| own.variance).sum()),
            Weights::PerFeature(_) => gradient.extend(slopes.iter().map(|own| own.variance)),
        }
        gradient.push(slopes.iter().map(|own| own.length).sum());
    }
}
