//! The model file.
//!
//! All numbers are little-endian:
//!
//! ```text
//! magic "GPCLASS\n" | u32 format version | u64 length of the body | body | SHA-256 of everything before it
//! body: sections, each u16 length of its name | u8 1 if required, else 0 | u64 length | name | bytes
//! ```
//!
//! | section | bytes |
//! |---|---|
//! | `header` | the [`Header`] as CBOR: encoder, classes, models, summary, provenance, spec |
//! | `inputs` | training inputs, feature by feature: f64 for numbers, u32 position in its block for categories |
//! | `labels` | the class of every row: u16 position in the header's classes |
//! | `weights` | f64 per row; absent if there are none |
//! | `sharpness` | the power that the mixture of the models is raised to, f64; absent where it is one |
//! | `view/warped`, `view/ranked` | the [`View`] of models that see the inputs so, as CBOR; absent if there are none |
//! | `tau/k`, `nu/k`, `alpha/k`, `mean/k`, `var/k`, `slack/k` | of the model number k, from 0, of two classes or of classes against the rest: f64 per row, one latent function after the other |
//! | `inducing/k` | of a model by inducing rows: which training rows they are, u32 each |
//! | `others/k` | of the same, where rows elsewhere took part in it: the sums of their sites, of every function the lower triangle of the precisions, column by column, and the level, f64 |
//! | `residual/k` | of the same: what the inducing rows leave of each row's variance, f64 per row and function; computed again where it is absent |
//! | `left_out_mean/k`, `left_out_var/k` | of the same, where it is refined: the latent values without the rows' own labels, f64 per row |
//! | `pi/k`, `nu/k`, `alpha/k`, `mean/k` | the same of a model whose classes are inferred together |
//!
//! The covariance matrix is not stored: it follows from the inputs and is factorised on reading. A section of another
//! name is skipped unless it is marked as required: what a reader may not do without (inducing rows, say) is then an
//! error in an older program instead of a wrong model. Structures in the header may gain fields with defaults. What an
//! older reader must not misread raises the version.
//!
//! A file has at most [`MAX_FILE_BYTES`] bytes. Lengths are compared with the bytes that are there before anything is
//! allocated for them, and every number is checked against its range and against the others ([`checks`]): files may
//! come from anywhere.

mod checks;
mod columns;
mod error;
mod inputs;
mod old;
mod sections;
mod sharpness;
#[cfg(test)]
mod tests;
mod views;

pub use error::ModelFileError;

use super::member::Members;
use super::relevance;
use super::{Classifier, Member, Provenance, Spec, Summary};
use crate::data::{ClassNames, Encoder, InputView};
use crate::inference::{Kept, Refinement, Report};
use crate::kernel;
use crate::model::{KeptForm, Model, TrainingData};
use sections::{Sections, Writer};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// The version that is written, and the latest that can be read. In version 1 notes were sentences without a kind; up to
/// version 2 sections were numbered, labels were bytes and the columns of a model stood in a fixed order.
pub const FORMAT_VERSION: u32 = 3;

/// Most bytes of a model file: twice what the most training rows of the most numbers take.
pub const MAX_FILE_BYTES: u64 = 1 << 34;

/// Nesting allowed in the header: a kernel as deep as there may be, each level of which is up to three of the file, with
/// what stands around it and within its leaves.
const MAX_DEPTH: usize = 16 + 3 * kernel::MAX_NESTING;

/// Everything of a classifier but its long columns.
#[derive(Serialize, Deserialize)]
struct Header {
    rows: usize,
    /// Latent functions of every model: one for two classes, else one for each.
    #[serde(default = "one")]
    functions: usize,
    encoder: Encoder,
    classes: ClassNames,
    members: Vec<MemberHeader>,
    summary: Summary,
    provenance: Provenance,
    spec: Spec,
}

fn one() -> usize {
    1
}

#[derive(Serialize, Deserialize)]
struct MemberHeader {
    name: String,
    weight: f64,
    model: Model,
    /// How it sees the inputs.
    #[serde(default, skip_serializing_if = "InputView::is_standardised")]
    view: InputView,
    log_z: f64,
    observation_var: f64,
    report: Report,
    /// Derivative of the log evidence in the label error, of classes that are inferred together.
    #[serde(default)]
    by_label_error: f64,
    /// Of classes against the rest: what each one has for itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    against_rest: Vec<FunctionHeader>,
    /// Of a model by inducing rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sparse: Option<SparseHeader>,
}

#[derive(Serialize, Deserialize)]
struct SparseHeader {
    jitter: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refinement: Option<Refinement>,
}

#[derive(Serialize, Deserialize)]
struct FunctionHeader {
    log_z: f64,
    observation_var: f64,
    report: Report,
}

pub(super) fn write(classifier: &Classifier) -> Vec<u8> {
    let kept: Vec<KeptForm> = classifier.members().iter().map(|member| member.fitted().keep()).collect();
    let data = classifier.training();
    let header = Header {
        rows: data.rows(),
        functions: classifier.fitted().functions(),
        encoder: classifier.encoder.clone(),
        classes: classifier.classes.clone(),
        members: classifier.members().iter().zip(&kept).map(|(member, kept)| member_header(member, kept)).collect(),
        summary: classifier.summary.clone(),
        provenance: classifier.provenance.clone(),
        spec: classifier.spec.clone(),
    };
    let mut cbor = Vec::new();
    ciborium::into_writer(&header, &mut cbor).expect("plain structures can be written to memory");
    let mut writer = Writer::new();
    writer.required("header", &cbor);
    writer.required("inputs", &inputs::pack(data.given()));
    writer.required("labels", &columns::pack_labels(data.labels()));
    if let Some(weights) = data.weights() {
        writer.required("weights", &columns::bytes_of(weights));
    }
    sharpness::write(classifier.sharpness(), &mut writer);
    views::write(classifier.members(), &mut writer);
    for (member, kept) in kept.iter().enumerate() {
        for (name, column) in columns::of(kept) {
            writer.required(&columns::section(name, member), &columns::bytes_of(&column));
        }
        if let Some(sparse) = kept.sparse() {
            let bytes = columns::pack_inducing(&sparse.inducing);
            writer.required(&columns::section(columns::INDUCING, member), &bytes);
        }
        if let Some((name, column)) = columns::of_residual(kept) {
            writer.section(&columns::section(name, member), false, &columns::bytes_of(&column));
        }
        for (name, column) in columns::of_left_out(kept).into_iter().chain(columns::of_others(kept)) {
            writer.required(&columns::section(name, member), &columns::bytes_of(&column));
        }
    }
    writer.finish()
}

fn member_header(member: &Member, kept: &KeptForm) -> MemberHeader {
    let function = |kept: &Kept| FunctionHeader {
        log_z: kept.log_z,
        observation_var: kept.observation_var,
        report: kept.report.clone(),
    };
    let (observation_var, by_label_error, against_rest) = match kept {
        KeptForm::Binary(kept) => (kept.observation_var, 0.0, Vec::new()),
        KeptForm::Joint(kept) => (0.0, kept.by_label_error, Vec::new()),
        KeptForm::OneVsRest(each) => (0.0, 0.0, each.iter().map(function).collect()),
    };
    MemberHeader {
        name: member.name.clone(),
        weight: member.weight,
        model: member.fitted().model().clone(),
        view: member.fitted().data().view().kind(),
        log_z: member.fitted().log_evidence(),
        observation_var,
        report: member.fitted().report().clone(),
        by_label_error,
        against_rest,
        sparse: kept
            .sparse()
            .map(|sparse| SparseHeader { jitter: sparse.inducing.jitter, refinement: sparse.refinement }),
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Classifier, ModelFileError> {
    let sections = Sections::open(bytes)?;
    let header: Header = ciborium::de::from_reader_with_recursion_limit(sections.required("header")?, MAX_DEPTH)
        .map_err(|e| ModelFileError::nonsense("header", e))?;
    checks::header(&header)?;
    let sections = sections.modern(header.rows, header.members.len())?;
    sections.refuse_unknown(|name| is_known(name, header.members.len()))?;
    let labels = columns::labels(sections.required("labels")?, &header)?;
    let inputs = inputs::unpack(sections.required("inputs")?, header.rows, &header.encoder)?;
    let weights = sections.optional("weights").map(|bytes| columns::numbers(bytes, header.rows, "weights"));
    let data = TrainingData::weighted(inputs, labels, weights.transpose()?)
        .map_err(|e| ModelFileError::nonsense("rows", e))?;
    let data = match &header.summary.loo_rows {
        Some(rows) => data.scored_by(rows.clone()).map_err(|e| ModelFileError::nonsense("rows", e))?,
        None => data,
    };
    let views = views::read(&header.members, &sections, &Arc::new(data))?;
    let sharpness = sharpness::read(&sections, header.summary.sharpness)?;
    let members = Members::new(members(&header, &sections, &views)?, sharpness);
    let Header { encoder, classes, mut summary, provenance, spec, .. } = header;
    // Earlier versions had other names for some of them.
    let chosen = members.first().model();
    summary.likelihood = chosen.likelihood.name().to_owned();
    summary.method = chosen.method.name().to_owned();
    if summary.relevances.iter().any(|relevance| relevance.error.is_nan()) {
        // Earlier versions told what the prior makes of the features, not the data.
        summary.relevances = relevance::of(&members).map_err(|e| ModelFileError::nonsense("models", e))?;
    }
    Ok(Classifier { encoder, classes, members, summary, provenance, spec, novelty: OnceLock::new() })
}

fn is_known(name: &str, members: usize) -> bool {
    ["header", "inputs", "labels", "weights", sharpness::SECTION].contains(&name)
        || InputView::ALL.iter().any(|&view| views::section(view) == name)
        || (0..members).any(|member| columns::names().any(|column| columns::section(column, member) == name))
}

/// The models; `data` are the rows as each one sees them.
fn members(
    header: &Header,
    sections: &Sections<'_>,
    data: &[Arc<TrainingData>],
) -> Result<Vec<Member>, ModelFileError> {
    let restore = |((number, member), data): ((usize, &MemberHeader), &Arc<TrainingData>)| {
        let kernel = &member.model.kernel;
        kernel.check(data.inputs()).map_err(|e| ModelFileError::nonsense("models", e))?;
        let kept = columns::kept(sections, number, header, member, data.inputs())?;
        checks::kept(&kept, &kernel.diag(data.inputs()))?;
        let fitted = member.model.restore(data, kept).map_err(|e| ModelFileError::nonsense("posteriors", e))?;
        Ok(Member { name: member.name.clone(), weight: member.weight, fitted })
    };
    header.members.iter().enumerate().zip(data).map(restore).collect()
}
