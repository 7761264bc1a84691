//! By which logistic line forecasts would have to be corrected: calibration intercept and slope.

use super::forecasts::Row;
use super::logistic::regress;
use super::{ClassForecasts, Estimate, EvaluateError, Forecasts};
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};

/// Log-odds of forecasts no surer than that can be known: 1 - p is not, below the spacing of probabilities at 1.
const FLOOR: f64 = f64::EPSILON;
/// Newton steps at most for the common slope.
const STEPS: usize = 100;
/// Change of the common slope at which it is found.
const TOLERANCE: f64 = 1e-12;
/// A slope beyond this, or one less certain than this, is no estimate: the classes are separated.
const UNBOUNDED: f64 = 1e3;

/// Cox's recalibration of forecasts, each number by maximum likelihood with its standard error from the information; None
/// where it has no finite maximum, as for outcomes that the forecasts separate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recalibration {
    /// a of logit P(y = 1) = a + logit p: zero is right on average, above zero means forecasts that are too low.
    pub intercept: Option<Estimate>,
    /// b of logit P(y = 1) = a' + b logit p: one is right, below one means forecasts that are too extreme.
    pub slope: Option<Estimate>,
}

/// Calibration intercept and slope of the forecasts of a class.
pub fn recalibrate(forecasts: &Forecasts) -> Result<Recalibration, EvaluateError> {
    Ok(recalibrate_rows(&forecasts.rows()?))
}

pub(super) fn recalibrate_rows(rows: &[Row]) -> Recalibration {
    let log_odds: Vec<f64> = rows.iter().map(log_odds).collect();
    let ones = Mat::from_fn(rows.len(), 1, |_, _| 1.0);
    let line = Mat::from_fn(rows.len(), 2, |i, j| if j == 0 { 1.0 } else { log_odds[i] });
    let coefficient = |design: &Mat, offset: &[f64]| {
        let fit = regress(rows, design, offset)?;
        let last = design.cols() - 1;
        Some(Estimate { value: fit.coefficients[last], standard_error: Some(fit.covariance[(last, last)].sqrt()) })
    };
    Recalibration { intercept: coefficient(&ones, &log_odds), slope: coefficient(&line, &vec![0.0; rows.len()]) }
}

/// The log-odds of a forecast.
pub(super) fn log_odds(row: &Row) -> f64 {
    let p = row.prob.clamp(FLOOR, 1.0 - FLOOR);
    p.ln() - (-p).ln_1p()
}

/// Of any number of classes together, the power b for which p_c^b, made to sum to one, are the likeliest probabilities:
/// one is right, below one means forecasts that are too extreme. None where there is no finite maximum.
pub fn common_slope(forecasts: &ClassForecasts) -> Result<Option<Estimate>, EvaluateError> {
    let rows = forecasts.log_rows(FLOOR)?;
    let mut slope = 1.0;
    for _ in 0..STEPS {
        let (gradient, information) = common_derivatives(&rows, slope);
        let step = gradient / information;
        if !step.is_finite() || slope > UNBOUNDED {
            return Ok(None);
        }
        // A step beyond half or twice the slope is shortened: the information is small where probabilities saturate.
        let next = (slope + step).clamp(0.5 * slope, 2.0 * slope);
        if (next - slope).abs() < TOLERANCE * slope {
            let found = Estimate { value: next, standard_error: Some(information.sqrt().recip()) };
            return Ok(Some(found).filter(|_| information > UNBOUNDED.powi(-2)));
        }
        slope = next;
    }
    Ok(None)
}

/// Of sum w [b log p_y - log sum_c p_c^b] the slope in b, and minus the curvature.
fn common_derivatives(rows: &[LogRow], slope: f64) -> (f64, f64) {
    rows.iter().fold((0.0, 0.0), |(gradient, information), row| {
        let top = row.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = row.logs.iter().map(|log| (slope * (log - top)).exp()).collect();
        let total: f64 = powers.iter().sum();
        let mean = row.logs.iter().zip(&powers).map(|(log, power)| log * power).sum::<f64>() / total;
        let variance =
            row.logs.iter().zip(&powers).map(|(log, power)| power * (log - mean).powi(2)).sum::<f64>() / total;
        (gradient + row.weight * (row.own - mean), information + row.weight * variance)
    })
}

/// The log-probabilities of a row, and that of its label.
#[derive(Clone, Debug)]
pub(super) struct LogRow {
    pub logs: Vec<f64>,
    pub own: f64,
    pub weight: f64,
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::forecasts::tests::from_bits;
    use super::*;
    use crate::data::Class;
    use crate::model::Probabilities;
    use crate::special::distributions::assert_close;

    /// 120 forecasts that are too extreme, with outcomes, by the fractional parts of multiples of irrational numbers.
    pub fn overconfident() -> (Vec<f64>, Vec<Class>) {
        let part = |i: usize, x: f64| ((i + 1) as f64 * x).fract();
        let probability: Vec<f64> =
            (0..120).map(|i| ((0.02 + 0.96 * part(i, 0.6180339887498949)) * 1e6).round() / 1e6).collect();
        let bit = |i: usize| u8::from(part(i, 0.7548776662466927) < 0.15 + 0.65 * probability[i]);
        let labels = from_bits(&(0..120).map(bit).collect::<Vec<_>>());
        (probability, labels)
    }

    fn check(found: Option<Estimate>, value: f64, standard_error: f64) {
        let found = found.unwrap();
        assert_close(found.value, value, 1e-9);
        // statsmodels takes the information one step before the maximum.
        assert_close(found.standard_error.unwrap(), standard_error, 1e-8);
    }

    // statsmodels 0.15: GLM(y, 1, Binomial, offset=logit p) and GLM(y, [1, logit p], Binomial), freq_weights=w.
    #[test]
    fn matches_statsmodels() {
        let (probability, labels) = overconfident();
        let forecasts = Forecasts::new(&probability, &labels);
        let plain = recalibrate(&forecasts).unwrap();
        check(plain.intercept, -0.14055874147462946, 0.21919738644834263);
        check(plain.slope, 0.6589441087489766, 0.15598852207787348);
        let weights: Vec<f64> = (0..120).map(|i| 1.0 + 0.5 * (i % 3) as f64).collect();
        let weighted = recalibrate(&forecasts.with_weights(&weights)).unwrap();
        check(weighted.intercept, -0.13095492534204378, 0.17866789231466157);
        check(weighted.slope, 0.6138185157443348, 0.12419401437728356);
    }

    #[test]
    fn separated_and_single_outcomes_have_no_finite_answer() {
        let labels = from_bits(&[0, 0, 0, 1, 1, 1]);
        let found = recalibrate(&Forecasts::new(&[0.1, 0.2, 0.3, 0.6, 0.7, 0.9], &labels)).unwrap();
        assert!(found.intercept.is_some() && found.slope.is_none(), "{found:?}");
        let found = recalibrate(&Forecasts::new(&[0.1, 0.5, 1.0], &from_bits(&[1, 1, 1]))).unwrap();
        assert_eq!(found, Recalibration { intercept: None, slope: None });
        let found = recalibrate(&Forecasts::new(&[0.4, 0.4, 0.4], &from_bits(&[1, 0, 1]))).unwrap();
        assert!(found.intercept.is_some() && found.slope.is_none(), "a slope in a constant: {found:?}");
    }

    // mpmath, 30 digits: the root of the derivative of sum [b log p_y - log sum_c p_c^b], and the curvature there.
    #[test]
    fn the_common_slope_is_the_likeliest_power() {
        let each =
            [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3], [0.5, 0.25, 0.25], [0.1, 0.8, 0.1]];
        let labels = [0, 1, 2, 2, 1, 1].map(Class::from);
        let probability = Probabilities::new(Mat::from_fn(6, 3, |row, class| each[row][class]));
        let found = common_slope(&ClassForecasts::new(&probability, &labels)).unwrap();
        check(found, 1.6554983362856107, 0.9301695190837433);
        let sure = Probabilities::new(Mat::from_fn(3, 3, |row, class| if row == class { 0.8 } else { 0.1 }));
        let right = [0, 1, 2].map(Class::from);
        assert_eq!(common_slope(&ClassForecasts::new(&sure, &right)).unwrap(), None, "separated");
    }

    /// Of two classes without an intercept it is the slope of the logistic line through the origin.
    #[test]
    fn the_common_slope_of_two_classes_solves_the_score_equation() {
        let (probability, labels) = overconfident();
        let both =
            Probabilities::new(Mat::from_fn(120, 2, |i, c| if c == 1 { probability[i] } else { 1.0 - probability[i] }));
        let slope = common_slope(&ClassForecasts::new(&both, &labels)).unwrap().unwrap().value;
        let score: f64 = Forecasts::new(&probability, &labels)
            .rows()
            .unwrap()
            .iter()
            .map(|row| log_odds(row) * (row.outcome() - 1.0 / (1.0 + (-slope * log_odds(row)).exp())))
            .sum();
        assert!(score.abs() < 1e-8, "{score}");
    }
}
