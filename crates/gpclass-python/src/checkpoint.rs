//! How far a fit has come, kept in a file, so that the same fit goes on from there after its process has died.

use gpclass::learn::{Journal, Resumed};
use gpclass_host::checkpoint::Checkpoint;
use pyo3::prelude::*;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The checkpoint of a fit.
pub struct Kept {
    file: Checkpoint,
    pub journal: Arc<Journal>,
    /// The first thing that went wrong with the file.
    failure: Arc<Mutex<Option<String>>>,
}

impl Kept {
    /// The one at `path`, kept at most every so many seconds.
    pub fn at(path: &str, every: f64) -> Kept {
        let file = Checkpoint::at(Path::new(path));
        let failure = Arc::new(Mutex::new(None));
        let given = file.read().unwrap_or_else(|e| {
            note(&failure, format!("the checkpoint is not used: {e}"));
            None
        });
        let (kept, failed) = (file.clone(), Arc::clone(&failure));
        let keep = move |bytes: &[u8]| {
            if let Err(e) = kept.write(bytes) {
                note(&failed, format!("the checkpoint could not be written, and the fit went on without: {e}"));
            }
        };
        Kept { journal: Arc::new(Journal::new(every, given, Box::new(keep))), file, failure }
    }

    /// Warns of what was wrong with the file and takes it away: the fit is done.
    pub fn finish(self, py: Python<'_>) -> PyResult<()> {
        let path = self.file.path().display();
        let unused = match self.journal.resumed() {
            Resumed::Nothing | Resumed::Pieces(_) => None,
            Resumed::Other => Some(format!("the checkpoint '{path}' is of another fit and was not used")),
            Resumed::Damaged => Some(format!("the checkpoint '{path}' is damaged and was not used")),
        };
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.file.remove();
        let warnings = py.import("warnings")?;
        for text in unused.into_iter().chain(failure) {
            warnings.call_method1("warn", (text,))?;
        }
        Ok(())
    }
}

fn note(failure: &Mutex<Option<String>>, text: String) {
    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
}
