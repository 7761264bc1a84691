//! Why a classifier could not be fitted or used.

use super::MAX_ROWS;
use crate::data::DataError;
use crate::evaluate::EvaluateError;
use crate::learn::LearnError;
use crate::model::ModelError;
use thiserror::Error;

/// What went wrong between a table and its predictions.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClassifierError {
    #[error(
        "there are {rows} rows, but exact inference is limited to {MAX_ROWS}, for its memory grows with their square; \
         fit on a random part of them"
    )]
    TooManyRows { rows: usize },
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

impl ClassifierError {
    /// The same error with its row counted from `offset` rows earlier: for data read in blocks.
    pub fn shifted(self, offset: usize) -> Self {
        match self {
            ClassifierError::Data(error) => ClassifierError::Data(error.shifted(offset)),
            other => other,
        }
    }
}
