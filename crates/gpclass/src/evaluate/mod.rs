//! How good predictions are, and whether one method is better than another.

pub mod distributions;
