//! Kernels that do not look at the features: the bias v1 and the noise v2 of EMEP (10).

use super::blocks::{Block, Pairs, Prepared};
use super::hyper::Hyper;
use super::leaf::Leaf;
use crate::data::Inputs;
use crate::param::{Param, Role};
use gpclass_linalg::Mat;
use gpclass_linalg::vector::sum;
use serde::{Deserialize, Serialize};

/// v1 for every pair: a Gaussian offset of the whole latent function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bias {
    v1: Hyper,
}

impl Bias {
    /// A free offset variance.
    pub fn new(v1: f64) -> Self {
        Bias { v1: Hyper::free(v1) }
    }

    /// The variance of the offset.
    pub fn v1(&self) -> f64 {
        self.v1.value
    }
}

/// v2 for a point with itself, by index: two rows with the same features have independent noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    v2: Hyper,
}

impl Noise {
    /// A free noise variance.
    pub fn new(v2: f64) -> Self {
        Noise { v2: Hyper::free(v2) }
    }

    /// The variance of a row's noise.
    pub fn v2(&self) -> f64 {
        self.v2.value
    }
}

impl Leaf for Bias {
    fn label(&self) -> &'static str {
        "bias"
    }

    fn named(&self) -> Vec<Param> {
        vec![self.v1.param("v1", Role::Level)]
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.v1.assign(hypers);
    }

    fn may_vanish(&self) -> bool {
        true
    }

    fn diag(&self, x: &Inputs) -> Vec<f64> {
        vec![self.v1.value; x.rows()]
    }

    fn prepare<'a>(&'a self, _: Pairs<'a>) -> Box<dyn Prepared + 'a> {
        Box::new(PreparedBias(self.v1.value))
    }
}

impl Leaf for Noise {
    fn label(&self) -> &'static str {
        "noise"
    }

    fn named(&self) -> Vec<Param> {
        vec![self.v2.param("v2", Role::RowNoise)]
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.v2.assign(hypers);
    }

    fn may_vanish(&self) -> bool {
        true
    }

    fn diag(&self, x: &Inputs) -> Vec<f64> {
        vec![self.v2.value; x.rows()]
    }

    fn prepare<'a>(&'a self, _: Pairs<'a>) -> Box<dyn Prepared + 'a> {
        Box::new(PreparedNoise(self.v2.value))
    }
}

struct PreparedBias(f64);

impl Prepared for PreparedBias {
    fn values(&self, block: &Block) -> Mat {
        block.filled(self.0)
    }

    fn pull_back(&self, _: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        gradient.push(self.0 * sum(weights.as_slice()));
    }
}

struct PreparedNoise(f64);

impl Prepared for PreparedNoise {
    fn values(&self, block: &Block) -> Mat {
        let mut out = block.filled(0.0);
        for at in block.diagonal() {
            out[at] = self.0;
        }
        out
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        gradient.push(self.0 * block.diagonal().map(|at| weights[at]).sum::<f64>());
    }
}
