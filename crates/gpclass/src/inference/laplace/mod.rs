//! Laplace's method: a Gaussian at the posterior mode (SLIDES; GPML 3.4).
//!
//! With `f = K a`, the mode solves `a = w grad log p(f)`: EP's mean conditions at cavity variance zero. Newton steps,
//! several per factorisation, damped on `Psi = log p(y|f) - ½ aᵀf`, which is concave.

mod gradient;
mod leave_one_out;
mod options;
mod search;

pub(super) use gradient::evidence_sensitivity;
pub(super) use leave_one_out::marginal_slopes;
pub use options::LaplaceOptions;
pub(super) use search::{at_sites, infer};
