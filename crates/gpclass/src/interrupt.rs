//! Ending long work from outside.

use std::sync::atomic::{AtomicBool, Ordering};

/// Watched while long work is done; it ends soon after the flag is set. The default never ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interrupt<'a> {
    /// Set to true from anywhere.
    pub flag: Option<&'a AtomicBool>,
}

/// The flag was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was interrupted")]
pub struct Interrupted;

impl Interrupt<'_> {
    /// Whether the flag is set.
    pub fn is_set(self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    pub(crate) fn check(self) -> Result<(), Interrupted> {
        if self.is_set() { Err(Interrupted) } else { Ok(()) }
    }
}
