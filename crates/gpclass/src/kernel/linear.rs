//! The linear kernel: latent functions that are linear in the features.

use super::blocks::{Block, Pairs, Prepared};
use super::hyper::{Hyper, Scales, Weights};
use super::kept::Kept;
use super::leaf::Leaf;
use super::metric::columns_of;
use crate::data::{Feature, Inputs};
use crate::param::{Param, Role};
use gpclass_linalg::vector::dot;
use gpclass_linalg::{Mat, Op, multiply};
use serde::{Deserialize, Serialize};

/// sum_m w_m <x_m, x'_m>, with one weight v0 for all features or one for each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    weights: Weights,
}

impl Linear {
    /// Free weights.
    pub fn new(weights: Scales) -> Self {
        Linear { weights: weights.into() }
    }

    /// The weights.
    pub fn scales(&self) -> Scales {
        self.weights.scales()
    }
}

impl Leaf for Linear {
    fn label(&self) -> &'static str {
        "linear"
    }

    fn title(&self) -> String {
        if self.weights.is_per_feature() { "linear(ARD)".to_owned() } else { "linear".to_owned() }
    }

    fn named(&self) -> Vec<Param> {
        self.weights.named("v0", "w", Role::Slope)
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.weights.assign(hypers);
    }

    fn weights(&self) -> Option<&Weights> {
        Some(&self.weights)
    }

    fn weights_mut(&mut self) -> Option<&mut Weights> {
        Some(&mut self.weights)
    }

    fn diag(&self, x: &Inputs) -> Vec<f64> {
        let mut out = vec![0.0; x.rows()];
        for (column, w) in x.values().columns().zip(self.weights.per_column(x.features())) {
            for (out, x) in out.iter_mut().zip(column) {
                *out += w * (x * x);
            }
        }
        out
    }

    fn prepare<'a>(&'a self, pairs: Pairs<'a>) -> Box<dyn Prepared + 'a> {
        let features = pairs.left().features();
        let unit = || -> Box<dyn Fn(&Block) -> Mat + Sync + 'a> {
            let unit = PreparedLinear::new(self, pairs, &vec![1.0; pairs.left().values().cols()]);
            Box::new(move |block| unit.values(block))
        };
        match Kept::of(pairs, &self.weights, |sums| &sums.product, unit) {
            Some(kept) => Box::new(KeptLinear(kept)),
            None => Box::new(PreparedLinear::new(self, pairs, &self.weights.per_column(features))),
        }
    }
}

/// Products that are known but for their one weight.
struct KeptLinear<'a>(Kept<'a>);

impl Prepared for KeptLinear<'_> {
    fn values(&self, block: &Block) -> Mat {
        self.0.block(block)
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        gradient.push(dot(weights.as_slice(), self.values(block).as_slice()));
    }
}

/// Points as contiguous columns, those on the right multiplied by the weights.
struct PreparedLinear<'a> {
    kernel: &'a Linear,
    features: &'a [Feature],
    left: Mat,
    weighted: Mat,
}

impl<'a> PreparedLinear<'a> {
    fn new(kernel: &'a Linear, pairs: Pairs<'a>, per_column: &[f64]) -> Self {
        let left = pairs.left().values().transposed();
        let mut weighted = pairs.right().values().transposed();
        for j in 0..weighted.cols() {
            for (x, w) in weighted.col_mut(j).iter_mut().zip(per_column) {
                *x *= w;
            }
        }
        PreparedLinear { kernel, features: pairs.left().features(), left, weighted }
    }
}

impl Prepared for PreparedLinear<'_> {
    fn values(&self, block: &Block) -> Mat {
        let left = columns_of(&self.left, block.rows.clone());
        multiply(&left, Op::Transpose, &columns_of(&self.weighted, block.cols.clone()), Op::Plain)
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        // sum_ij a_ij x_ic w_c x_jc = sum_j (X'A)_cj w_c x_jc
        let left = columns_of(&self.left, block.rows.clone());
        let inner = multiply(weights, Op::Transpose, &left, Op::Transpose);
        let right = columns_of(&self.weighted, block.cols.clone()).transposed();
        let per_column: Vec<f64> = inner.columns().zip(right.columns()).map(|(a, b)| dot(a, b)).collect();
        gradient.extend(self.kernel.weights.gather(&per_column, self.features));
    }
}
