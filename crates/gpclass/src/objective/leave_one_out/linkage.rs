//! How cavities hang on sites and on the covariance: the map `U'` of math 6.1.

use super::MarginalSlopes;
use super::cavity_slopes::CavitySlopes;
use crate::model::FittedModel;
use gpclass_linalg::{Mat, lower_of_product, symmetric_mul};

/// The posterior covariance with what ties one row's cavity to its own marginal.
///
/// A cavity without tied copies does not depend on its own site, so the diagonal of `Sigma` drops out of `U'`: it is
/// left out of the matrices instead of cancelling.
pub(super) struct Linkage {
    /// `Sigma` with zeros on its diagonal.
    sigma: Mat,
    /// Tied copies.
    pub copies: Vec<f64>,
    /// `1 - tau v / c`.
    pub gap: Vec<f64>,
    /// Cavity variances.
    s: Vec<f64>,
    /// `alpha / c`.
    lean: Vec<f64>,
}

/// Derivatives in the sites: `in_tau` along `(dtau, dnu) = (1, mu)`, which leaves the means where they are, and
/// `in_nu` along `(0, 1)`.
pub(super) struct SiteSlopes {
    pub in_tau: Vec<f64>,
    pub in_nu: Vec<f64>,
}

impl Linkage {
    pub fn new(fit: &FittedModel) -> Self {
        let posterior = &fit.inferred().posterior;
        let observations = fit.observations();
        let n = observations.len();
        let mut sigma = posterior.covariance(fit.prior());
        (0..n).for_each(|i| sigma[(i, i)] = 0.0);
        let copies: Vec<f64> = (0..n).map(|i| observations.copies(i)).collect();
        let gap = (0..n).map(|i| posterior.marginals().gap(i, posterior.sites().tau[i], copies[i])).collect();
        let s = fit.inferred().cavities.iter().map(|cavity| cavity.var).collect();
        let lean = posterior.alpha().iter().zip(&copies).map(|(alpha, c)| alpha / c).collect();
        Linkage { sigma, copies, gap, s, lean }
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
        (0..self.s.len()).map(|i| slopes.by_var[i] - slopes.by_mean[i] * self.lean[i]).collect()
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

    /// `Mᵀ diag(weights) M` with `Mᵀ = I - T Sigma`: the lower triangle.
    pub fn weighted_response(self, fit: &FittedModel, weights: &[f64]) -> Mat {
        let posterior = &fit.inferred().posterior;
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
