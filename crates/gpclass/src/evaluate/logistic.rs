//! Logistic regression of outcomes on a few columns, for the recalibration of forecasts.

use super::forecasts::Row;
use crate::special::log1p_exp;
use gpclass_linalg::{Mat, cholesky_in_place, inverse_from_lower_inverse, invert_lower, vector::dot};

/// Newton steps at most; a fit that has a maximum needs about ten.
const STEPS: usize = 60;
/// Halvings of a step that does not climb.
const HALVINGS: usize = 30;
/// Half the squared gradient in the metric of the information, in nats, at which the maximum is reached.
const TOLERANCE: f64 = 1e-20;
/// Where every row's outcome is predicted with more than this, nothing bounds the coefficients.
const SEPARATED: f64 = 1.0 - 1e-6;
/// The same where only some rows are separated: a standard deviation of a coefficient beyond this is no estimate.
const UNBOUNDED: f64 = 1e3;

/// Coefficients at the maximum of the likelihood, and their covariance there.
#[derive(Clone, Debug)]
pub(super) struct LogisticFit {
    pub coefficients: Vec<f64>,
    pub covariance: Mat,
}

impl LogisticFit {
    /// Log-odds at a row of the design, and their standard error.
    pub fn log_odds(&self, row: &[f64]) -> (f64, f64) {
        (dot(row, &self.coefficients), dot(row, &self.covariance.mul_vec(row)).max(0.0).sqrt())
    }
}

/// P(y = 1) = 1 / (1 + exp(-eta)), eta = offset + design x coefficients, by Newton's method. None without a finite maximum:
/// outcomes of one kind only, columns that separate them, or columns that depend on each other.
pub(super) fn regress(rows: &[Row], design: &Mat, offset: &[f64]) -> Option<LogisticFit> {
    let problem = Problem { rows, design, offset };
    let mut coefficients = vec![0.0; design.cols()];
    for _ in 0..STEPS {
        let (gradient, covariance) = problem.slope_and_covariance(&coefficients)?;
        let step = covariance.mul_vec(&gradient);
        if 0.5 * dot(&gradient, &step) < TOLERANCE {
            return problem.is_bounded(&coefficients, &covariance).then_some(LogisticFit { coefficients, covariance });
        }
        coefficients = problem.climb(&coefficients, &step)?;
    }
    None
}

struct Problem<'a> {
    rows: &'a [Row],
    design: &'a Mat,
    offset: &'a [f64],
}

impl Problem<'_> {
    fn log_odds(&self, coefficients: &[f64]) -> Vec<f64> {
        let product = self.design.mul_vec(coefficients);
        product.iter().zip(self.offset).map(|(own, offset)| own + offset).collect()
    }

    fn log_likelihood(&self, coefficients: &[f64]) -> f64 {
        let log_odds = self.log_odds(coefficients);
        self.rows.iter().zip(log_odds).map(|(row, eta)| row.weight * (row.outcome() * eta - log1p_exp(eta))).sum()
    }

    /// The gradient of the log-likelihood, and the inverse of the information; None where that is singular.
    fn slope_and_covariance(&self, coefficients: &[f64]) -> Option<(Vec<f64>, Mat)> {
        let fitted: Vec<f64> = self.log_odds(coefficients).into_iter().map(sigmoid).collect();
        let residual: Vec<f64> =
            self.rows.iter().zip(&fitted).map(|(row, p)| row.weight * (row.outcome() - p)).collect();
        let spread: Vec<f64> = self.rows.iter().zip(&fitted).map(|(row, p)| row.weight * p * (1.0 - p)).collect();
        let entry = |j: usize, k: usize| {
            let columns = self.design.col(j).iter().zip(self.design.col(k));
            columns.zip(&spread).map(|((a, b), s)| a * b * s).sum::<f64>()
        };
        let columns = self.design.cols();
        let mut factor = Mat::from_fn(columns, columns, entry);
        cholesky_in_place(&mut factor).ok()?;
        let mut inverse = Mat::zeros(columns, columns);
        invert_lower(&factor, &mut inverse);
        Some((self.design.transpose_mul_vec(&residual), inverse_from_lower_inverse(&inverse)))
    }

    /// The end of the step, shortened until it climbs.
    fn climb(&self, from: &[f64], step: &[f64]) -> Option<Vec<f64>> {
        let start = self.log_likelihood(from);
        let end = |share: f64| from.iter().zip(step).map(|(c, s)| c + share * s).collect::<Vec<f64>>();
        let ends = (0..HALVINGS).map(|k| end(0.5f64.powi(k as i32)));
        let slack = f64::EPSILON * self.rows.len() as f64 * start.abs().max(1.0);
        ends.into_iter().find(|end| self.log_likelihood(end) >= start - slack)
    }

    fn is_bounded(&self, coefficients: &[f64], covariance: &Mat) -> bool {
        let log_odds = self.log_odds(coefficients);
        let own = |(row, eta): (&Row, &f64)| sigmoid(if row.positive { *eta } else { -eta });
        let separated = self.rows.iter().zip(&log_odds).map(own).all(|p| p > SEPARATED);
        !separated && covariance.diag().iter().all(|variance| *variance < UNBOUNDED * UNBOUNDED)
    }
}

/// 1 / (1 + exp(-eta)).
pub(super) fn sigmoid(eta: f64) -> f64 {
    (-log1p_exp(-eta)).exp()
}
