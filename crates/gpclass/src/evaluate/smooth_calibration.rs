//! A calibration curve without bins: outcomes as a smooth function of the forecast, with a band.

use super::forecasts::Row;
use super::logistic::{LogisticFit, regress, sigmoid};
use super::recalibration::log_odds;
use super::{EvaluateError, Forecasts};
use crate::special::normal_quantile;
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};

/// Rows of the rarer outcome from which the curve may bend, and from which it may bend more often.
const BENT: usize = 10;
const WINDING: usize = 100;
/// Shares of the rows below each knot (Harrell 2015, table 2.3).
const FEW_KNOTS: &[f64] = &[0.1, 0.5, 0.9];
const MORE_KNOTS: &[f64] = &[0.05, 0.275, 0.5, 0.725, 0.95];
/// Knots nearer than this share of their range say nothing of their own.
const APART: f64 = 1e-3;

/// A place on the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmoothPoint {
    /// Probability that was forecast.
    pub forecast: f64,
    /// Share of rows with such a forecast that came true.
    pub observed: f64,
    /// Lower end of the band around `observed`.
    pub low: f64,
    /// Upper end of the band around `observed`.
    pub high: f64,
}

/// Outcomes as a logistic regression on a restricted cubic spline of the forecast's log-odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmoothCalibration {
    /// Evenly from the least forecast to the largest.
    pub points: Vec<SmoothPoint>,
    /// Mean over rows of |curve - forecast|: the integrated calibration index (Austin & Steyerberg 2019).
    pub mean_error: f64,
    /// Largest |curve - forecast| of a row.
    pub largest_error: f64,
}

/// The smooth calibration curve at `points` forecasts (at least 2), with a band of that coverage at each. Its spline has no
/// knots below ten rows of the rarer outcome, which makes it a logistic line, three below a hundred, else five, at quantiles of
/// the forecasts whatever the weights. None where the outcomes are separated or of one kind only.
pub fn smooth_calibration(
    forecasts: &Forecasts,
    points: usize,
    level: f64,
) -> Result<Option<SmoothCalibration>, EvaluateError> {
    if points < 2 {
        return Err(EvaluateError::Option { option: "points", value: points as f64, wanted: "at least 2" });
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(EvaluateError::Option { option: "level", value: level, wanted: "above 0 and below 1" });
    }
    let rows = forecasts.rows()?;
    let z = -normal_quantile(0.5 * (1.0 - level));
    Ok(Curve::fit(&rows).map(|curve| curve.drawn(&rows, points, z)))
}

struct Curve {
    spline: Spline,
    fit: LogisticFit,
}

impl Curve {
    /// With as many knots as there is a maximum for.
    fn fit(rows: &[Row]) -> Option<Self> {
        let positives = rows.iter().filter(|row| row.positive).count();
        let shares = match positives.min(rows.len() - positives) {
            ..BENT => &[],
            BENT..WINDING => FEW_KNOTS,
            WINDING.. => MORE_KNOTS,
        };
        let bent = Spline::new(rows, shares).and_then(|spline| Curve::of(spline, rows));
        bent.or_else(|| Curve::of(Spline { knots: Vec::new() }, rows))
    }

    fn of(spline: Spline, rows: &[Row]) -> Option<Self> {
        let basis: Vec<Vec<f64>> = rows.iter().map(|row| spline.at(log_odds(row))).collect();
        let design = Mat::from_fn(rows.len(), spline.columns(), |i, j| basis[i][j]);
        let fit = regress(rows, &design, &vec![0.0; rows.len()])?;
        Some(Curve { spline, fit })
    }

    fn at(&self, row: &Row, z: f64) -> SmoothPoint {
        let (eta, error) = self.fit.log_odds(&self.spline.at(log_odds(row)));
        let (low, high) = (sigmoid(eta - z * error), sigmoid(eta + z * error));
        SmoothPoint { forecast: row.prob, observed: sigmoid(eta), low, high }
    }

    fn drawn(&self, rows: &[Row], points: usize, z: f64) -> SmoothCalibration {
        let least = rows.iter().map(|row| row.prob).fold(f64::INFINITY, f64::min);
        let most = rows.iter().map(|row| row.prob).fold(f64::NEG_INFINITY, f64::max);
        let place = |k: usize| Row { prob: least + (most - least) * k as f64 / (points - 1) as f64, ..rows[0] };
        let gap = |row: &Row| (self.at(row, z).observed - row.prob).abs();
        let total: f64 = rows.iter().map(|row| row.weight).sum();
        SmoothCalibration {
            points: (0..points).map(|k| self.at(&place(k), z)).collect(),
            mean_error: rows.iter().map(|row| row.weight * gap(row)).sum::<f64>() / total,
            largest_error: rows.iter().map(gap).fold(0.0, f64::max),
        }
    }
}

/// Cubic between its knots and straight outside them; a straight line without knots.
struct Spline {
    knots: Vec<f64>,
}

impl Spline {
    /// None where the knots fall together.
    fn new(rows: &[Row], shares: &[f64]) -> Option<Self> {
        let mut values: Vec<f64> = rows.iter().map(log_odds).collect();
        values.sort_by(f64::total_cmp);
        let knots: Vec<f64> = shares.iter().map(|share| quantile(&values, *share)).collect();
        let range = knots.last().zip(knots.first()).map_or(0.0, |(last, first)| last - first);
        let apart = knots.windows(2).all(|pair| pair[1] - pair[0] > APART * range);
        apart.then_some(Spline { knots })
    }

    fn columns(&self) -> usize {
        if self.knots.is_empty() { 2 } else { self.knots.len() }
    }

    /// 1, x and a column for every knot but the last two (Harrell 2015, 2.25).
    fn at(&self, x: f64) -> Vec<f64> {
        let mut basis = vec![1.0, x];
        let [inner @ .., before, last] = self.knots.as_slice() else { return basis };
        let cubed = |knot: f64| (x - knot).max(0.0).powi(3);
        let scale = (last - self.knots[0]).powi(2).recip();
        let column = |knot: &f64| {
            let ends = cubed(*before) * (last - knot) - cubed(*last) * (before - knot);
            scale * (cubed(*knot) - ends / (last - before))
        };
        basis.extend(inner.iter().map(column));
        basis
    }
}

/// Between the sorted values, in proportion.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = sorted[place.floor() as usize];
    below + place.fract() * (sorted[place.ceil() as usize] - below)
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, from_bits, labels};
    use super::super::recalibration::tests::overconfident;
    use super::*;
    use crate::special::distributions::assert_close;

    // statsmodels 0.15: GLM(y, basis, Binomial) on Harrell's basis in numpy, knots numpy.quantile(logit p, [.1, .5, .9]);
    // ends of the band 1/(1 + exp(-(eta -+ 1.959963984540054 se))), se from cov_params().
    #[test]
    fn matches_statsmodels_on_harrells_basis() {
        let (probability, labels) = overconfident();
        let curve = Curve::fit(&Forecasts::new(&probability, &labels).rows().unwrap()).unwrap();
        for (forecast, observed, low, high) in [
            (0.1, 0.13681516727581963, 0.04834194961075666, 0.33090607560034946),
            (0.3, 0.3464749230338571, 0.24199267686318424, 0.46820412873458206),
            (0.5, 0.5030845249093996, 0.37402005626508666, 0.6317392357927208),
            (0.9, 0.7553373601365898, 0.5597643389107998, 0.8822968420190777),
        ] {
            let row = Row { prob: forecast, positive: true, log_prob_label: None, weight: 1.0 };
            let point = curve.at(&row, 1.959963984540054);
            assert_close(point.observed, observed, 1e-8);
            assert_close(point.low, low, 1e-8);
            assert_close(point.high, high, 1e-8);
        }
        let drawn = smooth_calibration(&Forecasts::new(&probability, &labels), 21, 0.95).unwrap().unwrap();
        assert_close(drawn.mean_error, 0.06037380686302728, 1e-8);
        assert_close(drawn.largest_error, 0.14552597543044188, 1e-8);
        assert_eq!(drawn.points.len(), 21);
        assert!(drawn.points.windows(2).all(|pair| pair[0].forecast < pair[1].forecast));
    }

    #[test]
    fn few_rows_give_a_line_and_separated_ones_nothing() {
        let few = labels();
        let curve = Curve::fit(&Forecasts::new(&PROBS, &few).rows().unwrap()).unwrap();
        assert!(curve.spline.knots.is_empty());
        let apart = from_bits(&[0, 0, 1, 1]);
        let found = smooth_calibration(&Forecasts::new(&[0.1, 0.2, 0.8, 0.9], &apart), 5, 0.9).unwrap();
        assert_eq!(found, None);
        assert!(smooth_calibration(&Forecasts::new(&PROBS, &few), 1, 0.9).is_err());
        assert!(smooth_calibration(&Forecasts::new(&PROBS, &few), 9, 1.0).is_err());
    }

    /// Most forecasts equal: knots fall together, and the curve is a line.
    #[test]
    fn tied_forecasts_do_not_break_the_spline() {
        let probability: Vec<f64> = (0..60).map(|i| if i < 50 { 0.2 } else { 0.6 }).collect();
        let labels = from_bits(&(0..60).map(|i| u8::from(i % 4 == 0)).collect::<Vec<_>>());
        let drawn = smooth_calibration(&Forecasts::new(&probability, &labels), 3, 0.95).unwrap().unwrap();
        assert!((drawn.points[0].observed - 13.0 / 50.0).abs() < 1e-6, "{drawn:?}");
    }
}
