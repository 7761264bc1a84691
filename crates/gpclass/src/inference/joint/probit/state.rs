//! One state of the search: pair sites, the posterior they give, and how far they are from matching (multiclass 3).

use super::rows::RowMoments;
use crate::inference::joint::ClassObservations;
use crate::likelihood::multinomial::PairMoments;
use crate::posterior::{CoupledFactor, FunctionPriors, IMPROPER};
use crate::prior::Failure;
use gpclass_linalg::Mat;

/// A proper posterior. Matrices are rows x classes; in the column of a row's own class `tau` is one (the hub's tie to its
/// own function) and `beta` is zero.
pub(super) struct State {
    /// Site precisions of `h`, of one copy.
    pub tau: Mat,
    /// `nu_h - tau E h`, of one copy.
    pub beta: Mat,
    pub means: Means,
    pub factor: CoupledFactor,
    /// Posterior variances of `h`, of one copy.
    pub var: Mat,
    /// `1 - tau var`.
    pub gap: Mat,
    /// Cavity variances of `h`.
    pub cavity_var: Mat,
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
    pub rows: Vec<RowMoments>,
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
        let sums: Vec<f64> = (0..n).map(|i| observations.others(i).map(|c| beta[(i, c)]).sum()).collect();
        let alpha = Mat::from_fn(n, count, |i, c| {
            let own = if c == observations.own(i) { sums[i] } else { -beta[(i, c)] };
            observations.copies(i) * own
        });
        let mu = prior.times(&alpha);
        let h = Mat::from_fn(n, count, |i, c| {
            let own = observations.own(i);
            if c == own { 0.0 } else { sums[i] + mu[(i, own)] - mu[(i, c)] }
        });
        Means { alpha, mu, h }
    }
}

impl State {
    /// The posterior of sites `tau`, with means given by `beta`.
    pub fn new(
        prior: &FunctionPriors,
        observations: &ClassObservations<'_>,
        tau: Mat,
        beta: Mat,
        recycled: Option<CoupledFactor>,
    ) -> Result<Self, Failure> {
        let (n, count) = (tau.rows(), tau.cols());
        let pi = Mat::from_fn(n, count, |i, c| observations.copies(i) * tau[(i, c)]);
        let factor = CoupledFactor::new(prior, &pi, recycled)?;
        let rows = factor.marginals();
        let (mut var, mut gap, mut cavity_var) = (Mat::zeros(n, count), Mat::zeros(n, count), Mat::zeros(n, count));
        for i in (0..n).filter(|&i| observations.copies(i) > 0.0) {
            let copies = observations.copies(i);
            let s: f64 = (0..count).map(|c| tau[(i, c)]).sum();
            let by_pi = |c: usize| rows.times_pi[(i, c)] / copies;
            let twice: f64 = (0..count).map(|c| tau[(i, c)] * by_pi(c)).sum();
            for c in observations.others(i) {
                let v = 1.0 / s + rows.var[(i, c)] - 2.0 * by_pi(c) / s + twice / (s * s);
                let left = 1.0 - tau[(i, c)] * v;
                if !(v > 0.0 && left > 0.0 && (v / left).is_finite()) {
                    return Err(IMPROPER);
                }
                (var[(i, c)], gap[(i, c)], cavity_var[(i, c)]) = (v, left, v / left);
            }
        }
        let means = Means::new(prior, observations, &beta);
        Ok(State { tau, beta, means, factor, var, gap, cavity_var })
    }

    /// The mismatch at the state's own means.
    pub fn mismatch(&self, observations: &ClassObservations<'_>) -> Mismatch {
        self.mismatch_at(observations, &self.means.h, &self.beta)
    }

    /// The mismatch at other means.
    pub fn mismatch_at(&self, observations: &ClassObservations<'_>, h: &Mat, beta: &Mat) -> Mismatch {
        let (n, count) = (beta.rows(), beta.cols());
        let mut found =
            Mismatch { rows: Vec::with_capacity(n), lacking: Mat::zeros(n, count), mean_error: 0.0, var_error: 0.0 };
        for i in 0..n {
            let copies = observations.copies(i);
            let others: Vec<usize> = observations.others(i).collect();
            let cavity = |&c: &usize| (h[(i, c)] - self.cavity_var[(i, c)] * beta[(i, c)], self.cavity_var[(i, c)]);
            let cavities: Vec<(f64, f64)> = others.iter().map(cavity).collect();
            let row = RowMoments::new(&cavities, count, observations.link.label_error());
            if copies > 0.0 {
                for (&c, PairMoments { d1, shrink, .. }) in others.iter().zip(&row.pairs) {
                    let lacking = d1 - beta[(i, c)];
                    found.lacking[(i, c)] = lacking;
                    let shift = self.cavity_var[(i, c)] * lacking; // m_hat - E h
                    let widening = shrink / self.gap[(i, c)] - 1.0; // v_hat / var - 1
                    found.mean_error += copies * shift * shift / (2.0 * self.var[(i, c)]);
                    found.var_error += copies * widening * widening / 4.0;
                }
            }
            found.rows.push(row);
        }
        found
    }

    /// The precisions that would match the moments, `-d2 / (1 + d2 v)`.
    pub fn matching_tau(&self, observations: &ClassObservations<'_>, mismatch: &Mismatch) -> Mat {
        matching_tau(observations, &mismatch.rows)
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
            copies * (mismatch.rows[i].log_z + pairs) - 0.5 * ((copies - 1.0) * s.ln() - copies.ln())
        };
        (0..observations.len()).map(row).sum::<f64>() - 0.5 * self.factor.log_det()
    }
}

/// `-d2 / (1 + d2 v)` for every pair, one for a row's own class, zero for rows left out.
pub(super) fn matching_tau(observations: &ClassObservations<'_>, rows: &[RowMoments]) -> Mat {
    let mut tau = Mat::zeros(observations.len(), observations.count);
    for (i, row) in rows.iter().enumerate().filter(|(i, _)| observations.copies(*i) > 0.0) {
        tau[(i, observations.own(i))] = 1.0;
        for (c, pair) in observations.others(i).zip(&row.pairs) {
            tau[(i, c)] = pair.tau();
        }
    }
    tau
}
