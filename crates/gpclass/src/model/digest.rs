//! What tells one set of training rows from another.

use super::TrainingData;
use sha2::{Digest, Sha256};

impl TrainingData {
    /// SHA-256 over the rows as the encoder gave them, their weights and their labels.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut numbers = |values: &[f64]| values.iter().for_each(|v| hash.update(v.to_le_bytes()));
        numbers(self.given().values().as_slice());
        numbers(self.weights().unwrap_or_default());
        // A byte each where that is enough, as ever.
        let wide = self.targets().count() > usize::from(u8::MAX) + 1;
        for class in self.labels() {
            let code = class.code().to_le_bytes();
            hash.update(if wide { &code[..] } else { &code[..1] });
        }
        hash.finalize().into()
    }
}
