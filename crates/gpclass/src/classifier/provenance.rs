//! Where a model comes from.

use super::Spec;
use crate::model::TrainingData;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What is known of a model's origin. The library reads no clock and no file, so the last two are the caller's to give.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// SHA-256 over the encoded training rows, their labels and weights, in hexadecimal.
    pub data_digest: String,
    /// Version of the library that fitted it.
    pub version: String,
    /// Seed of every random choice in the fit.
    pub seed: u64,
    /// Name of the data.
    pub source: Option<String>,
    /// When it was fitted.
    pub time: Option<String>,
}

impl Provenance {
    pub(super) fn new(data: &TrainingData, spec: &Spec) -> Self {
        Provenance {
            data_digest: digest(data),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: spec.fit.seed,
            source: None,
            time: None,
        }
    }
}

fn digest(data: &TrainingData) -> String {
    let mut hash = Sha256::new();
    let mut numbers = |values: &[f64]| values.iter().for_each(|v| hash.update(v.to_le_bytes()));
    numbers(data.given().values().as_slice());
    numbers(data.weights().unwrap_or_default());
    // A byte each where that is enough, as ever.
    let wide = data.targets().count() > usize::from(u8::MAX) + 1;
    for class in data.labels() {
        let code = class.code().to_le_bytes();
        hash.update(if wide { &code[..] } else { &code[..1] });
    }
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
