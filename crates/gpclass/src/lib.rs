//! Gaussian-process classification.
#![forbid(unsafe_code)]

pub mod data;
pub mod evaluate;
pub mod exact;
pub mod inference;
pub mod kernel;
pub mod likelihood;
pub mod model;
pub mod param;
pub mod posterior;
pub mod sites;
pub mod special;

pub use gpclass_linalg as linalg;
