//! The model file.
//!
//! All numbers are little-endian:
//!
//! ```text
//! magic "GPCLASS\n" | u32 format version | u64 length of the body | body | SHA-256 of everything before it
//! body: sections, each u32 tag | u64 length | bytes
//! ```
//!
//! | tag | section |
//! |---|---|
//! | 1 | the [`Header`] as CBOR: encoder, classes, models, summary, provenance, spec |
//! | 2 | training inputs, feature by feature: f64 for numbers, u32 position in its block for categories |
//! | 3 | labels: a byte each, 0 negative, 1 positive |
//! | 4 | weights: f64; absent if there are none |
//! | 5 | for every model six columns of f64: tau, nu, alpha, mean, variance, slack |
//!
//! The covariance matrix is not stored: it follows from the inputs and is factorised on reading. Sections of other tags
//! are skipped, and structures in the header may gain fields with defaults, so that files stay readable; what an older
//! reader must not misread raises the version.

mod error;
mod inputs;
mod sections;

pub use error::ModelFileError;

use super::{Classifier, MAX_ROWS, Member, Provenance, Spec, Summary};
use crate::data::{Class, ClassNames, Encoder, Targets};
use crate::inference::{Kept, Report};
use crate::model::{Model, TrainingData};
use crate::posterior::Sites;
use sections::{Sections, Writer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The version that is written, and the latest that can be read. In version 1 notes were sentences without a kind.
pub const FORMAT_VERSION: u32 = 2;

/// Most bytes of a model file.
pub const MAX_FILE_BYTES: u64 = 1 << 34;

const HEADER: u32 = 1;
const INPUTS: u32 = 2;
const LABELS: u32 = 3;
const WEIGHTS: u32 = 4;
const POSTERIORS: u32 = 5;
/// Numbers per row and model in section 5.
const COLUMNS: usize = 6;
/// Nesting allowed in the header: far more than any model has, little enough for the stack.
const MAX_DEPTH: usize = 64;

/// Everything of a classifier but its long columns.
#[derive(Serialize, Deserialize)]
struct Header {
    rows: usize,
    encoder: Encoder,
    classes: ClassNames,
    members: Vec<MemberHeader>,
    summary: Summary,
    provenance: Provenance,
    spec: Spec,
}

#[derive(Serialize, Deserialize)]
struct MemberHeader {
    name: String,
    weight: f64,
    model: Model,
    log_z: f64,
    observation_var: f64,
    report: Report,
}

pub(super) fn write(classifier: &Classifier) -> Vec<u8> {
    let kept: Vec<Kept> = classifier.members.iter().map(|member| member.fitted().inferred().keep()).collect();
    let data = classifier.training();
    let header = Header {
        rows: data.rows(),
        encoder: classifier.encoder.clone(),
        classes: classifier.classes.clone(),
        members: classifier.members.iter().zip(&kept).map(|(member, kept)| member_header(member, kept)).collect(),
        summary: classifier.summary.clone(),
        provenance: classifier.provenance.clone(),
        spec: classifier.spec.clone(),
    };
    let mut cbor = Vec::new();
    ciborium::into_writer(&header, &mut cbor).expect("plain structures can be written to memory");
    let mut writer = Writer::new();
    writer.section(HEADER, &cbor);
    writer.section(INPUTS, &inputs::pack(data.inputs()));
    writer.section(LABELS, &data.labels().iter().map(|class| class.code() as u8).collect::<Vec<u8>>());
    if let Some(weights) = data.weights() {
        writer.section(WEIGHTS, &sections::bytes_of(weights));
    }
    let columns = kept.iter().flat_map(|kept| kept.columns().map(sections::bytes_of));
    writer.section(POSTERIORS, &columns.collect::<Vec<_>>().concat());
    writer.finish()
}

fn member_header(member: &Member, kept: &Kept) -> MemberHeader {
    MemberHeader {
        name: member.name.clone(),
        weight: member.weight,
        model: member.fitted.model().clone(),
        log_z: kept.log_z,
        observation_var: kept.observation_var,
        report: kept.report.clone(),
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Classifier, ModelFileError> {
    let sections = Sections::open(bytes)?;
    let header: Header =
        ciborium::de::from_reader_with_recursion_limit(sections.required(HEADER, "header")?, MAX_DEPTH)
            .map_err(|e| ModelFileError::nonsense("header", e))?;
    check_header(&header)?;
    let labels = labels(sections.required(LABELS, "labels")?, header.rows)?;
    let inputs = inputs::unpack(sections.required(INPUTS, "inputs")?, header.rows, &header.encoder)?;
    let weights =
        sections.optional(WEIGHTS).map(|bytes| sections::numbers(bytes, header.rows, "weights")).transpose()?;
    let data = TrainingData::weighted(inputs, labels, weights).map_err(|e| ModelFileError::nonsense("rows", e))?;
    let members = members(&header, sections.required(POSTERIORS, "posteriors")?, &Arc::new(data))?;
    let Header { encoder, classes, summary, provenance, spec, .. } = header;
    Ok(Classifier { encoder, classes, members, summary, provenance, spec })
}

/// The header's own promises, before anything is allocated for them.
fn check_header(header: &Header) -> Result<(), ModelFileError> {
    let (rows, summary) = (header.rows, &header.summary);
    if rows > MAX_ROWS {
        return Err(ModelFileError::nonsense("header", format!("it announces {rows} rows, more than {MAX_ROWS}")));
    }
    let features = header.encoder.features().len();
    let counts_agree = summary.rows == rows
        && summary.loo_probability.rows() == rows
        && summary.suspects.probability.len() == rows
        && summary.features.len() == features
        && summary.relevances.len() == features;
    let total: f64 = header.members.iter().map(|member| member.weight).sum();
    let shares = header.members.iter().all(|m| m.weight > 0.0 && m.weight <= 1.0) && (total - 1.0).abs() < 1e-9;
    if !counts_agree || !shares {
        return Err(ModelFileError::nonsense("header", "its counts contradict each other"));
    }
    Ok(())
}

fn labels(bytes: &[u8], rows: usize) -> Result<Targets, ModelFileError> {
    if bytes.len() != rows {
        return Err(ModelFileError::nonsense("labels", format!("there are {} for {rows} rows", bytes.len())));
    }
    let classes = bytes.iter().map(|byte| Class::from(u16::from(*byte))).collect();
    Targets::new(classes, 2).ok_or_else(|| ModelFileError::nonsense("labels", "one of them is of no class"))
}

fn members(header: &Header, bytes: &[u8], data: &Arc<TrainingData>) -> Result<Vec<Member>, ModelFileError> {
    let rows = header.rows;
    let total = rows * COLUMNS * header.members.len();
    let numbers = sections::numbers(bytes, total, "posteriors")?;
    let restore = |(member, part): (&MemberHeader, &[f64])| {
        let mut columns = part.chunks_exact(rows).map(<[f64]>::to_vec);
        let mut next = || columns.next().unwrap_or_default();
        let sites = Sites { tau: next(), nu: next() };
        let (alpha, mean, var, slack) = (next(), next(), next(), next());
        let MemberHeader { log_z, observation_var, .. } = *member;
        let kept = Kept { sites, alpha, mean, var, slack, log_z, observation_var, report: member.report.clone() };
        let fitted = member.model.restore(data, kept).map_err(|e| ModelFileError::nonsense("posteriors", e))?;
        Ok(Member { name: member.name.clone(), weight: member.weight, fitted })
    };
    header.members.iter().zip(numbers.chunks_exact((rows * COLUMNS).max(1))).map(restore).collect()
}
