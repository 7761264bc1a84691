//! Whether events forecast with probability p happen a share p of the time.

use super::forecasts::Row;
use super::{EvaluateError, Forecasts};
use crate::special::distributions::beta_quantile;
use crate::special::normal_quantile;
use serde::{Deserialize, Serialize};

/// How rows are put in bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binning {
    /// As nearly the same number of rows in each as equal probabilities, which stay together, allow.
    EqualCount,
    /// Intervals [0, 1/bins), ..., [1 - 1/bins, 1]; those with too few rows are joined with their neighbours.
    EqualWidth,
}

/// Interval for the true share of positives in a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Band {
    /// Wilson's score interval.
    Wilson,
    /// Quantiles of Beta(k + 1/2, n - k + 1/2), the lower end 0 at k = 0 and the upper end 1 at k = n.
    Jeffreys,
}

/// Options of a calibration curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CalibrationOptions {
    /// Bins at most. Default 10.
    pub bins: usize,
    /// Rows in a bin at least, unless there are fewer in all: with fewer, the share of positives differs from any forecast by
    /// chance alone. Default 30.
    pub least_rows: usize,
    /// Default [`Binning::EqualCount`].
    pub binning: Binning,
    /// Default [`Band::Wilson`].
    pub band: Band,
    /// Coverage of the bands. Default 0.95.
    pub level: f64,
}

impl Default for CalibrationOptions {
    fn default() -> Self {
        CalibrationOptions { bins: 10, least_rows: 30, binning: Binning::EqualCount, band: Band::Wilson, level: 0.95 }
    }
}

/// One bin of a calibration curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Rows in the bin.
    pub rows: usize,
    /// Their share of the total weight.
    pub share: f64,
    /// Mean forecast probability.
    pub forecast: f64,
    /// Share of positives.
    pub observed: f64,
    /// Lower end of the band around `observed`.
    pub low: f64,
    /// Upper end of the band around `observed`.
    pub high: f64,
}

/// Observed against forecast shares of positives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationCurve {
    /// By increasing forecast.
    pub bins: Vec<CalibrationBin>,
    /// Mean over rows of |observed - forecast| of their bin.
    pub expected_error: f64,
    /// Largest |observed - forecast|.
    pub largest_error: f64,
}

/// The calibration curve of the forecasts.
pub fn calibration_curve(
    forecasts: &Forecasts,
    options: &CalibrationOptions,
) -> Result<CalibrationCurve, EvaluateError> {
    calibration_of_rows(&forecasts.rows()?, options)
}

pub(super) fn calibration_of_rows(
    rows: &[Row],
    options: &CalibrationOptions,
) -> Result<CalibrationCurve, EvaluateError> {
    options.check()?;
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| a.prob.total_cmp(&b.prob));
    let total: f64 = sorted.iter().map(|row| row.weight).sum();
    let groups = match options.binning {
        Binning::EqualCount => {
            equal_count(&sorted, options.bins.min((sorted.len() / options.least_rows.max(1)).max(1)))
        }
        Binning::EqualWidth => equal_width(&sorted, options.bins, options.least_rows),
    };
    let bins: Vec<CalibrationBin> = groups.into_iter().map(|group| summarise(group, total, options)).collect();
    let gap = |bin: &CalibrationBin| (bin.observed - bin.forecast).abs();
    Ok(CalibrationCurve {
        expected_error: bins.iter().map(|bin| bin.share * gap(bin)).sum(),
        largest_error: bins.iter().map(gap).fold(0.0, f64::max),
        bins,
    })
}

impl CalibrationOptions {
    fn check(&self) -> Result<(), EvaluateError> {
        if self.bins == 0 {
            return Err(EvaluateError::Option { option: "bins", value: 0.0, wanted: "at least 1" });
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            let wanted = "above 0 and below 1";
            return Err(EvaluateError::Option { option: "level", value: self.level, wanted });
        }
        Ok(())
    }
}

/// Bins are closed once they have enough rows; what is left over at the end joins the last one.
fn equal_width(sorted: &[Row], bins: usize, least_rows: usize) -> Vec<&[Row]> {
    let bin = |row: &Row| ((row.prob * bins as f64) as usize).min(bins - 1);
    let (mut ends, mut start, mut end) = (Vec::new(), 0, 0);
    for chunk in sorted.chunk_by(|a, b| bin(a) == bin(b)) {
        end += chunk.len();
        if end - start >= least_rows {
            ends.push(end);
            start = end;
        }
    }
    match ends.last_mut() {
        Some(last) => *last = end,
        None => ends.push(end),
    }
    let mut start = 0;
    ends.into_iter().map(|end| &sorted[std::mem::replace(&mut start, end)..end]).collect()
}

/// Cuts at multiples of n/bins, each moved up past rows tied with the one before it.
fn equal_count(sorted: &[Row], bins: usize) -> Vec<&[Row]> {
    let rows = sorted.len();
    let mut groups = Vec::with_capacity(bins.min(rows));
    let mut start = 0;
    for bin in 1..=bins {
        let cut = (bin as u128 * rows as u128 / bins as u128) as usize;
        if cut <= start {
            continue;
        }
        let tie = sorted[cut - 1].prob;
        let end = cut + sorted[cut..].iter().take_while(|row| row.prob == tie).count();
        groups.push(&sorted[start..end]);
        start = end;
    }
    groups
}

fn summarise(group: &[Row], total: f64, options: &CalibrationOptions) -> CalibrationBin {
    let weight: f64 = group.iter().map(|row| row.weight).sum();
    let mean = |value: fn(&Row) -> f64| group.iter().map(|row| row.weight * value(row)).sum::<f64>() / weight;
    let observed = mean(Row::outcome).clamp(0.0, 1.0);
    // Kish's effective number of rows: the number itself when the weights are equal.
    let effective = weight * weight / group.iter().map(|row| row.weight * row.weight).sum::<f64>();
    let (low, high) = share_band(observed, effective, options.band, options.level);
    CalibrationBin { rows: group.len(), share: weight / total, forecast: mean(|row| row.prob), observed, low, high }
}

/// Interval of coverage `level` for a share observed as `share` among `rows` rows.
pub fn share_band(share: f64, rows: f64, band: Band, level: f64) -> (f64, f64) {
    let tail = 0.5 * (1.0 - level);
    let (low, high) = match band {
        Band::Wilson => wilson(share, rows, -normal_quantile(tail)),
        Band::Jeffreys => {
            let (a, b) = (rows * share + 0.5, rows * (1.0 - share) + 0.5);
            (beta_quantile(tail, a, b), beta_quantile(1.0 - tail, a, b))
        }
    };
    (if share <= 0.0 { 0.0 } else { low.max(0.0) }, if share >= 1.0 { 1.0 } else { high.min(1.0) })
}

/// Wilson 1927.
fn wilson(share: f64, rows: f64, z: f64) -> (f64, f64) {
    let shrink = z * z / rows;
    let centre = (share + 0.5 * shrink) / (1.0 + shrink);
    let half = z * (share * (1.0 - share) / rows + 0.25 * shrink / rows).sqrt() / (1.0 + shrink);
    (centre - half, centre + half)
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, WEIGHTS, from_bits, labels};
    use super::*;
    use crate::special::distributions::assert_close;

    fn check(curve: &CalibrationCurve, observed: &[f64], forecast: &[f64]) {
        assert_eq!(curve.bins.len(), observed.len());
        for (bin, (o, f)) in curve.bins.iter().zip(observed.iter().zip(forecast)) {
            assert!((bin.observed - o).abs() < 1e-8 && (bin.forecast - f).abs() < 1e-8, "{bin:?}");
            assert!(bin.low <= bin.observed && bin.observed <= bin.high);
        }
    }

    // sklearn.calibration.calibration_curve(y, p, n_bins=5); its bins are closed above, ours below, so the row at 0.8
    // counts one bin higher here: the golden values are counted by hand from the definition of `EqualWidth`.
    #[test]
    fn equal_width_bins() {
        let labels = labels();
        let options = CalibrationOptions {
            bins: 5,
            least_rows: 1,
            binning: Binning::EqualWidth,
            ..CalibrationOptions::default()
        };
        let curve = calibration_curve(&Forecasts::new(&PROBS, &labels), &options).unwrap();
        check(&curve, &[0.0, 0.5, 2.0 / 3.0, 1.0, 0.75], &[0.1, 0.3, 0.5, 0.7, 0.8625]);
        let expected = (2.0 * 0.1 + 2.0 * 0.2 + 3.0 * (2.0 / 3.0 - 0.5) + 0.3 + 4.0 * 0.1125) / 12.0;
        assert_close(curve.expected_error, expected, 1e-13);
        assert_close(curve.largest_error, 0.3, 1e-13);
    }

    // sklearn.calibration.calibration_curve(y, p, n_bins=4, strategy='quantile'): the first cut moves past a tie.
    #[test]
    fn equal_count_bins_keep_ties_together() {
        let labels = labels();
        let options = CalibrationOptions { bins: 4, least_rows: 1, ..CalibrationOptions::default() };
        let curve = calibration_curve(&Forecasts::new(&PROBS, &labels), &options).unwrap();
        check(&curve, &[0.25, 1.0, 0.5, 1.0], &[0.2, 0.475, 0.7125, 0.925]);
        assert_eq!(curve.bins.iter().map(|bin| bin.rows).collect::<Vec<_>>(), [4, 2, 4, 2]);
    }

    #[test]
    fn bins_have_enough_rows_or_are_one() {
        let n = 95;
        let probs: Vec<f64> = (0..n).map(|i| (i as f64 / n as f64).powi(3)).collect();
        let labels = from_bits(&(0..n).map(|i| u8::from(i % 2 == 0)).collect::<Vec<_>>());
        for binning in [Binning::EqualCount, Binning::EqualWidth] {
            let rows = |rows: usize| {
                let options = CalibrationOptions { binning, ..CalibrationOptions::default() };
                let curve = calibration_curve(&Forecasts::new(&probs[..rows], &labels[..rows]), &options).unwrap();
                curve.bins.iter().map(|bin| bin.rows).collect::<Vec<_>>()
            };
            let found = rows(n);
            assert!(found.len() > 1 && found.iter().all(|rows| *rows >= 30), "{found:?}");
            assert_eq!((found.iter().sum::<usize>(), rows(19)), (n, vec![19]));
        }
    }

    /// Nineteen rows of honest probabilities: ten bins of two would be off by about a quarter.
    #[test]
    fn few_rows_do_not_alarm() {
        let probs: Vec<f64> = (0..19).map(|i| (i as f64 + 0.5) / 19.0).collect();
        let labels = from_bits(&(0..19).map(|i| u8::from((i * 7) % 19 < i)).collect::<Vec<_>>());
        let error = |least_rows| {
            let options = CalibrationOptions { least_rows, ..CalibrationOptions::default() };
            calibration_curve(&Forecasts::new(&probs, &labels), &options).unwrap().expected_error
        };
        assert!(error(30) < 0.06 && error(1) > 0.2, "{} {}", error(30), error(1));
    }

    #[test]
    fn weights_enter_shares_and_bands() {
        let labels = labels();
        let options = CalibrationOptions { bins: 1, ..CalibrationOptions::default() };
        let weighted = calibration_curve(&Forecasts::new(&PROBS, &labels).with_weights(&WEIGHTS), &options).unwrap();
        assert_close(weighted.bins[0].observed, 10.5 / 15.25, 1e-14);
        let plain = calibration_curve(&Forecasts::new(&PROBS, &labels), &options).unwrap();
        assert!(weighted.bins[0].high - weighted.bins[0].low > plain.bins[0].high - plain.bins[0].low);
    }

    // scipy.stats.binomtest(k, n).proportion_ci(level, 'wilson'); scipy.stats.beta.ppf for Jeffreys.
    #[test]
    fn bands_match_scipy() {
        let close = |(low, high): (f64, f64), expected: (f64, f64)| {
            assert!((low - expected.0).abs() < 1e-8 && (high - expected.1).abs() < 1e-8, "{low} {high}");
        };
        close(share_band(0.75, 4.0, Band::Wilson, 0.95), (0.30064184258240184, 0.9544127391902995));
        close(share_band(0.0, 5.0, Band::Wilson, 0.95), (0.0, 0.43448246478317476));
        close(share_band(37.0 / 120.0, 120.0, Band::Wilson, 0.9), (0.24385619835333922, 0.3812626128663938));
        close(share_band(0.75, 4.0, Band::Jeffreys, 0.95), (0.28375168, 0.9715291));
        close(share_band(37.0 / 120.0, 120.0, Band::Jeffreys, 0.9), (0.24284853, 0.38057328));
        assert_eq!(share_band(1.0, 3.0, Band::Jeffreys, 0.95).1, 1.0);
    }

    #[test]
    fn bad_options_are_named() {
        let labels = labels();
        let bad = CalibrationOptions { bins: 0, ..CalibrationOptions::default() };
        assert!(calibration_curve(&Forecasts::new(&PROBS, &labels), &bad).is_err());
        let bad = CalibrationOptions { level: 1.0, ..CalibrationOptions::default() };
        assert!(calibration_curve(&Forecasts::new(&PROBS, &labels), &bad).is_err());
    }
}
