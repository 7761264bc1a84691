//! The Gaussian around which slices are cut and from which annealing starts.
//!
//! With the prior itself and many informative rows every move is a tiny one. A Gaussian that resembles the posterior, the
//! prior times one site per latent value, allows large moves; what it gets wrong goes into the likelihood, so that any sites give
//! the right answer (R. Nishihara, I. Murray and R. P. Adams, Parallel MCMC with generalized elliptical slice sampling,
//! JMLR 15, 2014).

use super::Terms;
use crate::posterior::Sites;
use gpclass_linalg::{
    Mat, Op, cholesky_in_place, lower_solve, lower_transpose_mul, lower_transpose_solve, multiply, self_product,
    solve_lower_in_place, solve_lower_transpose_in_place, vector,
};
use std::borrow::Cow;

/// `f = centre + map z` with `z` standard normal, and the likelihood relative to it.
pub(super) struct Reference<'a> {
    /// `G` of the prior, `f = G u`.
    prior: &'a Mat,
    pub terms: &'a Terms<'a>,
    /// Latent values x rank.
    pub map: Cow<'a, Mat>,
    /// `ln` of the integral of prior times sites.
    pub log_mass: f64,
    guide: Option<Guide>,
}

struct Guide {
    sites: Sites,
    centre: Vec<f64>,
    /// `u = mean + L⁻ᵀ z`, where `f = G u` and `L Lᵀ = I + Gᵀ T G`, T the precisions of the sites.
    mean: Vec<f64>,
    factor: Mat,
}

impl<'a> Reference<'a> {
    /// The prior times the sites of a guide; the prior itself where there are none or they are of no use.
    pub fn new(prior: &'a Mat, terms: &'a Terms<'a>, guide: Option<&Sites>) -> Reference<'a> {
        guide.and_then(|sites| Reference::guided(prior, terms, sites)).unwrap_or_else(|| Reference::prior(prior, terms))
    }

    /// The prior `f = G u`, `u` standard normal, itself.
    pub fn prior(prior: &'a Mat, terms: &'a Terms<'a>) -> Reference<'a> {
        Reference { prior, terms, map: Cow::Borrowed(prior), log_mass: 0.0, guide: None }
    }

    fn guided(prior: &'a Mat, terms: &'a Terms<'a>, sites: &Sites) -> Option<Reference<'a>> {
        // A negative precision would widen the prior, which nothing here needs.
        let sites = Sites { tau: sites.tau.iter().map(|t| t.max(0.0)).collect(), nu: sites.nu.clone() };
        let factor = precision_factor(prior, &sites)?;
        let mut mean = prior.transpose_mul_vec(&sites.nu);
        lower_solve(&factor, &mut mean);
        lower_transpose_solve(&factor, &mut mean);
        let centre = prior.mul_vec(&mean);
        let log_mass = 0.5 * vector::dot(&sites.nu, &centre) - factor.diag().iter().map(|l| l.ln()).sum::<f64>();
        let mut map = prior.transposed();
        solve_lower_in_place(&factor, &mut map);
        let guide = Some(Guide { sites, centre, mean, factor });
        Some(Reference { prior, terms, map: Cow::Owned(map.transposed()), log_mass, guide })
    }

    pub fn rank(&self) -> usize {
        self.map.cols()
    }

    /// Likelihood over sites, as a logarithm, at `centre + deviation`.
    pub fn log_ratio(&self, deviation: &[f64]) -> f64 {
        match &self.guide {
            None => self.terms.total(deviation),
            Some(guide) => guide.log_ratio(self.terms, deviation),
        }
    }

    /// The same if it exceeds `bound`.
    pub fn log_ratio_above(&self, deviation: &[f64], bound: f64) -> Option<f64> {
        match &self.guide {
            None => self.terms.total_above(deviation, bound),
            Some(guide) => Some(guide.log_ratio(self.terms, deviation)).filter(|&ratio| ratio > bound),
        }
    }

    /// `u` with `f = G u` for each column of `z`.
    pub fn whitened(&self, mut z: Mat) -> Mat {
        if let Some(guide) = &self.guide {
            solve_lower_transpose_in_place(&guide.factor, &mut z);
            (0..z.cols()).for_each(|j| vector::add_scaled(z.col_mut(j), 1.0, &guide.mean));
        }
        z
    }

    /// `f = G u` for each column of `u`.
    pub fn latents(&self, whitened: &Mat) -> Mat {
        multiply(self.prior, Op::Plain, whitened, Op::Plain)
    }

    /// The `z` of `u`.
    pub fn standard(&self, mut u: Vec<f64>) -> Vec<f64> {
        let Some(guide) = &self.guide else { return u };
        vector::add_scaled(&mut u, -1.0, &guide.mean);
        lower_transpose_mul(&guide.factor, &u)
    }

    /// `map z`.
    pub fn deviations(&self, z: &Mat) -> Mat {
        multiply(&self.map, Op::Plain, z, Op::Plain)
    }
}

impl Guide {
    fn log_ratio(&self, terms: &Terms, deviation: &[f64]) -> f64 {
        let latent: Vec<f64> = self.centre.iter().zip(deviation).map(|(c, d)| c + d).collect();
        let width = terms.width;
        let sites = self.sites.tau.chunks_exact(width).zip(self.sites.nu.chunks_exact(width));
        let mut sum = 0.0;
        for (i, (f, (tau, nu))) in latent.chunks_exact(width).zip(sites).enumerate() {
            let site = |c: usize| f[c] * (0.5 * tau[c] * f[c] - nu[c]);
            sum += (terms.log_p)(i, f) + (0..width).map(site).sum::<f64>();
        }
        sum
    }
}

/// The Cholesky factor of `I + Gᵀ T G`.
fn precision_factor(g: &Mat, sites: &Sites) -> Option<Mat> {
    if sites.tau.len() != g.rows() || sites.nu.len() != g.rows() || !sites.is_finite() {
        return None;
    }
    let scaled = Mat::from_fn(g.rows(), g.cols(), |i, j| sites.tau[i].sqrt() * g[(i, j)]);
    let mut precision = self_product(&scaled, Op::Transpose);
    (0..g.cols()).for_each(|j| precision[(j, j)] += 1.0);
    cholesky_in_place(&mut precision).ok().map(|()| precision)
}
