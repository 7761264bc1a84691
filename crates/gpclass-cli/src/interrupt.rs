//! Ctrl-C: the first asks the work to stop and gives it a moment, the second ends the process.

use crate::error::{CliError, INTERRUPTED};
use gpclass_host::output::abandon;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long work that was interrupted may take to come to an end of its own.
const PATIENCE: Duration = Duration::from_millis(700);

/// What work may do after an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterInterrupt {
    /// End soon, or be left.
    Hurry,
    /// Take the time that the step in progress takes, for its result is wanted.
    Finish,
}

enum Event {
    Interrupted,
    Ended(Result<Result<(), CliError>, Box<dyn Any + Send>>),
}

/// Runs `work` beside this thread, with a flag that the first Ctrl-C (or termination signal) sets. Work that then does
/// not end soon is left behind: the caller must end the process.
pub fn heeded(
    after: AfterInterrupt,
    work: impl FnOnce(Arc<AtomicBool>) -> Result<(), CliError> + Send + 'static,
) -> Result<(), CliError> {
    let flag = Arc::new(AtomicBool::new(false));
    let (sender, events) = channel();
    watch(Arc::clone(&flag), sender.clone());
    let run = move || {
        let end = catch_unwind(AssertUnwindSafe(|| work(flag)));
        // Nobody listens if the process is ending.
        let _ = sender.send(Event::Ended(end));
    };
    let started = std::thread::Builder::new().spawn(run);
    started.map_err(|e| CliError::user(format!("cannot start a thread: {e}; end other programs and try again")))?;
    wait(&events, after)
}

fn wait(events: &Receiver<Event>, after: AfterInterrupt) -> Result<(), CliError> {
    let mut event = events.recv().map_err(|_| RecvTimeoutError::Disconnected);
    while matches!(event, Ok(Event::Interrupted)) {
        event = match after {
            AfterInterrupt::Hurry => events.recv_timeout(PATIENCE),
            AfterInterrupt::Finish => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
    }
    match event {
        Ok(Event::Ended(end)) => end.unwrap_or_else(|panic| resume_unwind(panic)),
        _ => Err(CliError::Interrupted),
    }
}

/// The first interrupt sets the flag; the second clears unfinished files away and exits.
fn watch(flag: Arc<AtomicBool>, events: Sender<Event>) {
    // Without a handler an interrupt ends the process at once, which is a lesser service but no failure.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            abandon();
            std::process::exit(i32::from(INTERRUPTED));
        }
        let _ = events.send(Event::Interrupted);
    });
}
