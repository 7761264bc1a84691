//! Dense linear algebra for `gpclass`, on column-major matrices: `f64`, but for [`SingleMat`] and [`SingleInverse`].
//!
//! This crate is the one place that knows the backend ([faer](https://docs.rs/faer)). It exists as a crate of
//! its own, not a module, because it then holds every `unsafe` line of the project, is optimised even in debug
//! builds, and is not compiled again when the science changes.
//!
//! Results do not depend on the number of threads: the backend splits outputs, never sums.

mod factor;
mod gmres;
mod mat;
mod packed;
mod parallel;
mod product;
mod single;
mod single_mat;
mod solve;
mod state;
mod triangle;
pub mod vector;

pub use factor::{
    NotPositiveDefinite, cholesky_in_place, inverse_from_lower_inverse, invert_lower, lower_inverse_from_lower_inverse,
};
pub use gmres::{KrylovOptions, Stalled, gmres};
pub use mat::{Mat, OutOfMemory};
pub use packed::PackedSymmetric;
pub use parallel::{map_tasks, with_threads};
pub use product::{Op, add_lower_of_product, add_self_product, lower_of_product, multiply, multiply_add, self_product};
pub use single::{SingleInverse, squared_norm};
pub use single_mat::SingleMat;
pub use solve::{solve_lower_in_place, solve_lower_transpose_in_place};
pub use state::clear_vector_state;
pub use triangle::{lower_mul, lower_solve, lower_transpose_mul, lower_transpose_solve, mirror_lower, symmetric_mul};
