//! Covariance functions: one tree of elementary kernels, sums and products.
//!
//! A stationary kernel is a radial [`Profile`] of r² = sum_m l_m d_m with l_m an INVERSE squared lengthscale, so that a
//! large l_m means a relevant feature (math 1). EMEP (10) is
//! `Kernel::squared_exponential(v0, Scales::Ard(l)) + Kernel::bias(v1) + Kernel::noise(v2)`.
//!
//! Matrices are computed block by block; gradients come from pulling back one adjoint matrix, never from
//! one matrix per parameter.

mod additive;
mod blocks;
mod columns;
mod combine;
#[cfg(test)]
mod conformance;
mod constant;
mod coordinates;
mod effect;
mod error;
mod exchange;
mod family;
mod hyper;
mod kept;
mod l1_product;
mod leaf;
mod linear;
mod metric;
mod names;
mod near;
mod per_class;
mod profile;
mod shared;
mod stationary;

pub use additive::Additive;
pub use constant::{Bias, Noise};
pub use effect::{Apart, mean_squares};
pub use error::{GramError, KernelError};
pub use exchange::{Exchange, Exchanged};
pub use family::KernelFamily;
pub use hyper::{FeatureWeight, Hyper, Scales, Weights};
pub use l1_product::L1Product;
pub use linear::Linear;
pub(crate) use near::Neighbourhood;
pub use per_class::ClassKernel;
pub use profile::Profile;
pub use stationary::Stationary;

use crate::data::{Feature, Inputs};
use crate::interrupt::Interrupt;
use crate::param::Param;
use blocks::{Pairs, Prepared};
use combine::{PreparedProduct, PreparedSum};
use gpclass_linalg::Mat;
use leaf::Leaf;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Sums and products may be nested this deep: no deeper than a model file can be read back.
pub const MAX_NESTING: usize = 16;

/// A covariance function of two rows.
///
/// ```
/// use gpclass::data::Inputs;
/// use gpclass::kernel::{Kernel, Scales};
/// use gpclass::linalg::Mat;
///
/// let kernel = Kernel::squared_exponential(4.0, Scales::Ard(vec![1.0, 0.25])) + Kernel::noise(0.1);
/// assert_eq!(kernel.describe(), "SE(ARD) + noise");
///
/// let rows = Inputs::continuous(Mat::from_fn(2, 2, |i, _| i as f64)); // (0, 0) and (1, 1)
/// kernel.check(&rows)?;
/// let k = kernel.gram(&rows);
/// assert!((k[(0, 0)] - 4.1).abs() < 1e-9); // v0 + v2
/// assert!((k[(1, 0)] - 4.0 * (-0.5 * 1.25_f64).exp()).abs() < 1e-9);
/// # Ok::<(), gpclass::kernel::KernelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// v0 times a profile of the distance: rows that are near each other are alike.
    Stationary(Stationary),
    /// v0 times an exponential of the differences, feature by feature: functions with steps along each feature.
    #[serde(rename = "l1")]
    L1Product(L1Product),
    /// Terms that look at one feature each, added up: sums of functions of single features.
    Additive(Additive),
    /// Weighted inner products of rows.
    Linear(Linear),
    /// The same variance v1 for every pair: an unknown overall level.
    Bias(Bias),
    /// A variance v2 that every row has for itself.
    Noise(Noise),
    /// The covariances added up: independent functions added. At least one.
    Sum(Vec<Kernel>),
    /// The covariances multiplied entry by entry. At least one.
    Product(Vec<Kernel>),
    /// The function of every class has a kernel of its own; never inside of another kernel. Taken as one covariance it is that
    /// of the functions' sum.
    PerClass(Vec<ClassKernel>),
}

/// The feature weights of one leaf: inverse squared lengthscales of a stationary kernel, inverse lengthscales of an L1
/// product, variances of the terms of an additive kernel, weights of a linear one.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafScales {
    /// The leaf's label, as in qualified parameter names.
    pub leaf: String,
    /// Its weights, one for all features or one each.
    pub scales: Scales,
}

impl Kernel {
    /// v0 exp(-r²/2).
    pub fn squared_exponential(v0: f64, l: Scales) -> Kernel {
        Kernel::Stationary(Stationary::new(Profile::SquaredExponential, v0, l))
    }

    /// v0 exp(-r).
    pub fn matern12(v0: f64, l: Scales) -> Kernel {
        Kernel::Stationary(Stationary::new(Profile::Matern12, v0, l))
    }

    /// v0 (1 + sqrt(3) r) exp(-sqrt(3) r).
    pub fn matern32(v0: f64, l: Scales) -> Kernel {
        Kernel::Stationary(Stationary::new(Profile::Matern32, v0, l))
    }

    /// v0 (1 + sqrt(5) r + 5/3 r²) exp(-sqrt(5) r).
    pub fn matern52(v0: f64, l: Scales) -> Kernel {
        Kernel::Stationary(Stationary::new(Profile::Matern52, v0, l))
    }

    /// v0 (1 + r²/(2 alpha))^-alpha.
    pub fn rational_quadratic(v0: f64, alpha: f64, l: Scales) -> Kernel {
        let profile = Profile::RationalQuadratic { alpha: Hyper::free(alpha) };
        Kernel::Stationary(Stationary::new(profile, v0, l))
    }

    /// v0 exp(-sum_m l_m |x_m - x'_m|), where a discrete feature has \[x_m differs from x'_m\] for the difference: l_m is an
    /// inverse lengthscale.
    pub fn l1_product(v0: f64, l: Scales) -> Kernel {
        Kernel::L1Product(L1Product::new(v0, l))
    }

    /// sum_m w_m exp(-l (x_m - x'_m)²/2), where the term of a discrete feature is w_m \[x_m equals x'_m\]: w_m is the variance of
    /// the function of one feature.
    pub fn additive(w: Scales, l: f64) -> Kernel {
        Kernel::Additive(Additive::new(w, l))
    }

    /// v0 <x, x'> with one weight, sum_m w_m <x_m, x'_m> with one per feature.
    pub fn linear(weights: Scales) -> Kernel {
        Kernel::Linear(Linear::new(weights))
    }

    /// v1 for every pair.
    pub fn bias(v1: f64) -> Kernel {
        Kernel::Bias(Bias::new(v1))
    }

    /// v2 on the diagonal of the Gram matrix.
    pub fn noise(v2: f64) -> Kernel {
        Kernel::Noise(Noise::new(v2))
    }

    /// The sum; sums among the terms are dissolved.
    pub fn sum(terms: impl IntoIterator<Item = Kernel>) -> Kernel {
        let dissolve = |term| if let Kernel::Sum(terms) = term { terms } else { vec![term] };
        Kernel::Sum(terms.into_iter().flat_map(dissolve).collect())
    }

    /// The product; products among the factors are dissolved.
    pub fn product(factors: impl IntoIterator<Item = Kernel>) -> Kernel {
        let dissolve = |factor| if let Kernel::Product(factors) = factor { factors } else { vec![factor] };
        Kernel::Product(factors.into_iter().flat_map(dissolve).collect())
    }

    /// The covariance of all rows with each other, both triangles.
    pub fn gram(&self, x: &Inputs) -> Mat {
        let pairs = Pairs::Within(x);
        let prepared = self.prepare(pairs);
        blocks::assemble(|block| prepared.values(block), pairs)
    }

    /// As [`gram`](Self::gram), where there may be no memory for it, or no time.
    pub fn try_gram(&self, x: &Inputs, interrupt: Interrupt<'_>) -> Result<Mat, GramError> {
        interrupt.check()?;
        let pairs = Pairs::Within(x);
        let mut out = Mat::try_zeros(x.rows(), x.rows())?;
        let prepared = self.prepare(pairs);
        blocks::fill(|block| prepared.values(block), pairs, &mut out, interrupt)?;
        Ok(out)
    }

    /// The covariance of the rows of `a` with those of `b`: `a.rows()` x `b.rows()`, without noise.
    pub fn cross(&self, a: &Inputs, b: &Inputs) -> Mat {
        let pairs = Pairs::Between(a, b);
        let prepared = self.prepare(pairs);
        blocks::assemble(|block| prepared.values(block), pairs)
    }

    /// The variance of every row, noise included.
    pub fn diag(&self, x: &Inputs) -> Vec<f64> {
        let fold = |empty: f64, op: fn(f64, f64) -> f64| {
            self.parts().fold(vec![empty; x.rows()], |mut out, part| {
                out.iter_mut().zip(part.diag(x)).for_each(|(a, b)| *a = op(*a, b));
                out
            })
        };
        match self {
            Kernel::Sum(_) | Kernel::PerClass(_) => fold(0.0, |a, b| a + b),
            Kernel::Product(_) => fold(1.0, |a, b| a * b),
            leaf => leaf.leaves().first().map_or_else(Vec::new, |leaf| leaf.diag(x)),
        }
    }

    /// The gradient of J in the LOGARITHM of every parameter, free or fixed, in the order of [`Kernel::params`], where
    /// dJ = sum_ij adjoint_ij dK_ij. The adjoint is symmetric; only its lower triangle is read.
    pub fn pull_back(&self, x: &Inputs, adjoint: &Mat) -> Vec<f64> {
        if x.rows() == 0 {
            return vec![0.0; self.params().len()];
        }
        blocks::contract(&*self.prepare(Pairs::Within(x)), x, adjoint)
    }

    /// All parameters, with unique names.
    pub fn params(&self) -> Vec<Param> {
        match self {
            Kernel::PerClass(own) => own.iter().flat_map(ClassKernel::params).collect(),
            _ => names::qualified(&self.leaves()),
        }
    }

    /// Sets all values, free and fixed, in the order of [`Kernel::params`]. Panics unless there is one for each.
    pub fn set_values(&mut self, values: &[f64]) {
        let params = self.params();
        assert_eq!(values.len(), params.len(), "a kernel with {} parameters needs as many values", params.len());
        let hypers = params.iter().zip(values).map(|(p, &value)| Hyper { value, fixed: p.fixed });
        self.assign(&mut hypers.collect::<Vec<_>>().into_iter());
    }

    /// Sets one value by its name.
    pub fn set_value(&mut self, name: &str, value: f64) -> Result<(), KernelError> {
        self.change(name, |param| param.value = value)
    }

    /// Holds a parameter fixed, or frees it.
    pub fn set_fixed(&mut self, name: &str, fixed: bool) -> Result<(), KernelError> {
        self.change(name, |param| param.fixed = fixed)
    }

    /// Gives per-feature parameters the names of the features, where their numbers agree.
    pub fn bind(&mut self, features: &[Feature]) {
        self.for_each_leaf(&mut |leaf| {
            if let Some(weights) = leaf.weights_mut() {
                weights.bind(features);
            }
        });
    }

    /// The feature weights of every leaf that looks at features.
    pub fn scales(&self) -> Vec<LeafScales> {
        let leaves = self.leaves();
        let with_label = names::leaf_labels(&leaves).into_iter().zip(&leaves);
        with_label.filter_map(|(leaf, l)| l.weights().map(|w| LeafScales { leaf, scales: w.scales() })).collect()
    }

    /// A formula for readers: `SE(ARD) + bias + noise`.
    pub fn describe(&self) -> String {
        let factor = |part: &Kernel| match part {
            Kernel::Sum(_) => format!("({})", part.describe()),
            _ => part.describe(),
        };
        match self {
            Kernel::Sum(terms) => terms.iter().map(Kernel::describe).collect::<Vec<_>>().join(" + "),
            Kernel::Product(factors) => factors.iter().map(factor).collect::<Vec<_>>().join(" * "),
            Kernel::PerClass(_) => per_class::describe(self),
            leaf => leaf.leaves().first().map_or_else(String::new, |leaf| leaf.title()),
        }
    }

    /// Whether the kernel can be used on these inputs, which every other method takes for granted.
    pub fn check(&self, x: &Inputs) -> Result<(), KernelError> {
        if !self.is_nested_within(MAX_NESTING) {
            return Err(KernelError::Nested { limit: MAX_NESTING });
        }
        self.check_combinators()?;
        let leaves = self.leaves();
        for (label, leaf) in names::leaf_labels(&leaves).into_iter().zip(&leaves) {
            let features = x.features().len();
            match leaf.weights().and_then(Weights::feature_count) {
                Some(scales) if scales != features => {
                    return Err(KernelError::FeatureCount { leaf: label, scales, features });
                }
                _ => {}
            }
        }
        let may_vanish = leaves.iter().flat_map(|leaf| leaf.named().into_iter().map(|_| leaf.may_vanish()));
        let mut names = HashSet::new();
        for (param, may_vanish) in self.params().into_iter().zip(may_vanish) {
            let switched_off = param.value == 0.0 && param.fixed && may_vanish;
            if !(param.value.is_finite() && param.value > 0.0 || switched_off) {
                return Err(KernelError::Value { name: param.name, value: param.value });
            }
            if !names.insert(param.name.clone()) {
                return Err(KernelError::DuplicateName { name: param.name });
            }
        }
        Ok(())
    }
}

impl Kernel {
    /// Elementary kernels in order.
    fn leaves(&self) -> Vec<&dyn Leaf> {
        match self {
            Kernel::Stationary(leaf) => vec![leaf],
            Kernel::L1Product(leaf) => vec![leaf],
            Kernel::Additive(leaf) => vec![leaf],
            Kernel::Linear(leaf) => vec![leaf],
            Kernel::Bias(leaf) => vec![leaf],
            Kernel::Noise(leaf) => vec![leaf],
            Kernel::Sum(_) | Kernel::Product(_) | Kernel::PerClass(_) => {
                self.parts().flat_map(Kernel::leaves).collect()
            }
        }
    }

    /// The kernels that it is made of directly.
    fn parts(&self) -> Box<dyn Iterator<Item = &Kernel> + '_> {
        match self {
            Kernel::Sum(parts) | Kernel::Product(parts) => Box::new(parts.iter()),
            Kernel::PerClass(own) => Box::new(own.iter().map(|own| &own.kernel)),
            Kernel::Stationary(_)
            | Kernel::L1Product(_)
            | Kernel::Additive(_)
            | Kernel::Linear(_)
            | Kernel::Bias(_)
            | Kernel::Noise(_) => Box::new(std::iter::empty()),
        }
    }

    /// Visits the elementary kernels in order.
    fn for_each_leaf(&mut self, visit: &mut dyn FnMut(&mut dyn Leaf)) {
        match self {
            Kernel::Stationary(leaf) => visit(leaf),
            Kernel::L1Product(leaf) => visit(leaf),
            Kernel::Additive(leaf) => visit(leaf),
            Kernel::Linear(leaf) => visit(leaf),
            Kernel::Bias(leaf) => visit(leaf),
            Kernel::Noise(leaf) => visit(leaf),
            Kernel::Sum(parts) | Kernel::Product(parts) => parts.iter_mut().for_each(|p| p.for_each_leaf(visit)),
            Kernel::PerClass(own) => own.iter_mut().for_each(|own| own.kernel.for_each_leaf(visit)),
        }
    }

    fn prepare<'a>(&'a self, pairs: Pairs<'a>) -> Box<dyn Prepared + 'a> {
        let all = || self.parts().map(|part| part.prepare(pairs)).collect();
        match self {
            Kernel::Stationary(leaf) => leaf.prepare(pairs),
            Kernel::L1Product(leaf) => leaf.prepare(pairs),
            Kernel::Additive(leaf) => leaf.prepare(pairs),
            Kernel::Linear(leaf) => leaf.prepare(pairs),
            Kernel::Bias(leaf) => leaf.prepare(pairs),
            Kernel::Noise(leaf) => leaf.prepare(pairs),
            Kernel::Sum(_) | Kernel::PerClass(_) => Box::new(PreparedSum(all())),
            Kernel::Product(_) => Box::new(PreparedProduct(all())),
        }
    }

    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        self.for_each_leaf(&mut |leaf| leaf.assign(hypers));
    }

    fn change(&mut self, name: &str, change: impl Fn(&mut Param)) -> Result<(), KernelError> {
        let mut params = self.params();
        let Some(param) = params.iter_mut().find(|p| p.name == name) else {
            let known = params.into_iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
            return Err(KernelError::UnknownName { name: name.to_owned(), known });
        };
        change(param);
        self.assign(&mut params.into_iter().map(|p| Hyper { value: p.value, fixed: p.fixed }));
        Ok(())
    }

    /// Whether no leaf is below more than `levels` sums and products.
    fn is_nested_within(&self, levels: usize) -> bool {
        match self {
            Kernel::Sum(_) | Kernel::Product(_) | Kernel::PerClass(_) => {
                levels > 0 && self.parts().all(|part| part.is_nested_within(levels - 1))
            }
            Kernel::Stationary(_)
            | Kernel::L1Product(_)
            | Kernel::Additive(_)
            | Kernel::Linear(_)
            | Kernel::Bias(_)
            | Kernel::Noise(_) => true,
        }
    }

    fn check_combinators(&self) -> Result<(), KernelError> {
        match self {
            Kernel::Sum(parts) if parts.is_empty() => Err(KernelError::Empty { combinator: "sum" }),
            Kernel::Product(parts) if parts.is_empty() => Err(KernelError::Empty { combinator: "product" }),
            Kernel::PerClass(own) if own.is_empty() => Err(KernelError::Empty { combinator: "list of classes" }),
            _ if self.parts().any(|part| matches!(part, Kernel::PerClass(_))) => Err(KernelError::ClassesInside),
            _ => self.parts().try_for_each(Kernel::check_combinators),
        }
    }
}

impl std::ops::Add for Kernel {
    type Output = Kernel;
    fn add(self, other: Kernel) -> Kernel {
        Kernel::sum([self, other])
    }
}

impl std::ops::Mul for Kernel {
    type Output = Kernel;
    fn mul(self, other: Kernel) -> Kernel {
        Kernel::product([self, other])
    }
}
