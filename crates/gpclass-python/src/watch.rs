//! Long work beside Python: the interpreter is free meanwhile, signals are heard, progress is told.

use gpclass::learn::{Control, TraceEntry};
use gpclass::linalg::with_threads;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often a running fit looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// How long work that was interrupted may take to come to an end of its own.
const PATIENCE: Duration = Duration::from_millis(700);

/// An accepted point of the search of that label.
type Event = (String, TraceEntry);

/// Runs `work` in a thread of its own with `threads` threads (all cores if `None`), calling `callback` from this one
/// with every accepted iteration. A signal such as Ctrl-C, or an exception of the callback, asks the work to end and is
/// raised within a second; work that has not ended by then goes on unseen until it notices.
pub fn watched<R: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(&Control) -> R + Send + 'static,
) -> PyResult<R> {
    watched_by(py, threads, callback, AfterInterrupt::Raise, work).map(|(result, _)| result)
}

/// What becomes of work when Ctrl-C is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterInterrupt {
    /// It is asked to end, and `KeyboardInterrupt` is raised.
    Raise,
    /// It is asked to end, and its result is awaited; the second time it is raised.
    Finish,
}

/// As [`watched`], with whether the work was asked to end and its result was awaited.
pub fn watched_by<R: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    callback: Option<&Py<PyAny>>,
    after: AfterInterrupt,
    work: impl FnOnce(&Control) -> R + Send + 'static,
) -> PyResult<(R, bool)> {
    py.detach(|| {
        let interrupt = Arc::new(AtomicBool::new(false));
        let (sender, events) = channel::<Event>();
        let flag = Arc::clone(&interrupt);
        let worker = std::thread::Builder::new().spawn(move || {
            let watcher = move |label: &str, entry: &TraceEntry| {
                // Nobody listens after a failure.
                let _ = sender.send((label.to_owned(), entry.clone()));
            };
            let control = Control { interrupt: Some(flag), watcher: Some(Arc::new(watcher)), ..Control::default() };
            on_threads(threads, || work(&control))
        })?;
        if let Some(failure) = listen(&events, callback, &interrupt, after) {
            return Err(failure);
        }
        let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((result, interrupt.load(Ordering::Relaxed)))
    })
}

/// Runs `work` with a number of threads, or with the library's own choice.
pub fn on_threads<R: Send>(threads: Option<usize>, work: impl FnOnce() -> R + Send) -> R {
    match threads {
        Some(threads) => with_threads(threads, work),
        None => work(),
    }
}

/// Passes events on until the worker is done; returns the first exception, soon after it was raised.
fn listen(
    events: &Receiver<Event>,
    callback: Option<&Py<PyAny>>,
    interrupt: &AtomicBool,
    after: AfterInterrupt,
) -> Option<PyErr> {
    loop {
        let event = match events.recv_timeout(POLL) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        if event.is_some() && callback.is_none() {
            continue;
        }
        if let Err(failure) = Python::attach(|py| attend(py, event, callback)) {
            let first = !interrupt.swap(true, Ordering::Relaxed);
            let pressed = Python::attach(|py| failure.is_instance_of::<PyKeyboardInterrupt>(py));
            if first && pressed && after == AfterInterrupt::Finish {
                continue;
            }
            let end = Instant::now() + PATIENCE;
            while let Some(left) = end.checked_duration_since(Instant::now())
                && !matches!(events.recv_timeout(left), Err(RecvTimeoutError::Disconnected))
            {}
            return Some(failure);
        }
    }
}

fn attend(py: Python<'_>, event: Option<Event>, callback: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some((label, entry)), Some(callback)) = (event, callback) {
        callback.call1(py, (entry_dict(py, &label, &entry)?,))?;
    }
    Ok(())
}

fn entry_dict<'py>(py: Python<'py>, label: &str, entry: &TraceEntry) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("candidate", label)?;
    dict.set_item("iteration", entry.iteration)?;
    dict.set_item("objective", entry.objective)?;
    dict.set_item("log_evidence", entry.log_evidence)?;
    dict.set_item("loo_error", entry.loo_error)?;
    dict.set_item("loo_nlp", entry.loo_nlp)?;
    dict.set_item("seconds", entry.seconds)?;
    Ok(dict)
}
