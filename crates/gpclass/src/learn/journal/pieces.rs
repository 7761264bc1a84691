//! What is noted: the end of a search, and the posterior of a model.

use crate::inference::{Kept, KeptSparse, Refinement, Report};
use crate::learn::search::{Design, LeftOut};
use crate::learn::{Course, Learned};
use crate::likelihood::Gaussian;
use crate::model::{KeptForm, Model, TrainingData};
use crate::posterior::Sites;
use crate::prior::Inducing;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// The end of the search of a candidate.
#[derive(Serialize, Deserialize)]
pub(in crate::learn) struct SearchPiece {
    pub model: Model,
    pub design: Design,
    pub course: Course,
    error: f64,
    nlp: f64,
    of_labels: Numbers,
}

impl SearchPiece {
    pub fn new(model: &Model, design: Design, course: &Course, judged: &LeftOut) -> Self {
        let LeftOut { error, nlp, of_labels } = judged.clone();
        SearchPiece { model: model.clone(), design, course: course.clone(), error, nlp, of_labels: Numbers(of_labels) }
    }

    pub fn judged(&self) -> LeftOut {
        LeftOut { error: self.error, nlp: self.nlp, of_labels: self.of_labels.0.clone() }
    }
}

/// The posterior of a model of all rows.
#[derive(Serialize, Deserialize)]
pub(in crate::learn) struct PosteriorPiece {
    model: Model,
    course: Course,
    /// Of two classes one, else one for every class.
    functions: Vec<FunctionPiece>,
}

#[derive(Serialize, Deserialize)]
struct FunctionPiece {
    columns: Vec<Numbers>,
    log_z: f64,
    observation_var: f64,
    report: Report,
    sparse: Option<SparsePiece>,
    left_out: Option<(Numbers, Numbers)>,
}

#[derive(Serialize, Deserialize)]
struct SparsePiece {
    rows: Vec<usize>,
    jitter: f64,
    refinement: Option<Refinement>,
    residual: Option<Numbers>,
}

impl PosteriorPiece {
    /// None for classes that are inferred together, for inducing rows that are no training rows, and where rows elsewhere took
    /// part.
    pub fn new(learned: &Learned) -> Option<Self> {
        let kept = match learned.fitted.keep() {
            KeptForm::Binary(kept) => vec![kept],
            KeptForm::OneVsRest(each) => each,
            KeptForm::Joint(_) => return None,
        };
        let functions = kept.into_iter().map(FunctionPiece::new).collect::<Option<_>>()?;
        Some(PosteriorPiece { model: learned.fitted.model().clone(), course: learned.course.clone(), functions })
    }

    /// The model as it was; none where the piece is not of these rows.
    pub fn learned(self, data: &Arc<TrainingData>) -> Option<Learned> {
        let mut kept = self.functions.into_iter().map(|one| one.kept(data)).collect::<Option<Vec<Kept>>>()?;
        let kept = if data.targets().count() == 2 { KeptForm::Binary(kept.pop()?) } else { KeptForm::OneVsRest(kept) };
        let fitted = self.model.restore(data, kept).ok()?;
        Some(Learned { fitted, course: self.course })
    }
}

impl FunctionPiece {
    fn new(kept: Kept) -> Option<Self> {
        if kept.others.is_some() {
            return None;
        }
        let columns = kept.columns().map(|column| Numbers(column.to_vec())).into();
        let sparse = match kept.sparse {
            None => None,
            Some(KeptSparse { inducing, refinement, residual }) => Some(SparsePiece {
                rows: inducing.training_rows?.to_vec(),
                jitter: inducing.jitter,
                refinement,
                residual: residual.map(Numbers),
            }),
        };
        let both = |latents: Vec<Gaussian>| {
            let of = |value: fn(&Gaussian) -> f64| Numbers(latents.iter().map(value).collect());
            (of(|latent| latent.mean), of(|latent| latent.var))
        };
        let Kept { log_z, observation_var, report, left_out, .. } = kept;
        Some(FunctionPiece { columns, log_z, observation_var, report, sparse, left_out: left_out.map(both) })
    }

    fn kept(self, data: &TrainingData) -> Option<Kept> {
        let columns: [Numbers; 6] = self.columns.try_into().ok()?;
        let [tau, nu, alpha, mean, var, slack] = columns.map(|column| column.0);
        let sparse = match self.sparse {
            None => None,
            Some(SparsePiece { rows, jitter, refinement, residual }) => {
                if rows.iter().any(|&row| row >= data.rows()) {
                    return None;
                }
                let inducing = Inducing { jitter, ..Inducing::of_training(data.inputs(), rows) };
                Some(KeptSparse { inducing, refinement, residual: residual.map(|residual| residual.0) })
            }
        };
        let whole = |(mean, var): (Numbers, Numbers)| {
            mean.0.into_iter().zip(var.0).map(|(mean, var)| Gaussian { mean, var }).collect::<Vec<_>>()
        };
        let left_out = self.left_out.map(whole);
        if left_out.as_ref().is_some_and(|latents| latents.len() != data.rows()) {
            return None;
        }
        let (log_z, observation_var, report) = (self.log_z, self.observation_var, self.report);
        let sites = Sites { tau, nu };
        Some(Kept { sites, alpha, mean, var, slack, log_z, observation_var, report, sparse, others: None, left_out })
    }
}

/// Numbers as their bytes: as long columns are read and written quickly, to the last bit.
struct Numbers(Vec<f64>);

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|number| number.to_le_bytes()).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Numbers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of numbers")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Numbers, E> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(E::invalid_length(bytes.len(), &self));
        }
        Ok(Numbers(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Numbers, E> {
        self.visit_bytes(&bytes)
    }
}
