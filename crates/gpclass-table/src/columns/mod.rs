//! What the cells of a column mean: missing, numbers or categories.

pub mod cells;
pub mod census;
pub mod kinds;
pub mod missing;
pub mod numbers;
pub mod plan;
