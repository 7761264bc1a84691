//! What can be wrong with a kernel.

use crate::interrupt::Interrupted;
use gpclass_linalg::OutOfMemory;
use thiserror::Error;

/// A kernel that does not fit its inputs or its own rules.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum KernelError {
    /// An ARD leaf has another number of scales than the inputs have features.
    #[error(
        "the kernel's '{leaf}' part has {scales} per-feature values but the inputs have {features} features; give one value per feature (a discrete feature counts once)"
    )]
    FeatureCount {
        /// Label of the leaf, as in qualified parameter names.
        leaf: String,
        /// Values that it has.
        scales: usize,
        /// Features of the inputs.
        features: usize,
    },
    /// A value outside its domain.
    #[error(
        "kernel parameter '{name}' is {value}; it must be positive and finite (v1 and v2 may be 0 when they are fixed)"
    )]
    Value {
        /// Name of the parameter.
        name: String,
        /// Its value.
        value: f64,
    },
    /// Two parameters share a name, because two features do.
    #[error("two kernel parameters are named '{name}'; give the features different names")]
    DuplicateName {
        /// The name that occurs twice.
        name: String,
    },
    /// A name that no parameter has.
    #[error("the kernel has no parameter '{name}'; it has {known}")]
    UnknownName {
        /// The name asked for.
        name: String,
        /// The names that there are, separated by commas.
        known: String,
    },
    /// Sums and products within each other that a model file could not hold.
    #[error(
        "the kernel has sums and products nested more than {limit} deep, which a model file cannot hold; write it with fewer \
         brackets"
    )]
    Nested {
        /// The deepest nesting allowed, [`MAX_NESTING`](super::MAX_NESTING).
        limit: usize,
    },
    /// Kernels of single classes inside of another kernel.
    #[error("kernels of single classes are inside of a sum or product; give every class its whole kernel instead")]
    ClassesInside,
    /// Kernels of single classes for another number of classes than there are.
    #[error("the kernel is for {kernels} classes but the labels are of {classes}; give one kernel per class")]
    ClassCount {
        /// Kernels that there are.
        kernels: usize,
        /// Classes of the labels.
        classes: usize,
    },
    /// A sum or product of nothing.
    #[error("the kernel contains a {combinator} of no kernels; give it at least one")]
    Empty {
        /// What is empty: `sum`, `product` or `list of classes`.
        combinator: &'static str,
    },
}

/// Why a Gram matrix was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GramError {
    /// It is too large.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// Somebody set the flag.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}
