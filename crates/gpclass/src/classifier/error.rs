//! Why a classifier could not be fitted or used.

use crate::data::DataError;
use crate::evaluate::EvaluateError;
use crate::explain::ExplainError;
use crate::learn::LearnError;
use crate::model::ModelError;
use thiserror::Error;

/// What went wrong between a table and its predictions.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClassifierError {
    /// More rows than [`MAX_ROWS`](super::MAX_ROWS) were given to exact inference, or than [`MOST_ROWS`](super::MOST_ROWS) to fit.
    #[error(
        "there are {rows} rows, but this way of inference is limited to {limit}; fit on a random part of them, or, if that was \
         asked for, do without exact inference, whose memory grows with their square"
    )]
    TooManyRows {
        /// Rows of the table.
        rows: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Costs of the two errors or a threshold were given for more than two classes.
    #[error(
        "the costs fn and fp and thresholds decide between two classes, but there are {classes}; say what taking one class for \
         another costs instead"
    )]
    DecisionOfSeveral {
        /// Classes that there are.
        classes: usize,
    },
    /// A cost names a class that there is not.
    #[error("a cost names '{class}', which is no class; the classes are {known}")]
    CostClass {
        /// What was given.
        class: String,
        /// The names of the classes.
        known: String,
    },
    /// A right decision was given a cost.
    #[error("taking '{class}' for what it is costs nothing; leave that cost out")]
    CostOfRight {
        /// The class.
        class: String,
    },
    /// A cost that is negative or no number.
    #[error("the cost of taking '{truth}' for '{decided}' is {cost}; it must be 0 or more and finite")]
    Cost {
        /// The true class.
        truth: String,
        /// What it is taken for.
        decided: String,
        /// What was given.
        cost: f64,
    },
    /// An error was given two costs.
    #[error("the cost of taking '{truth}' for '{decided}' is given twice; give it once")]
    CostTwice {
        /// The true class.
        truth: String,
        /// What it is taken for.
        decided: String,
    },
    /// A threshold that is no probability.
    #[error("the threshold is {threshold}; it must lie between 0 and 1")]
    Threshold {
        /// What was given.
        threshold: f64,
    },
    /// Rows are to be decided by a model that was given neither costs nor a threshold.
    #[error("the model has no threshold to decide by, and no costs; fit it with costs of errors, or with a threshold")]
    NoDecision,
    /// The table, its labels or its weights cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No model could be learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A model could not be applied to the training rows or to rows to predict.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The leave-one-out predictions could not be scored.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// A prediction could not be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
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
