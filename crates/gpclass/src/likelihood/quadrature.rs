//! Averages without a closed form.
use super::*;
pub(super) fn log_z(_l: &Likelihood, _y: Label, _f: Gaussian, _power: f64) -> f64 {
    unimplemented!()
}
pub(super) fn moments(_l: &Likelihood, _y: Label, _f: Gaussian, _power: f64) -> Moments {
    unimplemented!()
}
pub(super) fn curvature(_l: &Likelihood, _y: Label, _f: Gaussian, _power: f64) -> Curvature {
    unimplemented!()
}
pub(super) fn gradient(_l: &Likelihood, _y: Label, _f: Gaussian, _power: f64) -> Vec<f64> {
    unimplemented!()
}
