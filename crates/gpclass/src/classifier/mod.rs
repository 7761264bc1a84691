//! A classifier from end to end: a table and its labels in, a model that predicts tables out, and a file format for it.
//!
//! ```
//! use gpclass::classifier::{Classifier, Spec};
//! use gpclass::data::{Column, LabelValues, Table};
//! use gpclass::learn::Control;
//!
//! let x: Vec<f64> = (0..30).map(|i| f64::from(i) / 5.0).collect();
//! let labels = LabelValues::text(x.iter().map(|x| if *x < 3.0 { "low" } else { "up" }));
//! let table = Table::new(vec![Column::continuous("x", x)])?;
//! let classifier = Classifier::fit(&table, &labels, None, &Spec::default(), &Control::default())?;
//!
//! // What is read back from its bytes predicts the same, to the last bit.
//! let reread = Classifier::from_bytes(&classifier.to_bytes())?;
//! let new = Table::new(vec![Column::continuous("x", vec![0.5, 5.5])])?;
//! let (rows, _) = reread.predict(&new)?;
//! assert_eq!(rows, classifier.predict(&new)?.0);
//! assert_eq!(reread.classes().name(rows.class(1)), "up");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod corrected;
mod costs;
mod decision;
mod error;
mod file;
mod member;
mod nearest;
mod note;
mod provenance;
mod reasons;
mod relevance;
mod rows;
mod spec;
mod stability;
mod summary;
mod suspects;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use crate::learn::CandidateSummary;
pub use audit::{ClassErrors, Cleaned, ErrorRates, LabelErrors, Twins, WrongCount, WrongShare};
pub use costs::{CostDecision, CostMatrix, ErrorCost};
pub use decision::{DecideBy, Decider, Decision, DecisionRule};
pub use error::ClassifierError;
pub use file::{FORMAT_VERSION, MAX_FILE_BYTES, ModelFileError};
pub use member::Member;
use member::Members;
pub use nearest::Neighbour;
pub use note::Note;
pub use provenance::Provenance;
pub use reasons::Witness;
pub use rows::{GroupSummary, RowDetails};
pub use spec::Spec;
pub use stability::Stability;
pub use summary::{ClassRows, FeatureSummary, Hyperparameter, Summary};
pub use suspects::{SuspectSource, Suspects};
pub use vocabulary::{NamedOption, vocabulary};

use crate::data::{
    ClassNames, EncodeCounts, Encoder, Groups, Inputs, LabelOptions, LabelValues, Labels, RowWeights, Table,
    duplicates, group_notes,
};
use crate::explain::{Novelty, Together};
use crate::learn::{self, Approach, Candidate, Control, LearnError, Selection, Size};
use crate::model::{FittedModel, Predictions, TrainingData};
use std::borrow::{Borrow, Cow};
use std::sync::{Arc, OnceLock};

/// Most training rows of exact inference, which holds matrices of rows x rows numbers, here 8.6 GB each.
pub const MAX_ROWS: usize = 1 << 15;

/// Most training rows of any inference: tables are held in memory.
pub const MOST_ROWS: usize = 1 << 24;

/// A fitted model with everything that predicting tables and telling about the fit needs.
#[derive(Clone, Debug)]
pub struct Classifier {
    encoder: Encoder,
    classes: ClassNames,
    members: Members,
    summary: Summary,
    provenance: Provenance,
    spec: Spec,
    /// Made when it is first asked for.
    novelty: OnceLock<Arc<Novelty>>,
}

impl Classifier {
    /// Encodes, learns and chooses as `spec` says. `details` are the rows' weights alone, or with their groups; `control`
    /// watches and stops the search, which then gives the best model so far. A table that is given away is gone column by column
    /// as it is encoded, so that it is not in memory twice.
    pub fn fit<'a>(
        table: impl Into<Cow<'a, Table>>,
        labels: impl Borrow<LabelValues>,
        details: impl Into<RowDetails>,
        spec: &Spec,
        control: &Control,
    ) -> Result<Classifier, ClassifierError> {
        Self::fit_by(table, labels, details.into(), spec, control, |data| learn::fit(data, &spec.fit, control))
    }

    /// As [`fit`](Self::fit), with the models that `candidates` makes for the encoded rows instead of those that the
    /// spec names. The rows are given to it in the view that the spec asks for.
    pub fn fit_models<'a>(
        table: impl Into<Cow<'a, Table>>,
        labels: impl Borrow<LabelValues>,
        details: impl Into<RowDetails>,
        candidates: impl FnOnce(&TrainingData) -> Result<Vec<Candidate>, LearnError>,
        spec: &Spec,
        control: &Control,
    ) -> Result<Classifier, ClassifierError> {
        let learn = |data: &Arc<TrainingData>| {
            let candidates = candidates(&data.viewed(spec.fit.view()))?;
            learn::fit_candidates(data, candidates, &spec.fit, control)
        };
        Self::fit_by(table, labels, details.into(), spec, control, learn)
    }

    fn fit_by<'a>(
        given: impl Into<Cow<'a, Table>>,
        given_labels: impl Borrow<LabelValues>,
        details: RowDetails,
        spec: &Spec,
        control: &Control,
        learn: impl FnOnce(&Arc<TrainingData>) -> Result<Selection, LearnError>,
    ) -> Result<Classifier, ClassifierError> {
        let (table, labels) = (given.into(), given_labels.borrow());
        let size = Size::of_table(&table, labels);
        let limit = if Approach::of(&spec.fit, &size) == Approach::Sparse { MOST_ROWS } else { MAX_ROWS };
        if table.rows() > limit {
            return Err(ClassifierError::TooManyRows { rows: table.rows(), limit });
        }
        let RowDetails { weights, groups } = details;
        let weights = weights.map(|weights| RowWeights::new(weights, table.rows())).transpose()?;
        let (encoder, mut notes) = Encoder::fit_weighted(&table, weights.as_ref(), &spec.encoder)?;
        let options = LabelOptions { positive: spec.positive.clone(), ..LabelOptions::default() };
        let labels = Labels::fit(labels, &options)?;
        labels.check_rows(table.rows())?;
        drop(given_labels);
        let grouped = groups.is_none().then(|| group_notes(&table, labels.as_slice(), &spec.encoder));
        // What was replaced on the way is among the encoder's notes.
        let (inputs, _) = match table {
            Cow::Borrowed(table) => encoder.encode(table)?,
            Cow::Owned(table) => encoder.encode_away(table)?,
        };
        notes.extend(labels.notes());
        notes.extend(duplicates(&inputs, labels.as_slice())?.notes(labels.as_slice()));
        notes.extend(grouped.into_iter().flatten());
        // Before anything is learned.
        spec.decision.as_ref().map_or(Ok(()), |rule| rule.check(labels.classes()))?;
        let data = training_data(inputs, &labels, weights, groups)?;
        if let Some(elsewhere) = &control.elsewhere {
            let told = elsewhere.encoded_by(&learn::encoder_bytes(&encoder));
            told.map_err(|reason| LearnError::Elsewhere { reason })?;
        }
        let mut selection = learn(&data)?;
        let members = Members::of(&mut selection);
        let mut summary = summary::summarise(selection, &members, &labels, Note::of_data(&notes), spec, control)?;
        summary.question_perfection(&data);
        let provenance = Provenance::new(&data, spec);
        let (classes, novelty) = (labels.classes().clone(), OnceLock::new());
        Ok(Classifier { encoder, classes, members, summary, provenance, spec: spec.clone(), novelty })
    }

    /// Predictions for every row of a table whose columns are found by name, with counts of what had to be replaced.
    pub fn predict(&self, table: &Table) -> Result<(Predictions, EncodeCounts), ClassifierError> {
        let (inputs, counts) = self.encoder.encode(table)?;
        Ok((self.predict_inputs(&inputs)?, counts))
    }

    /// Predictions for rows that this classifier's encoder has encoded.
    pub fn predict_inputs(&self, inputs: &Inputs) -> Result<Predictions, ClassifierError> {
        self.members.predict(inputs)
    }

    /// How unlike the training rows every row of a table is, from 0 to 1, whatever the models say about it: above
    /// [`UNLIKE_TRAINING`](crate::explain::UNLIKE_TRAINING) the predicted probabilities rest on extrapolation.
    pub fn novelty(&self, table: &Table) -> Result<Vec<f64>, ClassifierError> {
        let (inputs, _) = self.encoder.encode(table)?;
        self.novelty_of_inputs(&inputs)
    }

    /// The same for rows that this classifier's encoder has encoded.
    pub fn novelty_of_inputs(&self, inputs: &Inputs) -> Result<Vec<f64>, ClassifierError> {
        Ok(self.reference().of(inputs)?)
    }

    /// The same for the training rows, each compared with the others only.
    pub fn training_novelty(&self) -> Result<Vec<f64>, ClassifierError> {
        Ok(self.reference().of_training(self.training().given())?)
    }

    fn reference(&self) -> &Novelty {
        self.novelty.get_or_init(|| Arc::new(Novelty::new(self.training().given())))
    }

    /// For every row of a table the training rows that the models take to be most like it, at most `count`, the nearest
    /// first.
    pub fn nearest(&self, table: &Table, count: usize) -> Result<Vec<Vec<Neighbour>>, ClassifierError> {
        let (inputs, _) = self.encoder.encode(table)?;
        self.nearest_to_inputs(&inputs, count)
    }

    /// The same for rows that this classifier's encoder has encoded.
    pub fn nearest_to_inputs(&self, inputs: &Inputs, count: usize) -> Result<Vec<Vec<Neighbour>>, ClassifierError> {
        nearest::nearest(self.members(), inputs, count)
    }

    /// What turns tables into encoded rows.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The classes as the data write them.
    pub fn classes(&self) -> &ClassNames {
        &self.classes
    }

    /// The models that predict, by falling weight.
    pub fn members(&self) -> &[Member] {
        self.members.each()
    }

    /// The power that their mixture is raised to before it is normalised; one leaves it as it is.
    pub fn sharpness(&self) -> f64 {
        self.members.sharpness()
    }

    /// The same for what explains several models together.
    pub fn together(&self) -> Together<'_> {
        self.members.together()
    }

    /// The chosen model with its posterior: of several that predict together the heaviest.
    pub fn fitted(&self) -> &FittedModel {
        self.members.first()
    }

    /// The encoded training rows with their labels and weights.
    pub fn training(&self) -> &Arc<TrainingData> {
        self.fitted().data()
    }

    /// What there is to tell about the fit.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Where the model comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// Adds what only the caller knows: the data's name and the time of the fit, both as text for people.
    pub fn with_origin(mut self, source: Option<String>, time: Option<String>) -> Self {
        self.provenance.source = source;
        self.provenance.time = time;
        self
    }

    /// What was asked for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The model as the bytes of a model file.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// The model in the bytes of a model file, checked in every respect: they may come from anywhere.
    pub fn from_bytes(bytes: &[u8]) -> Result<Classifier, ModelFileError> {
        file::read(bytes)
    }
}

fn training_data(
    inputs: Inputs,
    labels: &Labels,
    weights: Option<RowWeights>,
    groups: Option<Groups>,
) -> Result<Arc<TrainingData>, ClassifierError> {
    // Weights of one change nothing but would cost the closed forms that unweighted rows allow.
    let weights = weights.filter(|weights| !weights.all_one()).map(|weights| weights.as_slice().to_vec());
    Ok(Arc::new(TrainingData::weighted(inputs, labels, weights)?.grouped(groups)?))
}
