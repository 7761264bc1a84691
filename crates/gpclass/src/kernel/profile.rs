//! Radial profiles: a stationary kernel as a function of r² = sum_m l_m d_m (math 1).

use super::hyper::Hyper;
use gpclass_linalg::vector::{self, exp, vectorised};
use serde::{Deserialize, Serialize};

/// Partial sums in a reduction: fixed, so that the result does not depend on the machine's vector width.
const LANES: usize = 8;
/// Where a polynomial times a vanishing exponential is cut, before it becomes infinity times zero.
const FARTHEST: f64 = 1e300;

/// The shape of a stationary kernel, 1 at r = 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// exp(-r²/2).
    SquaredExponential,
    /// exp(-r).
    Matern12,
    /// (1 + sqrt(3) r) exp(-sqrt(3) r).
    Matern32,
    /// (1 + sqrt(5) r + 5/3 r²) exp(-sqrt(5) r).
    Matern52,
    /// (1 + r²/(2 alpha))^-alpha.
    RationalQuadratic { alpha: Hyper },
}

impl Profile {
    /// Short name in parameter names.
    pub fn label(&self) -> &'static str {
        match self {
            Profile::SquaredExponential => "se",
            Profile::Matern12 => "matern12",
            Profile::Matern32 => "matern32",
            Profile::Matern52 => "matern52",
            Profile::RationalQuadratic { .. } => "rq",
        }
    }

    /// Name for readers.
    pub fn title(&self) -> &'static str {
        match self {
            Profile::SquaredExponential => "SE",
            Profile::Matern12 => "Matern 1/2",
            Profile::Matern32 => "Matern 3/2",
            Profile::Matern52 => "Matern 5/2",
            Profile::RationalQuadratic { .. } => "RQ",
        }
    }

    /// r² -> scale k(r²), in place.
    pub(super) fn apply(&self, scale: f64, r2: &mut [f64]) {
        match *self {
            Profile::SquaredExponential => apply_each(r2, scale, squared_exponential),
            Profile::Matern12 => apply_each(r2, scale, matern12),
            Profile::Matern32 => apply_each(r2, scale, matern32),
            Profile::Matern52 => apply_each(r2, scale, matern52),
            Profile::RationalQuadratic { alpha } => apply_each(
                r2,
                scale,
                #[inline(always)]
                |r2| rational_quadratic(r2, alpha.value),
            ),
        }
    }

    /// sum_i weights_i k(r²_i); weights_i becomes weights_i k'(r²_i), the derivative being in r².
    pub(super) fn contract(&self, r2: &[f64], weights: &mut [f64]) -> f64 {
        match *self {
            Profile::SquaredExponential => contract_each(r2, weights, squared_exponential),
            Profile::Matern12 => contract_each(r2, weights, matern12),
            Profile::Matern32 => contract_each(r2, weights, matern32),
            Profile::Matern52 => contract_each(r2, weights, matern52),
            Profile::RationalQuadratic { alpha } => contract_each(
                r2,
                weights,
                #[inline(always)]
                |r2| rational_quadratic(r2, alpha.value),
            ),
        }
    }
}

/// sum_i weights_i dk/dlog(alpha) of the rational quadratic profile.
pub(super) fn contract_alpha(alpha: f64, r2: &[f64], weights: &[f64]) -> f64 {
    let term = |r2: f64| {
        let u = r2 / (2.0 * alpha);
        let log = u.ln_1p();
        alpha * (u / (1.0 + u) - log) * exp(-alpha * log)
    };
    r2.iter().zip(weights).map(|(&r2, w)| w * term(r2)).sum()
}

#[inline(always)]
fn apply_each(r2: &mut [f64], scale: f64, profile: impl Fn(f64) -> (f64, f64)) {
    vector::map_in_place(
        r2,
        #[inline(always)]
        |r2| scale * profile(r2).0,
    );
}

#[inline(always)]
fn contract_each(r2: &[f64], weights: &mut [f64], profile: impl Fn(f64) -> (f64, f64)) -> f64 {
    vectorised(
        #[inline(always)]
        || {
            let mut lanes = [0.0; LANES];
            for (r2, weights) in r2.chunks(LANES).zip(weights.chunks_mut(LANES)) {
                for ((&r2, w), lane) in r2.iter().zip(weights).zip(&mut lanes) {
                    let (value, slope) = profile(r2);
                    *lane += *w * value;
                    *w *= slope;
                }
            }
            lanes.iter().sum()
        },
    )
}

// Each gives the value and its derivative in r².

#[inline(always)]
fn squared_exponential(r2: f64) -> (f64, f64) {
    let value = exp(-0.5 * r2); // EMEP (10)
    (value, -0.5 * value)
}

#[inline(always)]
fn matern12(r2: f64) -> (f64, f64) {
    let r = r2.sqrt();
    let value = exp(-r);
    // The slope is infinite at 0, where it only ever multiplies a distance of 0.
    (value, if r2 > 0.0 { -0.5 * value / r } else { 0.0 })
}

#[inline(always)]
fn matern32(r2: f64) -> (f64, f64) {
    let s = (3.0 * r2.min(FARTHEST)).sqrt();
    let decay = exp(-s);
    ((1.0 + s) * decay, -1.5 * decay)
}

#[inline(always)]
fn matern52(r2: f64) -> (f64, f64) {
    let s2 = 5.0 * r2.min(FARTHEST);
    let s = s2.sqrt();
    let decay = exp(-s);
    ((1.0 + s + s2 / 3.0) * decay, -5.0 / 6.0 * (1.0 + s) * decay)
}

#[inline(always)]
fn rational_quadratic(r2: f64, alpha: f64) -> (f64, f64) {
    let u = r2 / (2.0 * alpha);
    let value = exp(-alpha * u.ln_1p());
    (value, -0.5 * value / (1.0 + u))
}
