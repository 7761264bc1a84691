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

impl Part {
    /// w (a - value b): how far the row pulls the ratio from its value, times the bottom of the ratio.
    fn pull(self, value: f64) -> f64 {
        self.weight * (self.top - value * self.bottom)
    }
}

/// The ratio and its bottom, which is above zero.
fn quotient(parts: impl Iterator<Item = Part> + Clone) -> Option<(f64, f64)> {
    let top: f64 = parts.clone().map(|p| p.weight * p.top).sum();
    let bottom: f64 = parts.map(|p| p.weight * p.bottom).sum();
    (bottom > 0.0).then(|| (top / bottom, bottom))
}

/// sum(w a) / sum(w b) with its delta-method standard error; None if the bottom vanishes.
///
/// For indicators this is the binomial sqrt(p (1-p) / n).
pub(super) fn ratio(parts: impl Iterator<Item = Part> + Clone) -> Option<Estimate> {
    let (value, bottom) = quotient(parts.clone())?;
    let square: f64 = parts.map(|p| p.pull(value).powi(2)).sum();
    Some(Estimate { value, standard_error: Some(square.sqrt() / bottom) })
}

/// The weighted mean of (weight, value) pairs, standard error s.d./sqrt(n) with divisor n - 1; None if there are none.
pub(crate) fn mean(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Estimate> {
    let count = pairs.clone().count() as f64;
    let large_sample = ratio(pairs.map(|(weight, top)| Part { weight, top, bottom: 1.0 }))?;
    let standard_error = large_sample.standard_error.filter(|_| count > 1.0).map(|e| e * small_sample(count));
    Some(Estimate { value: large_sample.value, standard_error })
}

/// What makes divisor n of a spread divisor n - 1.
fn small_sample(count: f64) -> f64 {
    (count / (count - 1.0)).sqrt()
}

/// A number that rows make together, and the influence of each of them: how much it adds to the number, to first order.
/// The squares of the influences sum to the squared standard error. Those of several numbers add up, which is how a
/// mean over classes knows that its parts come from the same rows.
#[derive(Clone, Debug)]
pub(super) struct Statistic {
    pub value: f64,
    /// One per row; None where the spread is not known.
    pub influence: Option<Vec<f64>>,
}

impl Statistic {
    /// [`ratio`] with its influences.
    pub fn ratio(parts: impl Iterator<Item = Part> + Clone) -> Option<Self> {
        let (value, bottom) = quotient(parts.clone())?;
        Some(Statistic { value, influence: Some(parts.map(|p| p.pull(value) / bottom).collect()) })
    }

    /// The influences of (weight, value) pairs on their weighted [`mean`]; None unless there are several.
    pub fn influence_on_mean(pairs: impl ExactSizeIterator<Item = (f64, f64)> + Clone) -> Option<Vec<f64>> {
        let correction = small_sample(pairs.len() as f64);
        let several = pairs.len() > 1;
        let of_mean = Statistic::ratio(pairs.map(|(weight, top)| Part { weight, top, bottom: 1.0 }))?;
        of_mean.influence.filter(|_| several).map(|rows| rows.into_iter().map(|u| correction * u).collect())
    }

    /// The number with its standard error.
    pub fn estimate(&self) -> Estimate {
        let norm = |rows: &Vec<f64>| rows.iter().map(|u| u * u).sum::<f64>().sqrt();
        Estimate { value: self.value, standard_error: self.influence.as_ref().map(norm) }
    }

    /// The mean of numbers that the same rows make, where one that is undefined counts as zero; None if all are.
    pub fn mean(statistics: &[Option<&Statistic>]) -> Option<Estimate> {
        let defined: Vec<&Statistic> = statistics.iter().flatten().copied().collect();
        let rows = defined.first()?.influence.as_ref().map_or(0, Vec::len);
        let share = (statistics.len() as f64).recip();
        let value = share * defined.iter().map(|statistic| statistic.value).sum::<f64>();
        let influences: Option<Vec<&Vec<f64>>> = defined.iter().map(|statistic| statistic.influence.as_ref()).collect();
        let together = |of_each: Vec<&Vec<f64>>| {
            (0..rows).map(|row| share * of_each.iter().map(|influence| influence[row]).sum::<f64>()).collect()
        };
        Some(Statistic { value, influence: influences.map(together) }.estimate())
    }
}
