//! What is predicted for rows.

use super::Probabilities;
use crate::data::Class;
use crate::inference::joint::RowGaussian;
use crate::likelihood::{ClassProbabilities, Gaussian};
use crate::special::log_add_exp;
use gpclass_linalg::{Mat, map_tasks};

/// What a model says about rows: the probabilities of the classes and the latent values behind them. There is one
/// latent function for two classes and one for each of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// Probabilities of the classes.
    pub probability: Probabilities,
    /// Their logarithms, rows x classes, accurate where a probability is tiny.
    pub log_probability: Mat,
    /// Means of the latent values, rows x functions.
    pub mean: Mat,
    /// Variances of the latent values, rows x functions.
    pub var: Mat,
}

impl Predictions {
    /// Of two classes, from the latent values of rows.
    pub(super) fn binary(latent: &[Gaussian], probabilities: impl Fn(Gaussian) -> ClassProbabilities) -> Self {
        let rows = latent.len();
        let each: Vec<ClassProbabilities> = latent.iter().map(|&latent| probabilities(latent)).collect();
        Predictions {
            probability: Probabilities::of_positive(each.iter().map(|p| p.positive).collect()),
            log_probability: Mat::from_fn(rows, 2, |i, class| each[i].logs[class]),
            mean: Mat::from_fn(rows, 1, |i, _| latent[i].mean),
            var: Mat::from_fn(rows, 1, |i, _| latent[i].var),
        }
    }

    /// Of several classes whose functions are inferred together, from the log-probabilities of rows.
    pub(super) fn joint(rows: &[RowGaussian], logs: Vec<Vec<f64>>, classes: usize) -> Self {
        let n = rows.len();
        Predictions {
            probability: Probabilities::new(Mat::from_fn(n, classes, |i, c| logs[i][c].exp())),
            log_probability: Mat::from_fn(n, classes, |i, c| logs[i][c]),
            mean: Mat::from_fn(n, classes, |i, c| rows[i].mean[c]),
            var: Mat::from_fn(n, classes, |i, c| rows[i].cov[(c, c)]),
        }
    }

    /// Of classes against the rest, from the logarithm of its claim and the latent value of every row and class.
    pub(super) fn one_vs_rest(
        rows: usize,
        classes: usize,
        log_claim: impl Fn(usize, usize) -> f64 + Sync,
        latent: impl Fn(usize, usize) -> Gaussian,
    ) -> Self {
        let logs = map_tasks(rows, |row| shares((0..classes).map(|c| log_claim(row, c)).collect()));
        Predictions {
            probability: Probabilities::new(Mat::from_fn(rows, classes, |i, c| logs[i][c].exp())),
            log_probability: Mat::from_fn(rows, classes, |i, c| logs[i][c]),
            mean: Mat::from_fn(rows, classes, |i, c| latent(i, c).mean),
            var: Mat::from_fn(rows, classes, |i, c| latent(i, c).var),
        }
    }

    /// The given rows, in the order given.
    pub(crate) fn select_rows(&self, rows: &[usize]) -> Predictions {
        let log_probability = self.log_probability.select_rows(rows);
        Predictions {
            probability: Probabilities::new(Mat::from_fn(rows.len(), log_probability.cols(), |i, c| {
                log_probability[(i, c)].exp()
            })),
            log_probability,
            mean: self.mean.select_rows(rows),
            var: self.var.select_rows(rows),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.probability.rows()
    }

    /// The number of latent functions.
    pub fn functions(&self) -> usize {
        self.mean.cols()
    }

    /// The probability of a class in a row.
    pub fn probability(&self, row: usize, class: Class) -> f64 {
        self.probability.at(row, class)
    }

    /// The logarithm of the probability of a class in a row.
    pub fn log_probability(&self, row: usize, class: Class) -> f64 {
        self.log_probability[(row, class.position())]
    }

    /// The log-probability of each row's own label.
    pub fn log_probability_of(&self, labels: &[Class]) -> Vec<f64> {
        labels.iter().enumerate().map(|(row, &class)| self.log_probability(row, class)).collect()
    }

    /// Log-odds: of two classes those of the positive one, of more those of every class against the others together. A
    /// probability that is no number above zero counts as the smallest there is, so that they are finite.
    pub fn log_odds(&self) -> Mat {
        let log = |row: usize, class: usize| self.log_probability[(row, class)].max(f64::MIN_POSITIVE.ln());
        let classes = self.log_probability.cols();
        if classes == 2 {
            return Mat::from_fn(self.rows(), 1, |row, _| log(row, 1) - log(row, 0));
        }
        Mat::from_fn(self.rows(), classes, |row, class| {
            let others = (0..classes).filter(|other| *other != class).map(|other| log(row, other));
            log(row, class) - others.fold(f64::NEG_INFINITY, log_add_exp)
        })
    }

    /// A latent function's value in a row.
    pub fn latent(&self, row: usize, function: usize) -> Gaussian {
        Gaussian { mean: self.mean[(row, function)], var: self.var[(row, function)] }
    }

    /// The most probable class of a row; the first of equals, so the negative one at exactly one half.
    pub fn class(&self, row: usize) -> Class {
        self.probability.most_probable(row)
    }
}

/// The logarithms of the shares of what has these logarithms.
pub(super) fn shares(logs: Vec<f64>) -> Vec<f64> {
    let total = logs.iter().copied().fold(f64::NEG_INFINITY, log_add_exp);
    // Where every class is ruled out by its own function they are equally likely.
    let even = -(logs.len() as f64).ln();
    logs.iter().map(|log| if total.is_finite() { log - total } else { even }).collect()
}
