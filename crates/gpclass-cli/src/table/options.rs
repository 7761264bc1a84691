//! How a table is to be read.

use super::missing::MissingTokens;
use super::numbers::NumberFormat;

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
    /// Longest record accepted, in bytes. Bounds the memory that one line can take.
    pub max_record_bytes: usize,
    /// Most memory that the cells of a table read at once may take, in bytes.
    pub max_table_bytes: usize,
    /// How much of the beginning is looked at to sniff delimiter and header, in bytes.
    pub sample_bytes: usize,
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            delimiter: None,
            header: None,
            expected_names: Vec::new(),
            missing: MissingTokens::default(),
            numbers: NumberFormat::default(),
            max_record_bytes: 16 << 20,
            max_table_bytes: 2 << 30,
            sample_bytes: 64 << 10,
        }
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
