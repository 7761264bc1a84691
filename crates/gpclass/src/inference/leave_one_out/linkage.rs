//! How cavities hang on sites and on the covariance: the map `U'` of math 6.1.

use super::{CavitySlopes, MarginalSlopes};
use crate::inference::{Inferred, Observations, Sensitivity};
use crate::posterior::Posterior;
use crate::prior::Adjoint;
use gpclass_linalg::{Mat, lower_of_product, symmetric_mul};

/// The posterior covariance with what ties one row's cavity to its own marginal.
///
/// A cavity without tied copies does not depend on its own site, so the diagonal of `Sigma` drops out of `U'`: it is
/// left out of the matrices instead of cancelling.
pub(in crate::inference) struct Linkage {
    /// `Sigma` with zeros on its diagonal.
    sigma: Mat,
    /// Tied copies.
    pub copies: Vec<f64>,
    /// `1 - tau v / c`.
    pub gap: Vec<f64>,
    /// Cavity variances.
    s: Vec<f64>,
    /// `alpha / c`.
    alpha_per_copy: Vec<f64>,
}

/// Derivatives in the sites: `in_tau` along `(dtau, dnu) = (1, mu)`, which leaves the means where they are, and
/// `in_nu` along `(0, 1)`.
pub(in crate::inference) struct SiteSlopes {
    pub in_tau: Vec<f64>,
    pub in_nu: Vec<f64>,
}

impl Linkage {
    pub fn new(observations: &Observations<'_>, inferred: &Inferred) -> Self {
        let posterior = &inferred.posterior;
        let n = observations.len();
        let mut sigma = posterior.covariance();
        (0..n).for_each(|i| sigma[(i, i)] = 0.0);
        let copies: Vec<f64> = (0..n).map(|i| observations.copies(i)).collect();
        let gap = (0..n).map(|i| posterior.marginals().gap(i, posterior.sites().tau[i], copies[i])).collect();
        let s = inferred.cavities.iter().map(|cavity| cavity.var).collect();
        let alpha_per_copy = posterior.alpha().iter().zip(&copies).map(|(alpha, c)| alpha / c).collect();
        Linkage { sigma, copies, gap, s, alpha_per_copy }
    }

    /// `Sigma o Sigma` with zeros on its diagonal; the lower triangle.
    pub fn squared(&self) -> Mat {
        let mut squared = self.sigma.clone();
        for j in 0..squared.cols() {
            squared.col_mut(j)[j..].iter_mut().for_each(|v| *v *= *v);
        }
        squared
    }

    /// `g_s - g_m alpha / c`: the derivative in a cavity variance with the means held.
    fn spread(&self, slopes: &CavitySlopes) -> Vec<f64> {
        (0..self.s.len()).map(|i| slopes.by_var[i] - slopes.by_mean[i] * self.alpha_per_copy[i]).collect()
    }

    /// From cavities to marginals at fixed sites.
    pub fn to_marginals(&self, slopes: CavitySlopes) -> MarginalSlopes {
        let spread = self.spread(&slopes);
        MarginalSlopes {
            by_var: spread.iter().zip(&self.gap).map(|(h, gap)| h / (gap * gap)).collect(),
            by_mean: slopes.by_mean.iter().zip(&self.gap).map(|(g, gap)| g / gap).collect(),
            likelihood: slopes.likelihood,
        }
    }

    /// Half of `U'`: the derivative in `tau`, given `Sigma o Sigma`.
    pub fn to_tau(&self, squared: &Mat, slopes: &CavitySlopes) -> Vec<f64> {
        let spread = self.spread(slopes);
        let by_var: Vec<f64> = spread.iter().zip(&self.gap).map(|(h, gap)| h / (gap * gap)).collect();
        let others = symmetric_mul(squared, &by_var);
        let own = |i: usize| (1.0 / self.copies[i] - 1.0) * self.s[i] * self.s[i] * spread[i];
        (0..spread.len()).map(|i| own(i) - others[i]).collect() // math 6.1
    }

    /// The other half: the derivative in `nu`.
    pub fn to_nu(&self, slopes: &CavitySlopes) -> Vec<f64> {
        let by_mean: Vec<f64> = slopes.by_mean.iter().zip(&self.gap).map(|(g, gap)| g / gap).collect();
        let others = symmetric_mul(&self.sigma, &by_mean);
        let own = |i: usize| (1.0 - 1.0 / self.copies[i]) * self.s[i] * slopes.by_mean[i];
        (0..others.len()).map(|i| own(i) + others[i]).collect() // math 6.1
    }

    /// What `nu` does to a cavity directly, at fixed marginals: `dm/dnu = -s/c`.
    pub fn own_nu(&self, slopes: &CavitySlopes) -> Vec<f64> {
        (0..self.s.len()).map(|i| -self.s[i] / self.copies[i] * slopes.by_mean[i]).collect()
    }

    /// `Sigma x`.
    pub fn covariance_times(&self, var: &[f64], x: &[f64]) -> Vec<f64> {
        symmetric_mul(&self.sigma, x).iter().zip(var).zip(x).map(|((others, v), x)| others + v * x).collect()
    }

    /// The derivatives in the covariance and the likelihood's parameters.
    pub fn sensitivity(self, inferred: &Inferred, slopes: MarginalSlopes) -> Sensitivity {
        Sensitivity { adjoint: self.adjoint(&inferred.posterior, &slopes), likelihood: slopes.likelihood }
    }

    /// `Mᵀ diag(by_var) M + ½ (w alphaᵀ + alpha wᵀ)`, `w = Mᵀ by_mean`, `M = (I + K T)⁻¹` (math 6.1).
    fn adjoint(self, posterior: &Posterior, slopes: &MarginalSlopes) -> Adjoint {
        let alpha = posterior.alpha();
        let w = posterior.solve_site(&slopes.by_mean);
        let mut adjoint = self.weighted_response(posterior, &slopes.by_var);
        for j in 0..alpha.len() {
            let (aj, wj) = (0.5 * alpha[j], 0.5 * w[j]);
            let column = adjoint.col_mut(j)[j..].iter_mut();
            for ((value, ai), wi) in column.zip(&alpha[j..]).zip(&w[j..]) {
                *value += wi * aj + ai * wj;
            }
        }
        Adjoint::Dense(adjoint)
    }

    /// `Mᵀ diag(weights) M` with `Mᵀ = I - T Sigma`: the lower triangle.
    fn weighted_response(self, posterior: &Posterior, weights: &[f64]) -> Mat {
        let (tau, slack) = (&posterior.sites().tau, &posterior.marginals().slack);
        let mut response = self.sigma;
        for (j, slack) in slack.iter().enumerate() {
            let column = response.col_mut(j);
            column.iter_mut().zip(tau).for_each(|(value, t)| *value *= -t);
            column[j] = *slack;
        }
        let mut weighted = response.clone();
        for (j, weight) in weights.iter().enumerate() {
            weighted.col_mut(j).iter_mut().for_each(|value| *value *= weight);
        }
        lower_of_product(&response, &weighted)
    }
}
