//! How far a fit has come, kept beside its model, so that the same command goes on from there.

use crate::args::FitArgs;
use crate::error::CliError;
use crate::session::{Session, remark};
use gpclass::learn::{Journal, Resumed};
use gpclass_host::checkpoint::Checkpoint;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What means that there is to be none.
const OFF: &str = "off";

/// The file that the options name, or the one beside the model; none if there is to be none.
pub fn named(args: &FitArgs) -> Option<&Path> {
    args.checkpoint.as_deref().filter(|path| path.as_os_str() != OFF)
}

/// The seconds between two checkpoints, checked.
pub fn every(args: &FitArgs) -> Result<f64, CliError> {
    let seconds = args.checkpoint_every;
    let sensible = seconds.is_finite() && seconds >= 0.0;
    let refused = || format!("--checkpoint-every is {seconds}, but it must be a number of seconds from 0 on");
    sensible.then_some(seconds).ok_or_else(|| CliError::user(refused()))
}

/// The checkpoint of a fit.
pub struct Kept {
    file: Checkpoint,
    pub journal: Arc<Journal>,
}

impl Kept {
    /// None where there is to be none: that was said, or there is no model to stand beside.
    pub fn of(args: &FitArgs, every: f64, session: &Session) -> Result<Option<Kept>, CliError> {
        let file = match (&args.checkpoint, &args.output) {
            (Some(_), _) => named(args).map(Checkpoint::at),
            (None, Some(output)) if output.as_os_str() != "-" => Some(Checkpoint::beside(output)),
            _ => None,
        };
        let Some(file) = file else { return Ok(None) };
        let given = file.read().unwrap_or_else(|e| {
            session.remark(&format!("note: the checkpoint is not used: {e}"));
            None
        });
        let (kept, quiet, told) = (file.clone(), session.quiet, AtomicBool::new(false));
        let keep = move |bytes: &[u8]| {
            if let Err(e) = kept.write(bytes)
                && !told.swap(true, Ordering::Relaxed)
            {
                remark(quiet, &format!("note: the checkpoint cannot be written, and the fit goes on without: {e}"));
            }
        };
        let journal = Arc::new(Journal::new(every, given, Box::new(keep)));
        Ok(Some(Kept { file, journal }))
    }

    /// Says what became of an earlier one.
    pub fn tell(&self, session: &Session) {
        let path = self.file.path().display();
        match self.journal.resumed() {
            Resumed::Nothing => {}
            Resumed::Pieces(count) => session.remark(&format!(
                "note: the fit went on from the checkpoint '{path}', which had {count} of its searches and posteriors"
            )),
            Resumed::Other => session.remark(&format!(
                "note: the checkpoint '{path}' is of other rows, options or another version, and was not used"
            )),
            Resumed::Damaged => {
                session.remark(&format!("note: the checkpoint '{path}' is damaged and was not used"));
            }
        }
    }

    /// The fit is done.
    pub fn remove(&self) {
        self.file.remove();
    }
}
