//! What can go wrong, in a sentence.

use crate::limits::MEMORY;
use gpclass::classifier::{ClassifierError, ModelFileError};
use gpclass::data::DataError;
use gpclass::learn::LearnError;
use gpclass::model::ModelError;
use gpclass_report::ReportError;
use gpclass_table::{Places, TableError};

/// Why the engine could not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The same, told by where the row stands in its file.
    #[error("{0}")]
    Placed(String),
    /// The fit, or a prediction.
    #[error(transparent)]
    Classifier(#[from] ClassifierError),
    /// The model file.
    #[error("the model file cannot be used: {0}")]
    Model(#[from] ModelFileError),
    /// The report.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// No label was chosen.
    #[error("no column is the label; choose the one that holds the class of each row")]
    NoLabel,
    /// More memory than a page has.
    #[error(
        "this fit needs about {needed:.1} GB of memory for {rows} rows, but a page may take {} GB; about {within} rows would do: \
         take a random part of the rows, or use the command-line tool",
        MEMORY / GB
    )]
    Memory {
        /// Gigabytes that the fit would take.
        needed: f64,
        /// Rows of the table.
        rows: usize,
        /// Rows that would do.
        within: usize,
    },
    /// Predictions or files were asked for without a model.
    #[error("there is no model yet; fit one or open a model file")]
    NoModel,
    /// A message that this version of the page does not send.
    #[error("the engine does not understand what it was asked for ({0}); load the page again")]
    Message(#[from] serde_json::Error),
    /// The playground has nothing to show.
    #[error("there are no points yet; click to add some")]
    NoPoints,
}

pub(crate) const GB: f64 = (1_u64 << 30) as f64;

impl From<DataError> for Problem {
    fn from(error: DataError) -> Self {
        Problem::Classifier(error.into())
    }
}

impl From<ModelError> for Problem {
    fn from(error: ModelError) -> Self {
        Problem::Classifier(error.into())
    }
}

impl From<LearnError> for Problem {
    fn from(error: LearnError) -> Self {
        Problem::Classifier(error.into())
    }
}

impl Problem {
    /// An error about the rows at these places.
    pub(crate) fn at(places: &Places, error: impl Into<ClassifierError>) -> Problem {
        match error.into() {
            ClassifierError::Data(error) => Problem::Placed(error.placed(|row| places.place(row).to_string())),
            other => Problem::Classifier(other),
        }
    }
}
