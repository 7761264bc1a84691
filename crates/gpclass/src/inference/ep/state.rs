//! A point of the search: sites, the posterior they give, the cavities, and how far the sites are from matching.

use crate::inference::Observations;
use crate::inference::problem::Problem;
use crate::likelihood::{Gaussian, Moments};
use crate::posterior::{CavityTrend, Factor, Marginals, RoughFactor, Sites, Spare};
use crate::prior::{Failure, Prior};

/// A proper posterior: every variance and every cavity variance is positive and finite.
pub(super) struct State<F = Factor> {
    pub tau: Vec<f64>,
    pub b: Vec<f64>,
    pub mu: Vec<f64>,
    pub factor: F,
    pub marginals: Marginals,
    /// Cavity variances.
    pub s: Vec<f64>,
    /// `1 - tau v / c`.
    pub gap: Vec<f64>,
}

/// Moments at the cavities of a state and their mismatch with the posterior.
pub(super) struct Mismatch {
    pub moments: Vec<Moments>,
    /// `c d1 - b`: what the mean conditions lack.
    pub r: Vec<f64>,
    /// Mismatch of the means, `sum c (mu_hat - mu)² / (2 v)`.
    pub mean_error: f64,
    /// Mismatch of the variances, `sum c (v_hat/v - 1)² / 4`.
    pub var_error: f64,
}

impl Mismatch {
    pub fn residual(&self) -> f64 {
        (self.mean_error + self.var_error).sqrt()
    }
}

impl State {
    /// The posterior of the sites `tau`, with means given by `b`.
    pub fn new(problem: Problem<'_>, tau: Vec<f64>, b: Vec<f64>, spare: Option<Spare>) -> Result<Self, Failure> {
        let factor = problem.factorise(&tau, spare)?;
        let mu = problem.prior.times(&b);
        Self::with_factor(problem, tau, (b, mu), factor)
    }

    /// The posterior of sites `tau` and `nu`.
    pub fn at_sites(problem: Problem<'_>, sites: &Sites) -> Result<Self, Failure> {
        let factor = problem.factorise(&sites.tau, None)?;
        let means = problem.site_means(&factor, &sites.nu);
        Self::with_factor(problem, sites.tau.clone(), means, factor)
    }

    /// The posterior of sites already factorised. Fails unless every cavity is proper.
    pub fn with_factor(
        problem: Problem<'_>,
        tau: Vec<f64>,
        (b, mu): (Vec<f64>, Vec<f64>),
        factor: Factor,
    ) -> Result<Self, Failure> {
        problem.interrupt.check()?;
        let (factor, marginals) = factor.with_marginals()?;
        State::with_marginals(problem, tau, (b, mu), factor, marginals).ok_or_else(|| problem.prior.indefinite())
    }

    /// The log evidence at this state.
    pub fn log_z(&self, observations: &Observations<'_>, mismatch: &Mismatch) -> f64 {
        let sites: f64 = (0..self.b.len())
            .map(|i| {
                let c = observations.copies(i);
                c * (mismatch.moments[i].log_z - 0.5 * self.gap[i].ln())
                    + 0.5 * self.b[i] * (self.s[i] * self.b[i] / c - self.mu[i])
            })
            .sum();
        sites - 0.5 * self.factor.log_det()
    }
}

impl State<RoughFactor> {
    /// As [`State::new`], in single precision where that does.
    pub fn rough(problem: Problem<'_>, tau: Vec<f64>, b: Vec<f64>) -> Option<Self> {
        let (factor, marginals) = problem.prior.factorise_roughly(&tau)?;
        let mu = problem.prior.times(&b);
        State::with_marginals(problem, tau, (b, mu), factor, marginals)
    }

    /// As [`State::at_sites`], in single precision where that does.
    pub fn rough_at_sites(problem: Problem<'_>, sites: &Sites) -> Option<Self> {
        let (factor, marginals) = problem.prior.factorise_roughly(&sites.tau)?;
        let b = factor.solve_site(&sites.nu);
        let mu = problem.prior.times(&b);
        State::with_marginals(problem, sites.tau.clone(), (b, mu), factor, marginals)
    }
}

/// What steps from a state are made with.
pub(super) trait Solver {
    /// `(I + T K)⁻¹ x`.
    fn solve_site(&self, x: &[f64]) -> Vec<f64>;

    /// How the cavity variances follow the precisions, where that can be told.
    fn trend(&self, marginals: &Marginals) -> Option<CavityTrend>;
}

impl Solver for Factor {
    fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        Factor::solve_site(self, x)
    }

    fn trend(&self, marginals: &Marginals) -> Option<CavityTrend> {
        Factor::trend(self, marginals)
    }
}

impl Solver for RoughFactor {
    fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        RoughFactor::solve_site(self, x)
    }

    fn trend(&self, marginals: &Marginals) -> Option<CavityTrend> {
        RoughFactor::trend(self, marginals)
    }
}

impl<F> State<F> {
    /// The state of a posterior with these variances; `None` unless every cavity is proper.
    fn with_marginals(
        problem: Problem<'_>,
        tau: Vec<f64>,
        (b, mu): (Vec<f64>, Vec<f64>),
        factor: F,
        marginals: Marginals,
    ) -> Option<Self> {
        let n = tau.len();
        let gap: Vec<f64> = (0..n).map(|i| marginals.gap(i, tau[i], problem.observations.copies(i))).collect();
        let s: Vec<f64> = (0..n).map(|i| marginals.var[i] / gap[i]).collect();
        // A variance of exactly zero is proper: a row that the prior ties to zero, as a linear kernel does the origin.
        let proper = |i: usize| marginals.var[i] >= 0.0 && gap[i] > 0.0 && s[i].is_finite();
        (0..n).all(proper).then_some(State { tau, b, mu, factor, marginals, s, gap })
    }

    /// The cavity of row `i` for means `mu` that belong to `b`.
    fn cavity_at(&self, observations: &Observations<'_>, i: usize, mu: f64, b: f64) -> Gaussian {
        Gaussian { mean: mu - self.s[i] * b / observations.copies(i), var: self.s[i] }
    }

    /// The mismatch of the state as it is.
    pub fn mismatch(&self, observations: &Observations<'_>) -> Mismatch {
        self.mismatch_at(observations, &self.mu, &self.b)
    }

    /// The mismatch with other means.
    pub fn mismatch_at(&self, observations: &Observations<'_>, mu: &[f64], b: &[f64]) -> Mismatch {
        let n = b.len();
        let mut mismatch =
            Mismatch { moments: Vec::with_capacity(n), r: Vec::with_capacity(n), mean_error: 0.0, var_error: 0.0 };
        for i in 0..n {
            let (c, v) = (observations.copies(i), self.marginals.var[i]);
            let moments = observations.moments(i, self.cavity_at(observations, i, mu[i], b[i]));
            let r = c * moments.d1 - b[i];
            let shift = self.s[i] * r / c; // mu_hat - mu
            let widening = moments.shrink / self.gap[i] - 1.0; // v_hat / v - 1
            if v > 0.0 {
                mismatch.mean_error += c * shift * shift / (2.0 * v);
                mismatch.var_error += c * widening * widening / 4.0;
            }
            mismatch.moments.push(moments);
            mismatch.r.push(r);
        }
        mismatch
    }

    /// The precisions that would match the moments: `-c d2 / (1 + d2 s)` (math 3).
    pub fn matching_tau(&self, observations: &Observations<'_>, mismatch: &Mismatch) -> Vec<f64> {
        matching_tau(observations, &mismatch.moments)
    }

    /// The residual that rounding alone may leave: that of the means `K b`, and a share `eps |B|` of each variance, with
    /// the trace for the norm of `B = I + S K S`.
    pub fn rounding(&self, prior: &Prior) -> f64 {
        let (errors, var) = (prior.product_errors(&self.b), &self.marginals.var);
        let norm: f64 = self.tau.iter().zip(prior.diag()).map(|(t, k)| t.max(0.0) * k).sum();
        let share = (f64::EPSILON * norm).powi(2) / 4.0;
        let rows = errors.iter().zip(var).filter(|(_, v)| **v > 0.0);
        rows.map(|(e, v)| e * e / (2.0 * v) + share).sum::<f64>().sqrt()
    }

    /// The sites, with `nu = b + tau mu`.
    pub fn sites(&self) -> Sites {
        let nu = (0..self.b.len()).map(|i| self.b[i] + self.tau[i] * self.mu[i]).collect();
        Sites { tau: self.tau.clone(), nu }
    }
}

/// `-c d2 / (1 + d2 s)` for every row.
pub(super) fn matching_tau(observations: &Observations<'_>, moments: &[Moments]) -> Vec<f64> {
    moments.iter().enumerate().map(|(i, m)| -observations.copies(i) * m.d2 / m.shrink).collect()
}
