//! How a table is to be read.

use crate::columns::missing::MissingTokens;
use crate::columns::numbers::NumberFormat;
use crate::limits::Limits;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the bytes of a table become cells. Everything not given is sniffed from the beginning of the file.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// Field delimiter; `None` sniffs among comma, semicolon, tab and bar.
    pub delimiter: Option<u8>,
    /// Whether the first record names the columns; `None` sniffs.
    pub header: Option<bool>,
    /// Names that the caller will ask for: a first record that contains one of them is a header.
    pub expected_names: Vec<String>,
    /// Cell texts that mean "no value".
    pub missing: MissingTokens,
    /// How numbers are written.
    pub numbers: NumberFormat,
    /// How much is read at most.
    pub limits: Limits,
    /// How much of the beginning is looked at to sniff delimiter and header, in bytes; more if the first records are longer.
    pub sample_bytes: usize,
    /// Set by anyone to end the reading, which then ends in [`Interrupted`](crate::TableError::Interrupted). Asked at least
    /// once per megabyte and per column.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Who hears how far the reading of a whole table is, some times a second.
    pub listener: Option<Listener>,
}

/// How far the reading of a whole table is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Whether its values are read, or what it holds is found out first.
    pub again: bool,
    /// Rows read so far.
    pub rows: u64,
    /// The share of the table that these are, where that is known.
    pub share: Option<f64>,
}

/// Who is told how far a reading is.
#[derive(Clone)]
pub struct Listener(Arc<dyn Fn(Reading) + Send + Sync>);

impl Listener {
    /// Calls `tell`.
    pub fn new(tell: impl Fn(Reading) + Send + Sync + 'static) -> Self {
        Listener(Arc::new(tell))
    }

    pub(crate) fn hear(&self, reading: Reading) {
        (self.0)(reading);
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            delimiter: None,
            header: None,
            expected_names: Vec::new(),
            missing: MissingTokens::default(),
            numbers: NumberFormat::default(),
            limits: Limits::default(),
            sample_bytes: 64 << 10,
            interrupt: None,
            listener: None,
        }
    }
}

impl TableOptions {
    /// Whether the reading is to end.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Which columns a fit uses and how; everything not listed is inferred from the values.
#[derive(Clone, Debug, Default)]
pub struct KindOptions {
    /// Column with the class; always read as text.
    pub label: Option<String>,
    /// Columns to treat as categories even if they hold numbers.
    pub discrete: Vec<String>,
    /// Columns that must hold numbers; anything else in them is an error.
    pub continuous: Vec<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
}
