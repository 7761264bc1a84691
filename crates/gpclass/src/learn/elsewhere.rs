//! Learning with rows that are held elsewhere: hyperparameters, inputs and weights of members from the rows that are here, every
//! posterior from all.

use super::LearnError;
use crate::data::{DataError, Encoder, Inputs, RowWeights, Table, Targets, View};
use crate::interrupt::Interrupt;
use crate::model::{FittedModel, Model, ModelError, Refinement, ShardAnswer, Shards, TrainingData};
use crate::prior::{Inducing, SiteSums};
use gpclass_linalg::Mat;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Nesting of what shards are sent.
const MAX_DEPTH: usize = 16 + 3 * crate::kernel::MAX_NESTING;

/// Whoever asks the shards: it carries bytes and numbers to where the rows are, has [`ShardPlan::step`] done there, and brings the
/// answers back. Its sentences say why it cannot.
pub trait Elsewhere: Send + Sync {
    /// Told before anything is learned how rows are encoded, in bytes for [`shard_rows`].
    fn encoded_by(&self, encoder: &[u8]) -> Result<(), String>;

    /// How many rows every shard has.
    fn rows(&self) -> Vec<usize>;

    /// The answers of all shards, in their order, to a plan (the bytes of a [`ShardPlan`]), to what all rows say together and to what
    /// each shard said last.
    fn answers(&self, plan: &[u8], all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, String>;
}

/// Why a shard could not do its step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShardError {
    /// The bytes are none that were written for a shard.
    #[error("what the shard was sent cannot be read: {reason}")]
    Damaged {
        /// Why.
        reason: String,
    },
    /// The rows do not fit the encoder.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The step failed.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// What a shard has to know of a function to answer about it, whatever is said by the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShardPlan {
    model: Model,
    class: usize,
    view: View,
    /// The inducing rows as the encoder gives them, column by column.
    inducing: Vec<f64>,
    jitter: f64,
}

impl ShardPlan {
    /// The plan for the function of a class.
    fn new(model: &Model, class: usize, data: &TrainingData, inducing: &Inducing) -> Result<Self, ModelError> {
        let rows = inducing.training_rows.as_deref().ok_or(ModelError::NoInducing)?;
        let given = data.given().select_rows(rows).values().as_slice().to_vec();
        Ok(ShardPlan {
            model: model.clone(),
            class,
            view: data.view().clone(),
            inducing: given,
            jitter: inducing.jitter,
        })
    }

    /// As bytes for the way.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// From these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ShardError> {
        from_bytes(bytes)
    }

    /// The answer of a shard with these rows, which [`shard_rows`] has made; sums are given as their numbers.
    pub fn step(&self, rows: &TrainingData, all: &[f64], own: &[f64]) -> Result<ShardAnswer, ShardError> {
        let width = rows.given().values().cols().max(1);
        let inducing = self.inducing.len() / width;
        let damaged = |reason: &str| ShardError::Damaged { reason: reason.to_owned() };
        if self.inducing.len() != inducing * width || inducing == 0 {
            return Err(damaged("its inducing rows have other columns than its rows"));
        }
        let sums = |numbers: &[f64]| {
            SiteSums::from_numbers(inducing, numbers).ok_or_else(|| damaged("its sums are of other inducing rows"))
        };
        let features = rows.given().features().to_vec();
        let given = Inputs::new(features, Mat::from_columns(inducing, width, self.inducing.clone()));
        let seen = rows.with_view(self.view.clone())?;
        let inducing = Inducing::new(self.view.apply(&given).into_owned(), self.jitter);
        Ok(self.model.shard_step(&seen, self.class, &inducing, &sums(all)?, &sums(own)?)?)
    }
}

/// The rows of a shard, encoded by the bytes that [`Elsewhere::encoded_by`] was given.
pub fn shard_rows(
    encoder: &[u8],
    table: &Table,
    targets: Targets,
    weights: Option<Vec<f64>>,
) -> Result<TrainingData, ShardError> {
    let encoder: Encoder = from_bytes(encoder)?;
    let (inputs, _) = encoder.encode(table)?;
    let weights = weights.map(|weights| RowWeights::new(weights, table.rows())).transpose()?;
    let weights = weights.filter(|weights| !weights.all_one()).map(|weights| weights.as_slice().to_vec());
    Ok(TrainingData::weighted(inputs, targets, weights)?)
}

/// How rows are encoded, for [`Elsewhere::encoded_by`].
pub(crate) fn encoder_bytes(encoder: &Encoder) -> Vec<u8> {
    to_bytes(encoder)
}

fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).expect("plain structures can be written to memory");
    bytes
}

fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ShardError> {
    ciborium::de::from_reader_with_recursion_limit(bytes, MAX_DEPTH)
        .map_err(|error| ShardError::Damaged { reason: error.to_string() })
}

/// Shards that are asked about one model.
struct Asked<'a> {
    elsewhere: &'a dyn Elsewhere,
    /// Of every class's function.
    plans: Vec<Vec<u8>>,
}

impl Shards for Asked<'_> {
    fn rows(&self) -> Vec<usize> {
        self.elsewhere.rows()
    }

    fn answers(&self, class: usize, all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, ModelError> {
        let found = self.elsewhere.answers(&self.plans[class], all, own);
        found.map_err(|reason| ModelError::NoAnswer { reason })
    }
}

/// The posterior of a model for the rows that are here, given those elsewhere.
pub(super) fn infer(
    model: &Model,
    data: &Arc<TrainingData>,
    inducing: &Inducing,
    refinement: Option<Refinement>,
    elsewhere: &dyn Elsewhere,
) -> Result<FittedModel, LearnError> {
    let functions = if data.targets().count() == 2 { 1 } else { data.targets().count() };
    let plan = |class: usize| Ok(ShardPlan::new(model, class, data, inducing)?.to_bytes());
    let plans = (0..functions).map(plan).collect::<Result<Vec<_>, ModelError>>()?;
    let shards = Asked { elsewhere, plans };
    Ok(model.infer_beside(data, inducing, refinement, &shards, Interrupt::default())?)
}
