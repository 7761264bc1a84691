//! Why a row is predicted as it is: by its columns, and by the training rows that weigh most.

use super::{Classifier, ClassifierError};
use crate::data::{Class, Inputs, Table};
use crate::explain::{Background, Parts, ReasonOptions, ReasonScale, Reasons, latent_reasons, reasons};
use crate::interrupt::Interrupt;
use gpclass_linalg::{Mat, map_tasks, vector};

/// Rows looked at together: bounds the memory to this many times the training rows.
const BLOCK: usize = 256;

/// A training row that weighs in a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// Position of the training row, from 0.
    pub row: usize,
    /// What it adds to the latent mean: positive where it speaks for the class, negative where against. The contributions
    /// of all training rows sum to the latent mean.
    pub contribution: f64,
}

impl Classifier {
    /// For every row of a table by how much each of its columns moves the prediction away from the mean over training rows:
    /// Shapley values, and their standard errors where they are not exact.
    pub fn reasons(
        &self,
        table: &Table,
        options: &ReasonOptions,
        interrupt: Interrupt<'_>,
    ) -> Result<Reasons, ClassifierError> {
        let (inputs, _) = self.encoder.encode(table)?;
        self.reasons_for_inputs(&inputs, options, interrupt)
    }

    /// The same for rows that this classifier's encoder has encoded.
    pub fn reasons_for_inputs(
        &self,
        inputs: &Inputs,
        options: &ReasonOptions,
        interrupt: Interrupt<'_>,
    ) -> Result<Reasons, ClassifierError> {
        let parts = Parts::new(&self.encoder);
        let background = Background::new(self.training(), options.background);
        match options.scale {
            ReasonScale::Latent => {
                Ok(latent_reasons(&self.together().models, &parts, &background, inputs, options, interrupt)?)
            }
            ReasonScale::LogOdds => reasons(&parts, &background, inputs, options, interrupt, |rows| {
                Ok(self.predict_inputs(rows)?.log_odds())
            }),
        }
    }

    /// For every row of a table the training rows that weigh most in its prediction, at most `count`, the weightiest first:
    /// in the latent mean of `class`, or of the predicted class. Of two classes the latent function is that of the
    /// positive one, whatever the class.
    pub fn witnesses(
        &self,
        table: &Table,
        class: Option<Class>,
        count: usize,
    ) -> Result<Vec<Vec<Witness>>, ClassifierError> {
        let (inputs, _) = self.encoder.encode(table)?;
        self.witnesses_for_inputs(&inputs, class, count)
    }

    /// The same for rows that this classifier's encoder has encoded.
    pub fn witnesses_for_inputs(
        &self,
        inputs: &Inputs,
        class: Option<Class>,
        count: usize,
    ) -> Result<Vec<Vec<Witness>>, ClassifierError> {
        let functions = self.functions_asked(inputs, class)?;
        let mut found = vec![Vec::new(); inputs.rows()];
        for function in 0..self.fitted().functions() {
            let own: Vec<usize> = (0..inputs.rows()).filter(|&row| functions[row] == function).collect();
            let blocks: Vec<&[usize]> = own.chunks(BLOCK).collect();
            let weighed = map_tasks(blocks.len(), |block| {
                let shares = self.contributions(function, &inputs.select_rows(blocks[block]))?;
                Ok(shares.columns().map(|column| weightiest(column, count)).collect::<Vec<_>>())
            });
            let weighed = weighed.into_iter().collect::<Result<Vec<_>, ClassifierError>>()?;
            own.into_iter().zip(weighed.into_iter().flatten()).for_each(|(row, witnesses)| found[row] = witnesses);
        }
        Ok(found)
    }

    /// Which latent function each row is asked about.
    fn functions_asked(&self, inputs: &Inputs, class: Option<Class>) -> Result<Vec<usize>, ClassifierError> {
        Ok(match class {
            _ if self.fitted().functions() == 1 => vec![0; inputs.rows()],
            Some(class) => vec![class.position(); inputs.rows()],
            None => {
                let predicted = self.predict_inputs(inputs)?;
                (0..inputs.rows()).map(|row| predicted.class(row).position()).collect()
            }
        })
    }

    /// What each training row adds to a latent mean of the mixture: training rows x rows.
    fn contributions(&self, function: usize, rows: &Inputs) -> Result<Mat, ClassifierError> {
        let mut sum = Mat::zeros(self.training().rows(), rows.rows());
        for member in self.members() {
            let own = member.fitted().contributions(function, rows)?;
            vector::add_scaled(sum.as_mut_slice(), member.weight(), own.as_slice());
        }
        Ok(sum)
    }
}

fn weightiest(contributions: &[f64], count: usize) -> Vec<Witness> {
    let mut order: Vec<usize> = (0..contributions.len()).collect();
    order.sort_by(|&a, &b| contributions[b].abs().total_cmp(&contributions[a].abs()).then(a.cmp(&b)));
    order.truncate(count);
    order.into_iter().map(|row| Witness { row, contribution: contributions[row] }).collect()
}
