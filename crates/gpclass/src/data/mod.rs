//! From a table to what a kernel accepts.
//!
//! A [`Table`] of named columns is read by an [`Encoder`] fitted on the training rows; the result is [`Inputs`].
//! The label column becomes [`Labels`]: a class per row and the names of the two classes. Problems that stop the work
//! are a [`DataError`]; things worth knowing that do not are a [`DataNote`].

mod class_names;
mod column;
mod column_encoder;
mod counts;
mod duplicates;
mod encoder;
mod encoder_record;
mod error;
mod inputs;
mod label;
mod label_values;
mod labels;
mod levels;
mod missing;
mod nearest;
mod note;
mod number_text;
mod quote;
mod redundancy;
mod standardise;
mod table;
mod weights;

pub use class_names::ClassNames;
pub use column::{Column, ColumnValues};
pub use column_encoder::{Coding, ColumnEncoder, MAX_ENCODED};
pub use counts::{ColumnCounts, EncodeCounts};
pub use duplicates::{DuplicateSummary, duplicates};
pub use encoder::{Encoder, EncoderOptions};
pub use error::{AbsentColumn, ClassCount, DataError};
pub use inputs::{Feature, FeatureKind, Inputs};
pub use label::Label;
pub use label_values::LabelValues;
pub use labels::{LabelOptions, Labels, OneClass};
pub use levels::{DiscreteMissing, Levels};
pub use missing::{MissingContinuous, MissingDiscrete, MissingPolicy};
pub use nearest::nearest_name;
pub use note::DataNote;
pub use number_text::canonical_number;
pub use quote::{Escaped, Quoted, Shown};
pub use standardise::{ContinuousMissing, Standardise, Standardiser};
pub use table::Table;
pub use weights::RowWeights;
