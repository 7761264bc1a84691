//! Laplace's method: a Gaussian at the posterior mode (SLIDES; GPML 3.4).
//!
//! With `f = K a`, the mode solves `a = w grad log p(f)`: EP's mean conditions at cavity variance zero. Newton steps,
//! several per factorisation, damped on `Psi = log p(y|f) - ½ aᵀf`, which is concave.

use super::rounding::product_errors;
use super::{InferenceError, Inferred, Observations, Outcome, Reason, Report, with_jitter};
use crate::likelihood::Smooth;
use crate::posterior::{Posterior, SiteFactor};
use crate::sites::Sites;
use gpclass_linalg::{Mat, NotPositiveDefinite, symmetric_mul, vector};
use serde::{Deserialize, Serialize};

/// Limits and tolerances of Laplace's method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaplaceOptions {
    /// Stop when the Newton decrement, the distance from the mode in posterior standard deviations, falls below this.
    pub tolerance: f64,
    /// A search that rounding stops above `tolerance` still counts as converged below this.
    pub acceptable: f64,
    /// As `acceptable`, where the rounding of the covariance matrix accounts for the whole residual.
    pub acceptable_rounded: f64,
    /// Factorisations.
    pub max_sweeps: usize,
    /// Steps per factorisation.
    pub max_inner: usize,
}

impl Default for LaplaceOptions {
    fn default() -> Self {
        LaplaceOptions { tolerance: 1e-10, acceptable: 1e-6, acceptable_rounded: 1e-3, max_sweeps: 100, max_inner: 8 }
    }
}

/// A step with the factor of an earlier point is worth repeating while the decrement falls by this factor.
const WORTHWHILE: f64 = 0.6;
/// A factorisation that leaves the decrement above this share of the last one's brought nothing.
const STALLED: f64 = 0.5;
/// Halvings of a Newton step.
const MAX_HALVINGS: usize = 40;

pub(super) fn infer(
    k: &Mat,
    observations: &Observations<'_>,
    start: Option<&Sites>,
    options: &LaplaceOptions,
) -> Result<Inferred, InferenceError> {
    let smooth = observations.likelihood.smooth()?;
    let problem = Problem { observations, smooth, options };
    with_jitter(k, |k, jitter| problem.search(k, start, jitter))
}

/// The posterior of given sites, with the evidence formula evaluated at its mean.
pub(super) fn at_sites(k: &Mat, observations: &Observations<'_>, sites: &Sites) -> Result<Inferred, InferenceError> {
    let smooth = observations.likelihood.smooth()?;
    let options = LaplaceOptions::default();
    let problem = Problem { observations, smooth, options: &options };
    with_jitter(k, |k, jitter| {
        let factor = SiteFactor::new(k, &sites.tau, None)?.with_inverse();
        let a = factor.damp(k, &sites.nu);
        let f = symmetric_mul(k, &a);
        let point = problem.point(a, f);
        let r: Vec<f64> = point.slope.iter().zip(&point.a).map(|(g, a)| g - a).collect();
        let residual = vector::dot(&r, &symmetric_mul(k, &factor.damp(k, &r))).max(0.0).sqrt();
        let report =
            Report { outcome: Outcome::GivenSites, sweeps: 1, residual, jitter, negative_sites: sites.negative() };
        Ok(problem.inferred(k, point, sites.clone(), factor, report))
    })
}

struct Problem<'a> {
    observations: &'a Observations<'a>,
    smooth: Smooth<'a>,
    options: &'a LaplaceOptions,
}

/// The log posterior and its pieces at a point.
struct Point {
    a: Vec<f64>,
    f: Vec<f64>,
    log_p: f64,
    /// `w grad log p`.
    slope: Vec<f64>,
    /// `W = -w d² log p`.
    curvature: Vec<f64>,
}

impl Point {
    /// `Psi`.
    fn log_posterior(&self) -> f64 {
        self.log_p - 0.5 * vector::dot(&self.a, &self.f)
    }

    /// The Newton decrement that rounding alone may leave: that of the slopes at `f = K a`.
    fn rounding(&self, k: &Mat) -> f64 {
        let errors = product_errors(k, &self.a);
        errors.iter().zip(&self.curvature).map(|(e, w)| w * e * e).sum::<f64>().sqrt()
    }
}

impl Problem<'_> {
    fn point(&self, a: Vec<f64>, f: Vec<f64>) -> Point {
        let n = f.len();
        let mut point = Point { a, f, log_p: 0.0, slope: Vec::with_capacity(n), curvature: Vec::with_capacity(n) };
        for i in 0..n {
            let weight = self.observations.weight(i);
            let [log_p, d1, d2, _] = self.smooth.derivatives(self.observations.labels[i], point.f[i]);
            // A weight of zero leaves the row out, however small its probability.
            point.log_p += if weight == 0.0 { 0.0 } else { weight * log_p };
            point.slope.push(weight * d1);
            point.curvature.push((-weight * d2).max(0.0));
        }
        point
    }

    fn start(&self, k: &Mat, start: Option<&Sites>) -> Result<Point, NotPositiveDefinite> {
        let n = self.observations.len();
        let zero = self.point(vec![0.0; n], vec![0.0; n]);
        let Some(sites) = start else { return Ok(zero) };
        let a = SiteFactor::new(k, &sites.tau, None)?.damp(k, &sites.nu);
        let f = symmetric_mul(k, &a);
        let warm = self.point(a, f);
        Ok(if warm.log_posterior() > zero.log_posterior() { warm } else { zero })
    }

    fn search(&self, k: &Mat, start: Option<&Sites>, jitter: f64) -> Result<Inferred, NotPositiveDefinite> {
        let mut point = self.start(k, start)?;
        let mut factor: Option<SiteFactor> = None;
        let mut stopped = Reason::SweepLimit;
        let mut sweeps = 0;
        let mut residual = f64::INFINITY;
        while sweeps < self.options.max_sweeps {
            let current = SiteFactor::new(k, &point.curvature, factor.take())?;
            sweeps += 1;
            let before = residual;
            let progress = self.climb(k, &current, &mut point, &mut residual);
            factor = Some(current);
            // Within rounding of the mode, steps that change nothing can go on for ever.
            let stalled = residual > STALLED * before && self.is_settled(k, &point, residual);
            if residual <= self.options.tolerance || stalled || !progress {
                stopped = Reason::NoProgress;
                break;
            }
        }
        let outcome = match stopped {
            _ if self.is_settled(k, &point, residual) => Outcome::Converged,
            _ if residual <= point.rounding(k) => Outcome::NotConverged(Reason::Rounding),
            reason => Outcome::NotConverged(reason),
        };
        let factor = SiteFactor::new(k, &point.curvature, factor)?.with_inverse();
        let nu = (0..point.f.len()).map(|i| point.curvature[i] * point.f[i] + point.a[i]).collect();
        let sites = Sites { tau: point.curvature.clone(), nu };
        let report = Report { outcome, sweeps: sweeps + 1, residual, jitter, negative_sites: 0 };
        Ok(self.inferred(k, point, sites, factor, report))
    }

    /// The posterior with mean `point.f` and the covariance of the factorised sites.
    fn inferred(&self, k: &Mat, point: Point, sites: Sites, factor: SiteFactor, report: Report) -> Inferred {
        let marginals = factor.marginals(k);
        let log_z = point.log_posterior() - 0.5 * factor.log_det();
        let posterior = Posterior::new(sites, point.a, point.f, marginals, factor);
        let cavities = posterior.cavities(|i| self.observations.copies(i));
        Inferred { posterior, log_z, cavities, observation_var: 0.0, report }
    }

    /// Whether the decrement is small enough, or as small as can be and small enough for that.
    fn is_settled(&self, k: &Mat, point: &Point, residual: f64) -> bool {
        residual <= self.options.acceptable
            || residual <= self.options.acceptable_rounded && residual <= point.rounding(k)
    }

    /// Steps with one factor while they pay. False when no step raises the log posterior.
    fn climb(&self, k: &Mat, factor: &SiteFactor, point: &mut Point, residual: &mut f64) -> bool {
        let mut last = f64::INFINITY;
        for step in 0..self.options.max_inner {
            let r: Vec<f64> = point.slope.iter().zip(&point.a).map(|(g, a)| g - a).collect();
            let da = factor.damp(k, &r);
            let df = symmetric_mul(k, &da);
            *residual = vector::dot(&r, &df).max(0.0).sqrt(); // rᵀ Sigma r
            if *residual <= self.options.tolerance || *residual > WORTHWHILE * last {
                return step > 0 || *residual <= self.options.tolerance;
            }
            last = *residual;
            match self.uphill(point, &da, &df) {
                Some(next) => *point = next,
                None => return step > 0,
            }
        }
        true
    }

    /// The longest of the halved steps that does not lower the log posterior.
    fn uphill(&self, point: &Point, da: &[f64], df: &[f64]) -> Option<Point> {
        let here = point.log_posterior();
        let rounding = 8.0 * f64::EPSILON * (1.0 + here.abs());
        let mut step = 1.0;
        for _ in 0..MAX_HALVINGS {
            let (mut a, mut f) = (point.a.clone(), point.f.clone());
            vector::add_scaled(&mut a, step, da);
            vector::add_scaled(&mut f, step, df);
            let next = self.point(a, f);
            if next.log_posterior() >= here - rounding {
                return Some(next);
            }
            step *= 0.5;
        }
        None
    }
}
