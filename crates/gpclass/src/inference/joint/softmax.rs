//! Laplace's method for several classes under the softmax (multiclass 5; GPML 3.5).
//!
//! `Psi(f) = -½ Σ_c alpha_cᵀ f_c + Σ_i w_i (f_iy - log Σ_c exp f_ic)` with `f_c = K_c alpha_c` is concave. With `r = w (onehot(y) - softmax(f)) - alpha`
//! its Newton step is `(I - R K) r` in `alpha`, where `R` belongs to the precisions `pi = w softmax(f)`.

use super::{ClassObservations, JointInferred, JointStart};
use crate::inference::laplace::LaplaceOptions;
use crate::inference::outcome::Acceptable;
use crate::inference::problem::JITTER;
use crate::inference::{InferenceError, Outcome, Reason, Report};
use crate::interrupt::Interrupt;
use crate::posterior::{CoupledFactor, FunctionPriors};
use crate::prior::Failure;
use gpclass_linalg::{Mat, vector};

/// A step with the factor of an earlier point is worth repeating while the decrement falls by this factor.
const WORTHWHILE: f64 = 0.6;
/// A factorisation that leaves the decrement above this share of the last one's brought nothing.
const STALLED: f64 = 0.5;
/// Halvings of a Newton step.
const MAX_HALVINGS: usize = 40;
/// Steps are solved for to this share of their right-hand side.
const STEP_SHARE: f64 = 1e-4;
/// Probabilities are kept above this, so that every row keeps a site in every function.
const LEAST: f64 = 1e-300;

/// The mode and the Gaussian there. `start` is `alpha` of a similar model.
pub(super) fn infer(
    prior: FunctionPriors,
    observations: &ClassObservations<'_>,
    start: Option<&Mat>,
    options: &LaplaceOptions,
    interrupt: Interrupt<'_>,
) -> Result<JointInferred, InferenceError> {
    let run = |prior: &FunctionPriors| Newton { prior, observations, options, interrupt }.run(start);
    Ok(prior.with_least_jitter(&JITTER, run)?)
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

/// How the steps with one factor went.
struct Climb {
    /// Whether the point is still the one of the factor.
    stayed: bool,
    /// Whether another factorisation may bring more.
    open: bool,
}

impl Newton<'_> {
    fn run(&self, start: Option<&Mat>) -> Result<JointInferred, Failure> {
        let mut point = self.start(start);
        let (mut sweeps, mut stopped, mut residual) = (0, Reason::SweepLimit, f64::INFINITY);
        let mut spare = None;
        let factor = loop {
            let factor = self.factorise(&point, spare.take())?;
            sweeps += 1;
            let before = residual;
            let climb = self.climb(&factor, &mut point, &mut residual);
            // Within rounding of the mode, steps that change nothing can go on for ever.
            let stalled = residual > STALLED * before && self.outcome(&point, residual, stopped).converged();
            if residual <= self.options.tolerance || stalled || !climb.open {
                stopped = Reason::NoProgress;
            } else if sweeps < self.options.max_sweeps {
                spare = Some(factor);
                continue;
            }
            break if climb.stayed { factor } else { self.factorise(&point, Some(factor))? };
        };
        let outcome = self.outcome(&point, residual, stopped);
        Ok(self.inferred(point, factor.lean(), outcome, sweeps, residual))
    }

    fn start(&self, start: Option<&Mat>) -> Point {
        let (n, count) = (self.observations.len(), self.observations.count);
        let zero = self.point(Mat::zeros(n, count), Mat::zeros(n, count));
        match start.map(|alpha| self.point(alpha.clone(), self.prior.times(alpha))) {
            Some(warm) if warm.psi > zero.psi => warm,
            _ => zero,
        }
    }

    fn factorise(&self, point: &Point, spare: Option<CoupledFactor>) -> Result<CoupledFactor, Failure> {
        CoupledFactor::watched(self.prior, &self.precisions(point), spare, self.interrupt)
    }

    /// Whether the decrement is small enough, or as small as can be and small enough for that.
    fn outcome(&self, point: &Point, residual: f64, stopped: Reason) -> Outcome {
        let LaplaceOptions { tolerance, acceptable, acceptable_rounded, .. } = *self.options;
        // Who asks for less than is acceptable has converged where that is met.
        let acceptable = Acceptable { plain: acceptable.max(tolerance), rounded: acceptable_rounded };
        acceptable.judge(residual, || self.rounding(point), stopped)
    }

    /// The decrement that the rounding of `K alpha` alone may leave: an error `e` of `f` changes the slope by `T e`.
    fn rounding(&self, point: &Point) -> f64 {
        let errors = self.prior.product_errors(&point.alpha);
        let weighted = |i: usize, c: usize| self.observations.copies(i) * point.p[(i, c)] * errors[(i, c)].powi(2);
        (0..errors.cols()).flat_map(|c| (0..errors.rows()).map(move |i| weighted(i, c))).sum::<f64>().sqrt()
    }

    /// Steps with one factor while they pay.
    fn climb(&self, factor: &CoupledFactor, point: &mut Point, residual: &mut f64) -> Climb {
        let mut last = f64::INFINITY;
        for step in 0..self.options.max_inner.max(1) {
            let stayed = step == 0;
            let lacking = minus(&self.slope(point), &point.alpha);
            let (by_alpha, by_f) = factor.solve_to(STEP_SHARE, &lacking);
            *residual = vector::dot(lacking.as_slice(), by_f.as_slice()).max(0.0).sqrt(); // rᵀ Sigma r
            if *residual <= self.options.tolerance {
                return Climb { stayed, open: false };
            }
            if *residual > WORTHWHILE * last {
                return Climb { stayed, open: true };
            }
            last = *residual;
            match self.uphill(point, &by_alpha, &by_f) {
                Some(next) => *point = next,
                None => return Climb { stayed, open: !stayed },
            }
        }
        Climb { stayed: false, open: true }
    }

    /// The longest of the halved steps that does not lower the log posterior.
    fn uphill(&self, point: &Point, by_alpha: &Mat, by_f: &Mat) -> Option<Point> {
        let rounding = 8.0 * f64::EPSILON * (1.0 + point.psi.abs());
        let mut share = 1.0;
        for _ in 0..MAX_HALVINGS {
            let (mut alpha, mut f) = (point.alpha.clone(), point.f.clone());
            vector::add_scaled(alpha.as_mut_slice(), share, by_alpha.as_slice());
            vector::add_scaled(f.as_mut_slice(), share, by_f.as_slice());
            let next = self.point(alpha, f);
            if next.psi >= point.psi - rounding {
                return Some(next);
            }
            share *= 0.5;
        }
        None
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

    fn inferred(
        &self,
        point: Point,
        factor: CoupledFactor,
        outcome: Outcome,
        sweeps: usize,
        residual: f64,
    ) -> JointInferred {
        let n = self.observations.len();
        let totals: f64 = (0..n).filter(|&i| self.observations.copies(i) > 0.0).map(|i| factor.totals()[i].ln()).sum();
        let log_z = point.psi - 0.5 * (factor.log_det() - totals);
        let mut nu = factor.site_times(&point.f);
        vector::add_scaled(nu.as_mut_slice(), 1.0, point.alpha.as_slice());
        JointInferred {
            start: JointStart::Weights(point.alpha.clone()),
            pi: self.precisions(&point),
            nu,
            alpha: point.alpha,
            mean: point.f,
            factor,
            log_z,
            by_label_error: 0.0,
            report: Report { outcome, sweeps, residual, jitter: self.prior.jitter(), negative_sites: 0 },
        }
    }
}

fn minus(a: &Mat, b: &Mat) -> Mat {
    let data = a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| a - b).collect();
    Mat::from_columns(a.rows(), a.cols(), data)
}

/// `(I - R K) d log Z / d f`: with it the mode moves as the covariances do (multiclass 5). With it `Σ_c E_c P⁻¹ E_c`.
pub(super) fn implicit(found: &JointInferred) -> (Mat, Mat) {
    // The matrices are those that the search itself had.
    let found_together = found.factor.differences_and_square(Interrupt::default());
    let (differences, square) = found_together.expect("memory for another matrix");
    found.factor.free_spare();
    let (n, count) = (found.pi.rows(), found.pi.cols());
    // d log Z / d f = -½ w p [Var (f_c - pᵀ f) - Σ_d p_d Var (f_d - pᵀ f)]; pi holds w p.
    let mut by_mode = Mat::zeros(n, count);
    for i in 0..n {
        let weight: f64 = (0..count).map(|c| found.pi[(i, c)]).sum();
        if weight > 0.0 {
            let mean: f64 = (0..count).map(|c| found.pi[(i, c)] / weight * differences.var[(i, c)]).sum();
            (0..count).for_each(|c| by_mode[(i, c)] = -0.5 * found.pi[(i, c)] * (differences.var[(i, c)] - mean));
        }
    }
    (found.factor.without_prior(&by_mode), square)
}
