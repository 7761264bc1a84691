//! Where a model comes from.

use super::Spec;
use crate::model::TrainingData;
use serde::{Deserialize, Serialize};
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
            data_digest: hexadecimal(&data.digest()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: spec.fit.seed,
            source: None,
            time: None,
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
