//! Gaussian-process classification.
#![forbid(unsafe_code)]

pub mod data;
pub mod evaluate;
pub mod exact;
pub mod inference;
pub mod kernel;
pub mod learn;
pub mod likelihood;
pub mod model;
pub mod objective;
pub mod param;
pub mod posterior;
pub mod sites;
pub mod special;

pub use gpclass_linalg as linalg;
