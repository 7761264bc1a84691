//! The least-squares classifier: Gaussian-process regression on the labels -1 and +1 (EPCV section 5).

mod gradient;
mod leave_one_out;
mod options;
mod search;

pub(super) use gradient::evidence_sensitivity;
pub(super) use leave_one_out::marginal_slopes;
pub use options::LeastSquaresOptions;
pub(super) use search::infer;
