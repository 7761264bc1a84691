//! Expectation propagation.
//!
//! One algorithm with three schedules. The state is the total site precisions `tau` and `b = nu - tau mu` (which is
//! `alpha = K⁻¹ mu`), so that the posterior mean is `mu = K b` for any `b`. With `c` tied copies of a row (`c = 1`
//! unless it is weighted), `v = Sigma_ii`, the cavity of one copy is
//!
//! ```text
//! s = v / gap,   gap = 1 - tau v / c,   m = mu - s b / c
//! ```
//!
//! and EP's conditions are `b = c d1(m, s)` for the means and `tau = -c d2 / (1 + d2 s)` for the precisions. The
//! evidence of math 3, written in these, needs no difference of large numbers:
//!
//! ```text
//! log Z = sum_i c_i [log Z_i - ½ log gap_i] + ½ sum_i s_i b_i² / c_i - ½ bᵀ mu - ½ log |I + K T|
//! ```

mod ahead;
mod gradient;
mod leave_one_out;
mod options;
mod rough;
mod search;
mod sequential;
mod state;
mod two_level;

pub(super) use gradient::evidence_sensitivity;
pub(super) use leave_one_out::marginal_slopes;
pub use options::{EpOptions, Schedule};
pub(super) use search::{at_sites, infer};
