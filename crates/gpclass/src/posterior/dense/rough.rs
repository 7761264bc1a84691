//! Prior and sites factorised in single precision: for the early sweeps of a search, which later ones correct.

use super::CavityTrend;
use crate::posterior::Marginals;
use crate::prior::Dense;
use gpclass_linalg::{SingleInverse, squared_norm};

/// Fewer rows than this are factorised quickly enough as it is.
const ROWS: usize = 300;
/// The trace of `S K S`, which bounds what single precision loses of `B = I + S K S`.
const LARGEST_TRACE: f64 = 2e4;
/// Below this value of `tau_i Sigma_ii` single precision leaves too little of the quick formula for the variance.
const WEAK: f64 = 1e-3;
/// Up to one row in this many may be weak before single precision is no longer the quicker one.
const WEAK_SHARE: usize = 20;

/// `B = I + S K S` with positive site precisions `S²`, in single precision.
#[derive(Clone, Debug)]
pub(crate) struct RoughFactor {
    root: Vec<f64>,
    inverse: SingleInverse,
}

impl RoughFactor {
    /// `None` where single precision would not do, or would not pay.
    pub(in crate::posterior) fn new(prior: &Dense, tau: &[f64]) -> Option<(Self, Marginals)> {
        let (k, n) = (prior.k(), tau.len());
        let trace: f64 = tau.iter().enumerate().map(|(i, t)| t * k[(i, i)]).sum();
        if n < ROWS || tau.iter().any(|t| *t <= 0.0) || trace.is_nan() || trace > LARGEST_TRACE {
            return None;
        }
        let root: Vec<f64> = tau.iter().map(|t| t.sqrt()).collect();
        let column = |j: usize, out: &mut [f32]| {
            for ((out, k), r) in out.iter_mut().zip(&k.col(j)[j..]).zip(&root[j..]) {
                *out = (k * (r * root[j])) as f32;
            }
            out[0] += 1.0;
        };
        let inverse = SingleInverse::new(n, column).ok()?;
        let rough = RoughFactor { root, inverse };
        let mut slack = rough.inverse.diagonal();
        let mut var: Vec<f64> = (0..n).map(|i| (1.0 - slack[i]) / tau[i]).collect();
        let weak: Vec<usize> = (0..n).filter(|&i| 1.0 - slack[i] < WEAK).collect();
        if weak.len() * WEAK_SHARE > n {
            return None;
        }
        for i in weak {
            let scaled: Vec<f64> = k.col(i).iter().zip(&rough.root).map(|(k, r)| k * r).collect();
            var[i] = k[(i, i)] - squared_norm(&rough.inverse.half_solve(&scaled));
            slack[i] = 1.0 - tau[i] * var[i];
        }
        let proper = (0..n).all(|i| var[i] > 0.0 && slack[i] > 0.0);
        proper.then_some((rough, Marginals { var, slack }))
    }

    /// How the cavity variances follow the precisions.
    pub(crate) fn trend(&self, marginals: &Marginals) -> Option<CavityTrend> {
        let tau = self.root.iter().map(|root| root * root).collect();
        Some(CavityTrend::new(&self.inverse, tau, marginals))
    }

    /// `(I + T K)⁻¹ x = S B⁻¹ S⁻¹ x`.
    pub(crate) fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = x.iter().zip(&self.root).map(|(x, r)| x / r).collect();
        self.inverse.solve(&scaled).iter().zip(&self.root).map(|(x, r)| x * r).collect()
    }
}
