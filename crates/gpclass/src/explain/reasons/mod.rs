//! Reasons for what is predicted of a row: Shapley values of its columns (math 11.4).
//!
//! A column's value is by how much it moves the prediction from the mean over some training rows, the background, to that
//! of the row: averaged over all orders in which the background's values can be exchanged for the row's. The values of
//! all columns sum to the prediction less that mean, whatever the model is. A feature that was made of a column, such as a block
//! of categories or whether a value is missing, belongs to the column.
//!
//! Between two rows that differ in few columns every coalition is looked at; otherwise orders are drawn, each with its reverse, and
//! what the drawing leaves open is told as a standard error. The latent mean of a kernel that is a sum of products over
//! features needs neither: there the average over all orders is an integral that a quadrature rule gives exactly.

mod background;
mod closed;
mod game;
mod latent;
mod options;
mod parts;
mod separable;
#[cfg(test)]
mod tests;

pub use background::Background;
pub use latent::latent_reasons;
pub use options::{ReasonOptions, ReasonScale};
pub use parts::Parts;

use super::ExplainError;
use crate::data::Inputs;
use crate::interrupt::Interrupt;
use game::{Between, orders};
use gpclass_linalg::{Mat, map_tasks};

/// Rows evaluated together, about: enough for matrix products, few enough for any memory.
const TOGETHER: usize = 1024;

/// Why rows are predicted as they are. There is one output for two classes, else one for each class.
#[derive(Clone, Debug, PartialEq)]
pub struct Reasons {
    /// Names of the table's columns.
    pub columns: Vec<String>,
    /// The mean over the background, for every output.
    pub base: Vec<f64>,
    /// What is explained: rows x outputs.
    pub predicted: Mat,
    /// For every output the Shapley values, rows x columns: each row sums to `predicted` less `base`.
    pub values: Vec<Mat>,
    /// Standard errors of the values; zero where they are exact.
    pub errors: Vec<Mat>,
    /// Training rows in the background.
    pub background: usize,
}

impl Reasons {
    /// The columns of a row that move an output most, at most `count`, those that move it not at all left out.
    pub fn leading(&self, row: usize, output: usize, count: usize) -> Vec<usize> {
        let size = |column: usize| self.values[output][(row, column)].abs();
        let mut order: Vec<usize> = (0..self.columns.len()).filter(|&column| size(column) > 0.0).collect();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        order.truncate(count);
        order
    }

    /// The same rows with another part of what is explained added to each output.
    fn plus(mut self, other: &Reasons) -> Reasons {
        self.base.iter_mut().zip(&other.base).for_each(|(sum, part)| *sum += part);
        add(&mut self.predicted, &other.predicted);
        self.values.iter_mut().zip(&other.values).for_each(|(sum, part)| add(sum, part));
        self.errors.iter_mut().zip(&other.errors).for_each(|(sum, part)| add(sum, part));
        self
    }
}

fn add(sum: &mut Mat, part: &Mat) {
    sum.as_mut_slice().iter_mut().zip(part.as_slice()).for_each(|(sum, part)| *sum += part);
}

/// The reasons for what `evaluate` says about rows, given rows x outputs: any function of encoded rows.
pub fn reasons<E: From<ExplainError> + Send>(
    parts: &Parts,
    background: &Background,
    rows: &Inputs,
    options: &ReasonOptions,
    interrupt: Interrupt<'_>,
    evaluate: impl Fn(&Inputs) -> Result<Mat, E> + Sync,
) -> Result<Reasons, E> {
    options.check()?;
    let of_background = evaluate(background.rows())?;
    let predicted = evaluate(rows)?;
    let outputs = predicted.cols();
    let mean = |output: usize| background.mean(of_background.col(output));
    let orders = orders(parts.len(), background.rows().rows(), options);
    let each = map_tasks(rows.rows(), |row| {
        interrupt.check().map_err(ExplainError::from)?;
        let explained = Explained { parts, background, of_background: &of_background, options, orders: &orders };
        let own: Vec<f64> = (0..outputs).map(|output| predicted[(row, output)]).collect();
        explained.row(rows, row, &own, &evaluate)
    });
    let each = each.into_iter().collect::<Result<Vec<(Mat, Mat)>, E>>()?;
    let part = |of: &dyn Fn(usize, usize, usize) -> f64| {
        let output = |o: usize| Mat::from_fn(rows.rows(), parts.len(), |i, p| of(i, p, o));
        (0..outputs).map(output).collect::<Vec<Mat>>()
    };
    Ok(Reasons {
        columns: parts.names().to_vec(),
        base: (0..outputs).map(mean).collect(),
        values: part(&|i, p, o| each[i].0[(p, o)]),
        errors: part(&|i, p, o| each[i].1[(p, o)].sqrt()),
        predicted,
        background: background.rows().rows(),
    })
}

/// What all rows are explained with.
struct Explained<'a> {
    parts: &'a Parts,
    background: &'a Background,
    /// Background rows x outputs.
    of_background: &'a Mat,
    options: &'a ReasonOptions,
    /// For every background row its drawn orders of all columns.
    orders: &'a [Vec<Vec<usize>>],
}

impl Explained<'_> {
    /// Shapley values and their variances, columns x outputs, of one row, for which the outputs are `own`.
    fn row<E>(
        &self,
        rows: &Inputs,
        row: usize,
        own: &[f64],
        evaluate: &impl Fn(&Inputs) -> Result<Mat, E>,
    ) -> Result<(Mat, Mat), E> {
        let (mut values, mut variances) =
            (Mat::zeros(self.parts.len(), own.len()), Mat::zeros(self.parts.len(), own.len()));
        let mut waiting: Vec<(usize, Between)> = Vec::new();
        let mut states = Vec::new();
        let count = self.background.rows().rows();
        for b in 0..count {
            let differing = self.parts.differing(rows, row, self.background.rows(), b);
            let between = Between::new(differing, &self.orders[b], self.options.exact);
            between.each(|taken| states.push((b, taken.to_vec())));
            waiting.push((b, between));
            if states.len() < TOGETHER && b + 1 < count {
                continue;
            }
            let found = match states.is_empty() {
                true => Mat::zeros(0, own.len()),
                false => evaluate(&self.parts.mixed(rows, row, self.background.rows(), &states))?,
            };
            states.clear();
            let mut next = 0;
            for (b, between) in waiting.drain(..) {
                let share = self.background.share(b);
                for (output, &own) in own.iter().enumerate() {
                    let seen = &found.col(output)[next..next + between.len()];
                    let (value, variance) = between.account(self.of_background[(b, output)], own, seen);
                    for (k, &part) in between.differing().iter().enumerate() {
                        values[(part, output)] += share * value[k];
                        variances[(part, output)] += share * share * variance[k];
                    }
                }
                next += between.len();
            }
        }
        Ok((values, variances))
    }
}
