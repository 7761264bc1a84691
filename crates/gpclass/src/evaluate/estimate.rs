//! A number with its standard error.

use serde::{Deserialize, Serialize};

/// An estimate and, where one row or fold more than one makes it known, its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number itself.
    pub value: f64,
    /// Its standard deviation over repetitions; `None` where it is not known, as from a single row.
    pub standard_error: Option<f64>,
}

impl Estimate {
    /// The estimate in another unit.
    pub(super) fn scaled(self, factor: f64) -> Estimate {
        Estimate { value: factor * self.value, standard_error: self.standard_error.map(|e| factor.abs() * e) }
    }
}

/// One row's part in a weighted ratio sum(w a) / sum(w b).
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub weight: f64,
    pub top: f64,
    pub bottom: f64,
}

/// sum(w a) / sum(w b) with its delta-method standard error; None if the bottom vanishes.
///
/// For indicators this is the binomial sqrt(p (1-p) / n).
pub(super) fn ratio(parts: impl Iterator<Item = Part> + Clone) -> Option<Estimate> {
    let top: f64 = parts.clone().map(|p| p.weight * p.top).sum();
    let bottom: f64 = parts.clone().map(|p| p.weight * p.bottom).sum();
    if bottom <= 0.0 {
        return None;
    }
    let value = top / bottom;
    let square: f64 = parts.map(|p| (p.weight * (p.top - value * p.bottom)).powi(2)).sum();
    Some(Estimate { value, standard_error: Some(square.sqrt() / bottom) })
}

/// The weighted mean of (weight, value) pairs, standard error s.d./sqrt(n) with divisor n - 1; None if there are none.
pub(crate) fn mean(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Estimate> {
    let count = pairs.clone().count() as f64;
    let large_sample = ratio(pairs.map(|(weight, top)| Part { weight, top, bottom: 1.0 }))?;
    let correction = (count / (count - 1.0)).sqrt();
    let standard_error = large_sample.standard_error.filter(|_| count > 1.0).map(|e| e * correction);
    Some(Estimate { value: large_sample.value, standard_error })
}
