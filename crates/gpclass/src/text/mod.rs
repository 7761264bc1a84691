//! Texts of cells and names: numbers in them, names close to others, quoting for sentences.

mod nearest;
pub(crate) mod numbers;
pub(crate) mod quote;

pub use nearest::nearest_name;
pub use numbers::canonical_number;
pub use quote::{Escaped, Quoted, Shown};
