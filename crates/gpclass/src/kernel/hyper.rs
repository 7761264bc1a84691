//! The numbers inside a kernel: single values, and weights that features share or have each.

use crate::data::Feature;
use crate::param::{Of, Param, Role};
use serde::{Deserialize, Serialize};

/// One positive number of a kernel, free to be learned or held fixed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hyper {
    /// The number, positive; 0 only where it switches a fixed bias or noise off.
    pub value: f64,
    /// Whether learning leaves it where it is.
    pub fixed: bool,
}

impl Hyper {
    /// A value that learning may move.
    pub fn free(value: f64) -> Self {
        Hyper { value, fixed: false }
    }

    /// The number as a parameter of that name and role.
    pub(super) fn param(self, name: impl Into<String>, role: Role) -> Param {
        Param { fixed: self.fixed, ..Param::free(name, role, self.value) }
    }

    /// Becomes the next of `hypers`.
    pub(super) fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        if let Some(hyper) = hypers.next() {
            *self = hyper;
        }
    }
}

/// Inverse squared lengthscales l (math 1), or the weights of a linear kernel: one for all features or one each.
#[derive(Clone, Debug, PartialEq)]
pub enum Scales {
    /// One value for every feature.
    Single(f64),
    /// One value per feature (not per encoded column), in the order of the features: automatic relevance determination.
    Ard(Vec<f64>),
}

/// The weight of one named feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureWeight {
    /// Name of the feature.
    pub feature: String,
    /// The weight, positive: the larger, the more the feature matters.
    pub value: f64,
    /// Whether learning leaves it where it is.
    pub fixed: bool,
}

/// [`Scales`] with what learning needs to know: names, and which values are fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// One weight for all features.
    Single(Hyper),
    /// One weight per feature, in the order of the inputs.
    PerFeature(Vec<FeatureWeight>),
}

impl From<Scales> for Weights {
    /// Features are called `x1..xd`, as [`Inputs::continuous`](crate::data::Inputs::continuous) calls them, until
    /// [`Kernel::bind`](super::Kernel::bind) gives them their names.
    fn from(scales: Scales) -> Self {
        match scales {
            Scales::Single(value) => Weights::Single(Hyper::free(value)),
            Scales::Ard(values) => {
                let named = values.into_iter().enumerate().map(|(m, value)| FeatureWeight {
                    feature: format!("x{}", m + 1),
                    value,
                    fixed: false,
                });
                Weights::PerFeature(named.collect())
            }
        }
    }
}

impl Weights {
    /// The values alone.
    pub fn scales(&self) -> Scales {
        match self {
            Weights::Single(hyper) => Scales::Single(hyper.value),
            Weights::PerFeature(weights) => Scales::Ard(weights.iter().map(|w| w.value).collect()),
        }
    }

    /// Whether there is one value per feature.
    pub fn is_per_feature(&self) -> bool {
        matches!(self, Weights::PerFeature(_))
    }

    /// The parameters; `single` names the one value, `group[feature]` each of many.
    pub(super) fn named(&self, single: &str, group: &str, role: fn(Of) -> Role) -> Vec<Param> {
        let own = |(m, w): (usize, &FeatureWeight)| Param {
            fixed: w.fixed,
            ..Param::free(Param::name_of_feature(group, &w.feature), role(Of::Feature(m)), w.value)
        };
        match self {
            Weights::Single(hyper) => vec![hyper.param(single, role(Of::All))],
            Weights::PerFeature(weights) => weights.iter().enumerate().map(own).collect(),
        }
    }

    /// Replaces the values and fixed marks, in the order of [`Weights::named`], by the next of `hypers`.
    pub(super) fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>) {
        match self {
            Weights::Single(own) => own.assign(hypers),
            Weights::PerFeature(weights) => {
                for (w, hyper) in weights.iter_mut().zip(hypers) {
                    (w.value, w.fixed) = (hyper.value, hyper.fixed);
                }
            }
        }
    }

    /// Takes the names of the features, where the numbers agree.
    pub(super) fn bind(&mut self, features: &[Feature]) {
        if let Weights::PerFeature(weights) = self
            && weights.len() == features.len()
        {
            for (w, feature) in weights.iter_mut().zip(features) {
                w.feature.clone_from(&feature.name);
            }
        }
    }

    /// The number of per-feature values, if that is what they are.
    pub(super) fn feature_count(&self) -> Option<usize> {
        match self {
            Weights::Single(_) => None,
            Weights::PerFeature(weights) => Some(weights.len()),
        }
    }

    /// The weight of every encoded column. Panics if the features are not those that `Kernel::check` accepts.
    pub(super) fn per_column(&self, features: &[Feature]) -> Vec<f64> {
        let spread = |(w, f): (f64, &Feature)| std::iter::repeat_n(w, f.columns.len());
        self.per_feature(features).into_iter().zip(features).flat_map(spread).collect()
    }

    /// The weight of every feature. Panics if the features are not those that `Kernel::check` accepts.
    pub(super) fn per_feature(&self, features: &[Feature]) -> Vec<f64> {
        match self {
            Weights::Single(hyper) => vec![hyper.value; features.len()],
            Weights::PerFeature(weights) => {
                assert_eq!(weights.len(), features.len(), "Kernel::check must accept the inputs first");
                weights.iter().map(|w| w.value).collect()
            }
        }
    }

    /// Sums a quantity known per encoded column into one number per weight.
    pub(super) fn gather(&self, per_column: &[f64], features: &[Feature]) -> Vec<f64> {
        match self {
            Weights::Single(_) => vec![per_column.iter().sum()],
            Weights::PerFeature(_) => features.iter().map(|f| per_column[f.columns.clone()].iter().sum()).collect(),
        }
    }
}
