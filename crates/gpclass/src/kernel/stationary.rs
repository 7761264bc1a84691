//! Stationary kernels: a radial profile of a weighted distance.

use super::blocks::{Block, Pairs, Prepared};
use super::hyper::{Hyper, Scales, Weights};
use super::leaf::Leaf;
use super::metric::Distances;
use super::profile::{Profile, contract_alpha};
use crate::data::{Feature, Inputs};
use crate::param::{Param, Role};
use gpclass_linalg::{Mat, vector::dot};
use serde::{Deserialize, Serialize};

/// v0 k(r²) with r² = sum_m l_m d_m: EMEP (10) and its relatives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stationary {
    profile: Profile,
    v0: Hyper,
    l: Weights,
}

impl Stationary {
    /// A free variance and free inverse squared lengthscales.
    pub fn new(profile: Profile, v0: f64, l: Scales) -> Self {
        Stationary { profile, v0: Hyper::free(v0), l: l.into() }
    }

    /// The variance.
    pub fn v0(&self) -> f64 {
        self.v0.value
    }

    /// The inverse squared lengthscales.
    pub fn scales(&self) -> Scales {
        self.l.scales()
    }

    /// The shape.
    pub fn profile(&self) -> Profile {
        self.profile
    }
}

impl Leaf for Stationary {
    fn label(&self) -> &'static str {
        self.profile.label()
    }

    fn title(&self) -> String {
        let suffix = if self.l.is_per_feature() { "(ARD)" } else { "" };
        format!("{}{suffix}", self.profile.title())
    }

    fn named(&self) -> Vec<Param> {
        let mut named = vec![self.v0.param("v0", Role::Signal)];
        if let Profile::RationalQuadratic { alpha } = self.profile {
            named.push(alpha.param("alpha", Role::Shape));
        }
        named.extend(self.l.named("l", "l", Role::Scale));
        named
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.v0.assign(hypers);
        if let Profile::RationalQuadratic { alpha } = &mut self.profile {
            alpha.assign(hypers);
        }
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
        let features = pairs.left().features();
        Box::new(PreparedStationary { kernel: self, features, distances: Distances::of(pairs, &self.l) })
    }
}

struct PreparedStationary<'a> {
    kernel: &'a Stationary,
    features: &'a [Feature],
    distances: Distances<'a>,
}

impl Prepared for PreparedStationary<'_> {
    fn values(&self, block: &Block) -> Mat {
        let mut r2 = self.distances.block(block).r2;
        self.kernel.profile.apply(self.kernel.v0.value, r2.as_mut_slice());
        r2
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        let v0 = self.kernel.v0.value;
        let distances = self.distances.block(block);
        let r2 = distances.r2.as_slice();
        let mut q = weights.clone();
        gradient.push(v0 * self.kernel.profile.contract(r2, q.as_mut_slice()));
        if let Profile::RationalQuadratic { alpha } = self.kernel.profile {
            gradient.push(v0 * contract_alpha(alpha.value, r2, weights.as_slice()));
        }
        // sum_ij q_ij l_m d_m,ij = dJ/dlog(l_m), as r² = sum_m l_m d_m.
        let natural = match &self.kernel.l {
            Weights::Single(_) => vec![dot(q.as_slice(), r2)],
            Weights::PerFeature(_) => {
                let per_column = self.distances.pull_back(block, &distances, &mut q);
                self.kernel.l.gather(&per_column, self.features)
            }
        };
        gradient.extend(natural.iter().map(|g| v0 * g));
    }
}
