//! Ending a long simulation from outside.

use super::ExactError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Watched while a simulation runs; it ends soon after the flag is set. The default never ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interrupt<'a> {
    pub flag: Option<&'a AtomicBool>,
}

impl Interrupt<'_> {
    pub(super) fn check(self) -> Result<(), ExactError> {
        let set = self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if set { Err(ExactError::Interrupted) } else { Ok(()) }
    }
}
