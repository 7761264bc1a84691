//! The columns of a table, each with all that was made of it.

use crate::data::{ColumnEncoder, Encoder, Inputs};
use gpclass_linalg::Mat;

/// What reasons are given for: the columns that an encoder reads, in their order.
#[derive(Clone, Debug)]
pub struct Parts {
    names: Vec<String>,
    /// Positions of the features of each.
    features: Vec<Vec<usize>>,
    /// Positions of the encoded columns of each.
    encoded: Vec<Vec<usize>>,
}

impl Parts {
    /// Of the tables that this encoder reads.
    pub fn new(encoder: &Encoder) -> Self {
        let names: Vec<String> = encoder.read_columns().map(|column| column.name.clone()).collect();
        let made_of = |name: &String| {
            let own = |(_, column): &(usize, &ColumnEncoder)| column.source() == name;
            encoder.columns().iter().enumerate().filter(own).map(|(feature, _)| feature).collect()
        };
        let features: Vec<Vec<usize>> = names.iter().map(made_of).collect();
        let block = |features: &Vec<usize>| {
            features.iter().flat_map(|&feature| encoder.features()[feature].columns.clone()).collect()
        };
        Parts { encoded: features.iter().map(block).collect(), names, features }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The features that were made of each column.
    pub(super) fn features(&self) -> &[Vec<usize>] {
        &self.features
    }

    /// The columns in which two rows differ.
    pub(super) fn differing(&self, rows: &Inputs, row: usize, others: &Inputs, other: usize) -> Vec<usize> {
        let (left, right) = (rows.values(), others.values());
        let differs = |part: &usize| self.encoded[*part].iter().any(|&c| left[(row, c)] != right[(other, c)]);
        (0..self.len()).filter(differs).collect()
    }

    /// Rows of others in which the given columns are taken from a row.
    pub(super) fn mixed(&self, rows: &Inputs, row: usize, others: &Inputs, states: &[(usize, Vec<usize>)]) -> Inputs {
        let which: Vec<usize> = states.iter().map(|&(other, _)| other).collect();
        let mut values: Mat = others.values().select_rows(&which);
        for (state, (_, taken)) in states.iter().enumerate() {
            for &c in taken.iter().flat_map(|&part| &self.encoded[part]) {
                values[(state, c)] = rows.values()[(row, c)];
            }
        }
        Inputs::new(rows.features().to_vec(), values)
    }
}
