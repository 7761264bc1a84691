//! Radial profiles: a stationary kernel as a function of r² = sum_m l_m d_m (math 1).

use super::KernelFamily;
use super::hyper::Hyper;
use gpclass_linalg::vector::{exp, ln_1p, sum, vectorised};
use serde::{Deserialize, Serialize};

/// Entries whose terms are computed before they are summed.
const STRETCH: usize = 256;
/// Where a polynomial times a vanishing exponential is cut, before it becomes infinity times zero.
const FARTHEST: f64 = 1e200;
/// Where the argument of the rational quadratic's logarithm is cut, before it becomes infinite.
const LARGEST: f64 = 1e300;

/// The shape of a stationary kernel, 1 at r = 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// exp(-r²/2).
    #[serde(rename = "se", alias = "squared_exponential")]
    SquaredExponential,
    /// exp(-r).
    Matern12,
    /// (1 + sqrt(3) r) exp(-sqrt(3) r).
    Matern32,
    /// (1 + sqrt(5) r + 5/3 r²) exp(-sqrt(5) r).
    Matern52,
    /// (1 + r²/(2 alpha))^-alpha.
    #[serde(rename = "rq", alias = "rational_quadratic")]
    RationalQuadratic {
        /// Positive: large is close to the squared exponential, small mixes many lengthscales.
        alpha: Hyper,
    },
}

impl Profile {
    /// The family of the kernel that this is the profile of.
    pub fn family(&self) -> KernelFamily {
        match self {
            Profile::SquaredExponential => KernelFamily::SquaredExponential,
            Profile::Matern12 => KernelFamily::Matern12,
            Profile::Matern32 => KernelFamily::Matern32,
            Profile::Matern52 => KernelFamily::Matern52,
            Profile::RationalQuadratic { .. } => KernelFamily::RationalQuadratic,
        }
    }

    /// Short name in parameter names.
    pub fn label(&self) -> &'static str {
        self.family().name()
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
                move |r2| rational_quadratic(r2, alpha.value),
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
                move |r2| rational_quadratic(r2, alpha.value),
            ),
        }
    }
}

/// sum_i weights_i dk/dlog(alpha) of the rational quadratic profile.
pub(super) fn contract_alpha(alpha: f64, r2: &[f64], weights: &[f64]) -> f64 {
    contract_each(
        r2,
        &mut weights.to_vec(),
        #[inline(always)]
        move |r2| (rational_quadratic_in_log_alpha(r2, alpha), 0.0),
    )
}

// The closures below own what they use: behind a reference it would have to be read again after every store, and the
// loops would not vectorise.

#[inline(always)]
fn apply_each(r2: &mut [f64], scale: f64, profile: impl Fn(f64) -> (f64, f64)) {
    vectorised(
        #[inline(always)]
        move || {
            for r2 in r2.iter_mut() {
                *r2 = scale * profile(*r2).0;
            }
        },
    );
}

#[inline(always)]
fn contract_each(r2: &[f64], weights: &mut [f64], profile: impl Fn(f64) -> (f64, f64)) -> f64 {
    vectorised(
        #[inline(always)]
        move || {
            let mut total = 0.0;
            let mut terms = [0.0; STRETCH];
            for (r2, weights) in r2.chunks(STRETCH).zip(weights.chunks_mut(STRETCH)) {
                // One flat loop without a sum in it, which the compiler vectorises as it stands.
                for ((&r2, w), term) in r2.iter().zip(weights).zip(&mut terms) {
                    let (value, slope) = profile(r2);
                    *term = *w * value;
                    *w *= slope;
                }
                total += sum(&terms[..r2.len()]);
            }
            total
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
    let u = (r2.min(FARTHEST) / (2.0 * alpha)).min(LARGEST);
    let value = exp(-alpha * ln_1p(u));
    (value, -0.5 * value / (1.0 + u))
}

/// dk/dlog(alpha), a value only.
#[inline(always)]
fn rational_quadratic_in_log_alpha(r2: f64, alpha: f64) -> f64 {
    let u = (r2.min(FARTHEST) / (2.0 * alpha)).min(LARGEST);
    let log = ln_1p(u);
    alpha * (u / (1.0 + u) - log) * exp(-alpha * log)
}
