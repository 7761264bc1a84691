//! Ctrl-C: the first asks the work to stop, the second ends the process.

use crate::error::INTERRUPTED;
use crate::output::remove_unfinished;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first Ctrl-C (or termination signal) sets; the second clears unfinished files away and exits.
pub fn watch() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    // Without a handler an interrupt ends the process at once, which is a lesser service but no failure.
    let _ = ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            remove_unfinished();
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    flag
}
