//! Newton steps to the mode.

use super::options::LaplaceOptions;
use crate::inference::outcome::Acceptable;
use crate::inference::problem::{Known, Problem};
use crate::inference::{InferenceError, Inferred, Outcome, Reason, Report};
use crate::likelihood::Smooth;
use crate::posterior::{Factor, Marginals, Posterior, Sites, Spare};
use crate::prior::{Failure, Prior};
use gpclass_linalg::vector;

/// A step with the factor of an earlier point is worth repeating while the decrement falls by this factor.
const WORTHWHILE: f64 = 0.6;
/// A factorisation that leaves the decrement above this share of the last one's brought nothing.
const STALLED: f64 = 0.5;
/// Halvings of a Newton step.
const MAX_HALVINGS: usize = 40;

pub(in crate::inference) fn infer(
    prior: Prior,
    known: Known<'_>,
    start: Option<&Sites>,
    options: &LaplaceOptions,
) -> Result<Inferred, InferenceError> {
    let smooth = known.observations.likelihood.smooth()?;
    known.search(prior, |problem| Search { problem, smooth, options }.run(start))
}

/// The posterior of given sites, with the evidence formula evaluated at its mean.
pub(in crate::inference) fn at_sites(
    prior: Prior,
    known: Known<'_>,
    sites: &Sites,
) -> Result<Inferred, InferenceError> {
    let smooth = known.observations.likelihood.smooth()?;
    let options = LaplaceOptions::default();
    known.search(prior, |problem| {
        let search = Search { problem, smooth, options: &options };
        let (factor, marginals) = problem.factorise(&sites.tau, None)?.with_marginals()?;
        let (a, f) = problem.site_means(&factor, &sites.nu);
        let point = search.point(a, f);
        let r: Vec<f64> = point.slope.iter().zip(&point.a).map(|(g, a)| g - a).collect();
        let residual = vector::dot(&r, &problem.prior.times(&factor.solve_site(&r))).max(0.0).sqrt();
        let account = Account { outcome: Outcome::GivenSites, sweeps: 1, residual };
        Ok(search.inferred(point, sites.clone(), (factor, marginals), account))
    })
}

struct Search<'a> {
    problem: Problem<'a>,
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

/// What a report says of the search itself.
struct Account {
    outcome: Outcome,
    sweeps: usize,
    residual: f64,
}

impl Point {
    /// `Psi`.
    fn log_posterior(&self) -> f64 {
        self.log_p - 0.5 * vector::dot(&self.a, &self.f)
    }

    /// The Newton decrement that rounding alone may leave: that of the slopes at `f = K a`.
    fn rounding(&self, prior: &Prior) -> f64 {
        let errors = prior.product_errors(&self.a);
        errors.iter().zip(&self.curvature).map(|(e, w)| w * e * e).sum::<f64>().sqrt()
    }
}

impl Search<'_> {
    fn point(&self, a: Vec<f64>, f: Vec<f64>) -> Point {
        let n = f.len();
        let mut point = Point { a, f, log_p: 0.0, slope: Vec::with_capacity(n), curvature: Vec::with_capacity(n) };
        for i in 0..n {
            let weight = self.problem.observations.weight(i);
            let [log_p, d1, d2, _] = self.smooth.derivatives(self.problem.observations.labels[i], point.f[i]);
            // A weight of zero leaves the row out, however small its probability.
            point.log_p += if weight == 0.0 { 0.0 } else { weight * log_p };
            point.slope.push(weight * d1);
            point.curvature.push((-weight * d2).max(0.0));
        }
        point
    }

    fn start(&self, start: Option<&Sites>) -> Result<Point, Failure> {
        let n = self.problem.len();
        let zero = self.point(vec![0.0; n], vec![0.0; n]);
        let Some(sites) = start else { return Ok(zero) };
        let factor = self.problem.factorise(&sites.tau, None)?;
        let (a, f) = self.problem.site_means(&factor, &sites.nu);
        let warm = self.point(a, f);
        Ok(if warm.log_posterior() > zero.log_posterior() { warm } else { zero })
    }

    fn run(&self, start: Option<&Sites>) -> Result<Inferred, Failure> {
        let mut point = self.start(start)?;
        let mut spare: Option<Spare> = None;
        let mut stopped = Reason::SweepLimit;
        let mut sweeps = 0;
        let mut residual = f64::INFINITY;
        while sweeps < self.options.max_sweeps {
            let factor = self.problem.factorise(&point.curvature, spare.take())?;
            sweeps += 1;
            let before = residual;
            let progress = self.climb(&factor, &mut point, &mut residual);
            spare = Some(factor.into_spare());
            // Within rounding of the mode, steps that change nothing can go on for ever.
            let stalled = residual > STALLED * before && self.outcome(&point, residual, stopped).converged();
            if residual <= self.options.tolerance || stalled || !progress {
                stopped = Reason::NoProgress;
                break;
            }
        }
        let outcome = self.outcome(&point, residual, stopped);
        let factor = self.problem.factorise(&point.curvature, spare)?.with_marginals()?;
        let nu = (0..point.f.len()).map(|i| point.curvature[i] * point.f[i] + point.a[i]).collect();
        let sites = Sites { tau: point.curvature.clone(), nu };
        Ok(self.inferred(point, sites, factor, Account { outcome, sweeps: sweeps + 1, residual }))
    }

    /// The posterior with mean `point.f` and the covariance of the factorised sites.
    fn inferred(&self, point: Point, sites: Sites, factor: (Factor, Marginals), account: Account) -> Inferred {
        let (factor, marginals) = factor;
        let Account { outcome, sweeps, residual } = account;
        let (jitter, negative_sites) = (self.problem.prior.jitter(), sites.negative());
        let report = Report { outcome, sweeps, residual, jitter, negative_sites };
        let log_z = point.log_posterior() - 0.5 * factor.log_det();
        let posterior = Posterior::new(sites, point.a, point.f, marginals, factor);
        let cavities = posterior.cavities(|i| self.problem.observations.copies(i));
        Inferred { posterior, log_z, cavities, observation_var: 0.0, report }
    }

    /// Whether the decrement is small enough, or as small as can be and small enough for that.
    fn outcome(&self, point: &Point, residual: f64, stopped: Reason) -> Outcome {
        let LaplaceOptions { tolerance, acceptable, acceptable_rounded, .. } = *self.options;
        // Who asks for less than is acceptable has converged where that is met.
        let acceptable = Acceptable { plain: acceptable.max(tolerance), rounded: acceptable_rounded };
        acceptable.judge(residual, || point.rounding(self.problem.prior), stopped)
    }

    /// Steps with one factor while they pay. False when no step raises the log posterior.
    fn climb(&self, factor: &Factor, point: &mut Point, residual: &mut f64) -> bool {
        let mut last = f64::INFINITY;
        for step in 0..self.options.max_inner {
            let r: Vec<f64> = point.slope.iter().zip(&point.a).map(|(g, a)| g - a).collect();
            let da = factor.solve_site(&r);
            let df = self.problem.prior.times(&da);
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
