//! Ending long work from outside.

use std::sync::atomic::{AtomicBool, Ordering};

/// Watched while long work is done; it ends soon after the flag is set. The default never ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interrupt<'a> {
    /// Set to true from anywhere.
    pub flag: Option<&'a AtomicBool>,
    /// Ends the work by itself.
    pub deadline: Option<Deadline>,
}

/// A moment by which work is to end; where the platform has no clock it never comes.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    #[cfg(not(target_family = "wasm"))]
    at: Option<std::time::Instant>,
}

impl Deadline {
    /// That many seconds from now.
    pub fn after(seconds: f64) -> Self {
        #[cfg(target_family = "wasm")]
        let _ = seconds;
        Deadline {
            #[cfg(not(target_family = "wasm"))]
            at: std::time::Duration::try_from_secs_f64(seconds.max(0.0))
                .ok()
                .and_then(|time| std::time::Instant::now().checked_add(time)),
        }
    }

    /// Whether it has come.
    pub fn has_passed(self) -> bool {
        #[cfg(not(target_family = "wasm"))]
        return self.at.is_some_and(|at| std::time::Instant::now() >= at);
        #[cfg(target_family = "wasm")]
        return false;
    }
}

/// The flag was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was interrupted")]
pub struct Interrupted;

impl Interrupt<'_> {
    /// Whether the flag is set, or the time is up.
    pub fn is_set(self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) || self.deadline.is_some_and(Deadline::has_passed)
    }

    pub(crate) fn check(self) -> Result<(), Interrupted> {
        if self.is_set() { Err(Interrupted) } else { Ok(()) }
    }
}
