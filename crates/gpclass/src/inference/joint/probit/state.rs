//! One state of the search: pair sites, the posterior they give, and how far they are from matching (multiclass 3).

use super::PairSites;
use super::rows::Terms;
use crate::inference::joint::ClassObservations;
use crate::interrupt::Interrupt;
use crate::likelihood::multinomial::PairMoments;
use crate::posterior::{CoupledFactor, Differences, FunctionPriors, Held, IMPROPER};
use crate::prior::Failure;
use gpclass_linalg::{Mat, PackedSymmetric, SingleMat, vector};

/// What a search is about.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub prior: &'a FunctionPriors,
    pub observations: &'a ClassObservations<'a>,
    pub interrupt: Interrupt<'a>,
    /// Whether precisions are kept from becoming negative: a posterior that is always proper, though its evidence is no longer
    /// stationary in the sites.
    pub clamped: bool,
}

impl Problem<'_> {
    pub fn is_log_concave(&self) -> bool {
        self.observations.link.label_error() == 0.0
    }

    /// The precisions of all copies of every row.
    fn precisions(&self, tau: &Mat) -> Mat {
        Mat::from_fn(tau.rows(), tau.cols(), |i, c| self.observations.copies(i) * tau[(i, c)])
    }
}

/// How the variances of a state in single precision are had.
#[derive(Clone, Copy)]
pub(super) enum Variances<'a> {
    /// As well as single precision allows.
    Computed,
    /// At half the cost, from where those of an earlier state lay between their bounds, if there was one.
    Estimated(Option<&'a Mat>),
}

/// A proper posterior. Matrices are rows x classes; in the column of a row's own class `tau` is one (the hub's tie to its
/// own function) and `beta` is zero.
pub(super) struct State<E: Held = PackedSymmetric> {
    /// Site precisions of `h`, of one copy.
    pub tau: Mat,
    /// `nu_h - tau E h`, of one copy.
    pub beta: Mat,
    pub means: Means,
    pub factor: CoupledFactor<E>,
    /// Posterior variances of `h`, of one copy.
    pub var: Mat,
    /// `1 - tau var`.
    pub gap: Mat,
    /// Cavity variances of `h`.
    pub cavity_var: Mat,
    clamped: bool,
}

/// What `beta` implies: `alpha = K⁻¹ mu`, `mu`, and the means of `h`.
#[derive(Clone)]
pub(super) struct Means {
    pub alpha: Mat,
    pub mu: Mat,
    pub h: Mat,
}

/// Moments at the cavities of a state and their mismatch with the posterior.
pub(super) struct Mismatch {
    pub terms: Terms,
    /// `d1 - beta`.
    pub lacking: Mat,
    /// `Σ copies (m_hat - E h)² / (2 var)`.
    pub mean_error: f64,
    /// `Σ copies (v_hat / var - 1)² / 4`.
    pub var_error: f64,
}

impl Mismatch {
    pub fn residual(&self) -> f64 {
        (self.mean_error + self.var_error).sqrt()
    }
}

impl Means {
    /// `alpha_c = -beta_c`, `alpha_y = Σ beta`, times the copies; `E h_c = Σ beta + mu_y - mu_c`.
    pub fn new(prior: &FunctionPriors, observations: &ClassObservations<'_>, beta: &Mat) -> Self {
        let (n, count) = (observations.len(), observations.count);
        let sums = sums_of(observations, beta);
        let alpha = Mat::from_fn(n, count, |i, c| {
            let own = if c == observations.own(i) { sums[i] } else { -beta[(i, c)] };
            observations.copies(i) * own
        });
        let mu = prior.times(&alpha);
        let h = means_of_h(observations, &sums, &mu);
        Means { alpha, mu, h }
    }

    /// Moved by a share of a step, with the `beta` that then belongs to them.
    pub fn moved(&self, observations: &ClassObservations<'_>, beta: &Mat, step: &Step, share: f64) -> (Means, Mat) {
        let moved = |from: &Mat, by: &Mat| {
            let mut to = from.clone();
            vector::add_scaled(to.as_mut_slice(), share, by.as_slice());
            to
        };
        let (alpha, mu, beta) = (moved(&self.alpha, &step.alpha), moved(&self.mu, &step.mu), moved(beta, &step.beta));
        let h = means_of_h(observations, &sums_of(observations, &beta), &mu);
        (Means { alpha, mu, h }, beta)
    }
}

/// A change of the means.
pub(super) struct Step {
    pub alpha: Mat,
    pub mu: Mat,
    pub beta: Mat,
}

fn sums_of(observations: &ClassObservations<'_>, beta: &Mat) -> Vec<f64> {
    (0..observations.len()).map(|i| observations.others(i).map(|c| beta[(i, c)]).sum()).collect()
}

fn means_of_h(observations: &ClassObservations<'_>, sums: &[f64], mu: &Mat) -> Mat {
    Mat::from_fn(mu.rows(), mu.cols(), |i, c| {
        let own = observations.own(i);
        if c == own { 0.0 } else { sums[i] + mu[(i, own)] - mu[(i, c)] }
    })
}

impl State {
    /// The posterior of sites `tau`, with means given by `beta`. Of one that is expected to be the last more is made ready for a gradient.
    pub fn new(
        problem: Problem<'_>,
        sites: PairSites,
        recycled: Option<CoupledFactor>,
        last: bool,
    ) -> Result<Self, Failure> {
        let PairSites { tau, beta } = sites;
        let factor = CoupledFactor::watched(problem.prior, &problem.precisions(&tau), recycled, problem.interrupt)?;
        let (factor, differences) = if last && problem.prior.is_shared() {
            let (differences, square) = factor.differences_and_square(problem.interrupt)?;
            (factor.with_square(square), differences)
        } else {
            let differences = factor.differences(problem.interrupt)?;
            (factor, differences)
        };
        State::with_differences(problem, tau, beta, factor, &differences).ok_or(IMPROPER)
    }
}

impl State<SingleMat> {
    /// The same in single precision, and what estimates of later variances need, where these are not estimates themselves. `None` where
    /// single precision would not do.
    pub fn rough(
        problem: Problem<'_>,
        sites: PairSites,
        variances: Variances<'_>,
        recycled: Option<CoupledFactor<SingleMat>>,
    ) -> Result<Option<(Self, Option<Mat>)>, Failure> {
        let PairSites { tau, beta } = sites;
        let pi = problem.precisions(&tau);
        let Some(factor) = CoupledFactor::rough(problem.prior, &pi, recycled, problem.interrupt)? else {
            return Ok(None);
        };
        let found = match variances {
            Variances::Computed => {
                factor.rough_differences(problem.interrupt)?.map(|(differences, place)| (differences, Some(place)))
            }
            Variances::Estimated(place) => factor.estimated_differences(place).map(|differences| (differences, None)),
        };
        let Some((differences, place)) = found else { return Ok(None) };
        let state = State::with_differences(problem, tau, beta, factor, &differences);
        Ok(state.map(|state| (state, place)))
    }
}

impl<E: Held> State<E> {
    /// `None` unless every cavity is proper.
    fn with_differences(
        problem: Problem<'_>,
        tau: Mat,
        beta: Mat,
        factor: CoupledFactor<E>,
        differences: &Differences,
    ) -> Option<Self> {
        let Problem { prior, observations, clamped, .. } = problem;
        let (n, count) = (tau.rows(), tau.cols());
        let (mut var, mut gap, mut cavity_var) = (Mat::zeros(n, count), Mat::zeros(n, count), Mat::zeros(n, count));
        for i in (0..n).filter(|&i| observations.copies(i) > 0.0) {
            let copies = observations.copies(i);
            let s = factor.totals()[i] / copies;
            for c in observations.others(i) {
                let v = 1.0 / s + differences.var[(i, c)];
                // One of several tied copies leaves more than all of them do.
                let left = if copies == 1.0 { differences.slack[(i, c)] } else { 1.0 - tau[(i, c)] * v };
                let proper = v > 0.0 && left > 0.0 && (v / left).is_finite();
                if !proper {
                    return None;
                }
                (var[(i, c)], gap[(i, c)], cavity_var[(i, c)]) = (v, left, v / left);
            }
        }
        let means = Means::new(prior, observations, &beta);
        Some(State { tau, beta, means, factor, var, gap, cavity_var, clamped })
    }

    /// The mismatch at the state's own means.
    pub fn mismatch(&self, observations: &ClassObservations<'_>) -> Mismatch {
        self.mismatch_at(observations, &self.means.h, &self.beta)
    }

    /// The mismatch at other means.
    pub fn mismatch_at(&self, observations: &ClassObservations<'_>, h: &Mat, beta: &Mat) -> Mismatch {
        let (n, count) = (beta.rows(), beta.cols());
        let terms = Terms::new(observations, |i, c| {
            let v = self.cavity_var[(i, c)];
            (h[(i, c)] - v * beta[(i, c)], v)
        });
        let (mut lacking, mut mean_error, mut var_error) = (Mat::zeros(n, count), 0.0, 0.0);
        for i in (0..n).filter(|&i| observations.copies(i) > 0.0) {
            let copies = observations.copies(i);
            for c in observations.others(i) {
                let PairMoments { d1, d2, shrink } = *terms.pair(i, c);
                lacking[(i, c)] = d1 - beta[(i, c)];
                let shift = self.cavity_var[(i, c)] * lacking[(i, c)]; // m_hat - E h
                let widening = shrink / self.gap[(i, c)] - 1.0; // v_hat / var - 1
                mean_error += copies * shift * shift / (2.0 * self.var[(i, c)]);
                // A precision held at zero has gone as far as it may.
                let held = self.clamped && self.tau[(i, c)] == 0.0 && d2 > 0.0;
                if !held {
                    var_error += copies * widening * widening / 4.0;
                }
            }
        }
        Mismatch { terms, lacking, mean_error, var_error }
    }

    /// The log evidence, without differences of large numbers:
    /// `Σ copies [log Z_i + Σ_c (-½ log gap + ½ beta (v beta - E h))] - ½ log-determinants`.
    pub fn log_z(&self, observations: &ClassObservations<'_>, mismatch: &Mismatch) -> f64 {
        let row = |i: usize| {
            let copies = observations.copies(i);
            if copies == 0.0 {
                return 0.0;
            }
            let pairs: f64 = observations
                .others(i)
                .map(|c| {
                    let beta = self.beta[(i, c)];
                    0.5 * beta * (self.cavity_var[(i, c)] * beta - self.means.h[(i, c)]) - 0.5 * self.gap[(i, c)].ln()
                })
                .sum();
            // Every copy has a hub of its own; the factor knows one for all of them.
            let s = self.factor.totals()[i] / copies;
            copies * (mismatch.terms.row(i).log_z + pairs) - 0.5 * ((copies - 1.0) * s.ln() - copies.ln())
        };
        (0..observations.len()).map(row).sum::<f64>() - 0.5 * self.factor.log_det()
    }

    /// The residual that rounding alone may leave: that of the means `K alpha`, and a share `eps |B|` of each variance, with
    /// traces for the norms of `B_c = I + D_c^½ K_c D_c^½`.
    pub fn rounding(&self, prior: &FunctionPriors, observations: &ClassObservations<'_>) -> f64 {
        let errors = prior.product_errors(&self.means.alpha);
        let norm = |c: usize| -> f64 {
            let variances = prior.of(c).diag();
            (0..observations.len()).map(|i| observations.copies(i) * self.tau[(i, c)].max(0.0) * variances[i]).sum()
        };
        let norms: Vec<f64> = (0..observations.count).map(norm).collect();
        let pair = |i: usize, c: usize| {
            let own = observations.own(i);
            let mean = errors[(i, own)].hypot(errors[(i, c)]);
            let share = f64::EPSILON * norms[own].max(norms[c]);
            mean * mean / (2.0 * self.var[(i, c)]) + share * share / 4.0
        };
        let rows = (0..observations.len()).filter(|&i| observations.copies(i) > 0.0);
        rows.flat_map(|i| observations.others(i).map(move |c| (i, c))).map(|(i, c)| pair(i, c)).sum::<f64>().sqrt()
    }
}

/// `-d2 / (1 + d2 v)` for every pair, one for a row's own class, zero for rows left out.
pub(super) fn matching_tau(observations: &ClassObservations<'_>, terms: &Terms) -> Mat {
    let mut tau = Mat::zeros(observations.len(), observations.count);
    for i in (0..observations.len()).filter(|&i| observations.copies(i) > 0.0) {
        tau[(i, observations.own(i))] = 1.0;
        observations.others(i).for_each(|c| tau[(i, c)] = terms.pair(i, c).tau());
    }
    tau
}
