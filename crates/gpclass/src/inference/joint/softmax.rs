//! Laplace's method for several classes under the softmax (multiclass 5; GPML 3.5).
//!
//! `Psi(f) = -½ Σ_c alpha_cᵀ f_c + Σ_i w_i (f_iy - log Σ_c exp f_ic)` with `f_c = K_c alpha_c` is concave. Its Newton step is a mean solve of
//! the coupled posterior with `pi = w softmax(f)`, `nu = T f + w (onehot(y) - softmax(f))`.

use super::{ClassObservations, JointInferred, JointStart};
use crate::inference::laplace::LaplaceOptions;
use crate::inference::{InferenceError, Outcome, Reason, Report};
use crate::interrupt::Interrupt;
use crate::posterior::{CoupledFactor, FunctionPriors};
use crate::prior::Failure;
use gpclass_linalg::{Mat, vector};

/// Halvings of a Newton step.
const MAX_HALVINGS: usize = 40;
/// Probabilities are kept above this, so that every row keeps a site in every function.
const LEAST: f64 = 1e-300;

/// The mode and the Gaussian there. `start` is `alpha` of a similar model.
pub(super) fn infer(
    prior: &FunctionPriors,
    observations: &ClassObservations<'_>,
    start: Option<&Mat>,
    options: &LaplaceOptions,
    interrupt: Interrupt<'_>,
) -> Result<JointInferred, InferenceError> {
    Newton { prior, observations, options, interrupt }.run(start).map_err(InferenceError::from)
}

struct Newton<'a> {
    prior: &'a FunctionPriors,
    observations: &'a ClassObservations<'a>,
    options: &'a LaplaceOptions,
    interrupt: Interrupt<'a>,
}

/// The log posterior and its pieces at a point.
struct Point {
    alpha: Mat,
    f: Mat,
    /// Softmax of every row.
    p: Mat,
    psi: f64,
}

impl Newton<'_> {
    fn run(&self, start: Option<&Mat>) -> Result<JointInferred, Failure> {
        let (n, count) = (self.observations.len(), self.observations.count);
        let mut point = self.point(Mat::zeros(n, count), Mat::zeros(n, count));
        if let Some(alpha) = start {
            let warm = self.point(alpha.clone(), self.prior.times(alpha));
            if warm.psi > point.psi {
                point = warm;
            }
        }
        let (mut sweeps, mut factor, mut stopped) = (0, None, Reason::SweepLimit);
        let mut residual = f64::INFINITY;
        while sweeps < self.options.max_sweeps {
            self.interrupt.check()?;
            let pi = self.precisions(&point);
            let current = CoupledFactor::new(self.prior, &pi, factor.take())?;
            sweeps += 1;
            let slope = self.slope(&point);
            let mut nu = current.site_times(&point.f);
            vector::add_scaled(nu.as_mut_slice(), 1.0, slope.as_slice());
            let (alpha, f) = current.solve(&nu);
            let lacking = minus(&slope, &point.alpha);
            let step = (minus(&alpha, &point.alpha), minus(&f, &point.f));
            residual = vector::dot(lacking.as_slice(), step.1.as_slice()).max(0.0).sqrt(); // the Newton decrement
            factor = Some(current);
            if residual <= self.options.tolerance {
                break;
            }
            match self.climb(&point, &step) {
                Some(better) => point = better,
                None => {
                    stopped = Reason::NoProgress;
                    break;
                }
            }
        }
        let settled = residual <= self.options.acceptable;
        let outcome = if settled { Outcome::Converged } else { Outcome::NotConverged(stopped) };
        let pi = self.precisions(&point);
        let factor = CoupledFactor::new(self.prior, &pi, factor)?;
        let totals: f64 = (0..n).filter(|&i| self.observations.copies(i) > 0.0).map(|i| factor.totals()[i].ln()).sum();
        let log_z = point.psi - 0.5 * (factor.log_det() - totals);
        let report = Report { outcome, sweeps: sweeps + 1, residual, jitter: 0.0, negative_sites: 0 };
        let mut nu = factor.site_times(&point.f);
        vector::add_scaled(nu.as_mut_slice(), 1.0, point.alpha.as_slice());
        let start = JointStart::Weights(point.alpha.clone());
        Ok(JointInferred {
            start,
            pi,
            nu,
            alpha: point.alpha,
            mean: point.f,
            factor,
            log_z,
            by_label_error: 0.0,
            report,
        })
    }

    fn point(&self, alpha: Mat, f: Mat) -> Point {
        let mut p = f.clone();
        let mut psi = -0.5 * vector::dot(alpha.as_slice(), f.as_slice());
        for i in 0..f.rows() {
            let largest = (0..f.cols()).fold(f64::NEG_INFINITY, |m, c| m.max(f[(i, c)]));
            let total: f64 = (0..f.cols()).map(|c| (f[(i, c)] - largest).exp()).sum();
            let log_total = largest + total.ln();
            (0..f.cols()).for_each(|c| p[(i, c)] = (f[(i, c)] - log_total).exp().max(LEAST));
            psi += self.observations.copies(i) * (f[(i, self.observations.own(i))] - log_total);
        }
        Point { alpha, f, p, psi }
    }

    fn precisions(&self, point: &Point) -> Mat {
        Mat::from_fn(point.p.rows(), point.p.cols(), |i, c| self.observations.copies(i) * point.p[(i, c)])
    }

    /// `w (onehot(y) - p)`.
    fn slope(&self, point: &Point) -> Mat {
        Mat::from_fn(point.p.rows(), point.p.cols(), |i, c| {
            let hit = f64::from(u8::from(c == self.observations.own(i)));
            self.observations.copies(i) * (hit - point.p[(i, c)])
        })
    }

    /// The step, halved until the log posterior rises; `None` if it does not.
    fn climb(&self, point: &Point, (by_alpha, by_f): &(Mat, Mat)) -> Option<Point> {
        let mut share = 1.0;
        for halving in 0..=MAX_HALVINGS {
            let (mut alpha, mut f) = (point.alpha.clone(), point.f.clone());
            vector::add_scaled(alpha.as_mut_slice(), share, by_alpha.as_slice());
            vector::add_scaled(f.as_mut_slice(), share, by_f.as_slice());
            let trial = self.point(alpha, f);
            // Next to the mode a full step changes nothing but rounding.
            let level = halving == 0 && trial.psi >= point.psi - 1e-12 * point.psi.abs();
            if trial.psi > point.psi || level {
                return Some(trial);
            }
            share *= 0.5;
        }
        None
    }
}

fn minus(a: &Mat, b: &Mat) -> Mat {
    let data = a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| a - b).collect();
    Mat::from_columns(a.rows(), a.cols(), data)
}

/// `(I - R K) d log Z / d f`: with it the mode moves as the covariances do (multiclass 5).
pub(super) fn implicit(found: &JointInferred) -> Mat {
    let rows = found.factor.marginals();
    let (n, count) = (found.pi.rows(), found.pi.cols());
    // d log Z / d f = -½ w p [Sigma_cc - 2 (Sigma p)_c - (Σ_d p_d Sigma_dd - 2 pᵀ Sigma p)]; pi holds w p.
    let mut by_mode = Mat::zeros(n, count);
    for i in 0..n {
        let weight: f64 = (0..count).map(|c| found.pi[(i, c)]).sum();
        if weight == 0.0 {
            continue;
        }
        let p = |c: usize| found.pi[(i, c)] / weight;
        let term = |c: usize| rows.var[(i, c)] - 2.0 * rows.times_pi[(i, c)] / weight;
        let mean: f64 = (0..count).map(|c| p(c) * term(c)).sum();
        (0..count).for_each(|c| by_mode[(i, c)] = -0.5 * found.pi[(i, c)] * (term(c) - mean));
    }
    found.factor.without_prior(&by_mode)
}
