//! Texts of cells and names: numbers and dates in them, names close to others, quoting for sentences.

mod dates;
mod nearest;
pub(crate) mod numbers;
pub(crate) mod quote;

pub use dates::{date_text, day_number, parse_date};
pub use nearest::nearest_name;
pub use numbers::canonical_number;
pub use quote::{Escaped, Quoted, Shown};
