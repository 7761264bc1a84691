//! What a running command has at hand: its manners, its interrupt, its progress.

use crate::args::GlobalArgs;
use crate::error::CliError;
use crate::input;
use crate::progress::Progress;
use crate::show::printable::page;
use gpclass::interrupt::Interrupt;
use gpclass::learn::Control;
use gpclass_host::output::Output;
use gpclass_table::{TableOptions, TableReader};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One run of the program.
pub struct Session {
    pub quiet: bool,
    pub json: bool,
    /// What `--memory` allows, in bytes.
    pub memory: Option<u64>,
    /// Threads that work.
    pub threads: usize,
    interrupt: Arc<AtomicBool>,
}

impl Session {
    /// `interrupt` is set by Ctrl-C.
    pub fn new(global: &GlobalArgs, threads: usize, interrupt: Arc<AtomicBool>) -> Self {
        Session { quiet: global.quiet, json: global.json, memory: global.memory, threads, interrupt }
    }

    pub fn progress(&self) -> Progress {
        Progress::new(self.quiet)
    }

    /// A handle on a fit that shows its course and heeds Ctrl-C.
    pub fn control(&self, progress: &Progress) -> Control {
        let (watcher, teller) = (Some(progress.watcher()), Some(progress.teller()));
        Control { watcher, teller, ..self.silent_control() }
    }

    /// A handle on a fit among many: it heeds Ctrl-C and is silent.
    pub fn silent_control(&self) -> Control {
        let (interrupt, memory) = (Some(Arc::clone(&self.interrupt)), self.memory_limit());
        Control { interrupt, memory, ..Control::default() }
    }

    /// Bytes of memory that a fit may take: what is allowed, or what is available.
    pub fn memory_limit(&self) -> Option<f64> {
        self.memory.or_else(gpclass_host::memory::available).map(|bytes| bytes as f64)
    }

    /// Opens a table, the reading of which heeds Ctrl-C; "-" is standard input.
    pub fn open(&self, path: &Path, options: TableOptions) -> Result<TableReader, CliError> {
        input::open(path, TableOptions { interrupt: Some(Arc::clone(&self.interrupt)), ..options })
    }

    /// What long work watches.
    pub fn interrupt(&self) -> Interrupt<'_> {
        Interrupt { flag: Some(&self.interrupt), ..Interrupt::default() }
    }

    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// An error if the user has interrupted.
    pub fn check(&self) -> Result<(), CliError> {
        if self.interrupted() { Err(CliError::Interrupted) } else { Ok(()) }
    }

    /// A remark on standard error.
    pub fn remark(&self, text: &str) {
        remark(self.quiet, text);
    }

    /// Facts about a run on standard error, as one line of JSON, which [`json_line`](crate::show::json_line) has made harmless
    /// already and which must stay whole.
    pub fn remark_json(&self, line: &str) {
        if !self.quiet {
            // Nobody can be told that standard error is gone.
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
    }

    /// Writes a result to standard output: text for people, without anything that a terminal would act on, or JSON,
    /// which [`json`](crate::show::json) has made harmless already.
    pub fn print(&self, text: &str) -> Result<(), CliError> {
        write_text(Path::new("-"), &page(text))
    }
}

/// A remark on standard error, unless nobody wants any.
pub fn remark(quiet: bool, text: &str) {
    if !quiet {
        // Nobody can be told that standard error is gone.
        let _ = std::io::stderr().write_all(page(&format!("{text}\n")).as_bytes());
    }
}

/// Writes text to a file as a whole, or to standard output for "-".
pub fn write_text(path: &Path, text: &str) -> Result<(), CliError> {
    write_bytes(path, text.as_bytes())
}

/// Writes bytes to a file as a whole, or to standard output for "-".
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    Ok(prepared(path, bytes)?.commit()?)
}

/// An output that is complete but for its name, which it takes when it is committed.
pub fn prepared(path: &Path, bytes: &[u8]) -> Result<Output, CliError> {
    let mut output = Output::create(path)?;
    output.write_all(bytes).map_err(|e| output.explain(e))?;
    Ok(output)
}
