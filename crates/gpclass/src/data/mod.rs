//! From a table to what a kernel accepts.
//!
//! A [`Table`] of named columns is read by an [`Encoder`] fitted on the training rows; the result is [`Inputs`].
//! The label column becomes [`Labels`]: a class per row and the names of the classes. Problems that stop the work
//! are a [`DataError`]; things worth knowing that do not are a [`DataNote`].

mod checks;
mod encode;
mod error;
mod groups;
mod labels;
mod note;
mod reason;
mod table;

pub use crate::text::{Escaped, Quoted, Shown, canonical_number, date_text, day_number, nearest_name, parse_date};
pub(crate) use checks::giveaways;
pub use checks::{DuplicateSummary, Identifier, RowWeights, duplicates, group_notes, identifiers};
pub use encode::{
    Coding, ColumnCounts, ColumnEncoder, ContinuousMissing, Curve, DiscreteMissing, EncodeCounts, Encoder,
    EncoderOptions, Feature, FeatureKind, InputView, Inputs, LeftOut, Levels, MAX_ENCODED, MissingChoice,
    MissingContinuous, MissingDiscrete, MissingPolicy, OrderedLevels, Ranks, Shape, Standardise, Standardiser, Tail,
    View, Warp,
};
pub(crate) use encode::{KeptSums, PairSums};
pub use error::{AbsentColumn, ClassCount, DataError};
pub use groups::Groups;
pub use labels::{
    Class, ClassNames, CorrectedRow, Correction, LabelOptions, LabelValues, Labels, MAX_CLASSES, OneClass, Sign,
    Targets, correct,
};
pub use note::DataNote;
pub use reason::{IdentifierReason, Replacement};
pub use table::{Column, ColumnKind, ColumnValues, Table, Texts, TextsBuilder};
