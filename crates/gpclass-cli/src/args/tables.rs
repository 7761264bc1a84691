//! Options about tables.

use clap::{Args, ValueEnum};
use gpclass_table::{KindOptions, MissingTokens, NumberFormat, TableOptions};

/// Which columns of a table of labelled rows are used, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Columns")]
pub struct ColumnArgs {
    /// Column with the class of each row
    #[arg(long, value_name = "COLUMN")]
    pub label: String,
    /// Of two classes the one whose probability is given; by default the second in order (1 of 0 and 1, yes of no and yes)
    #[arg(long, value_name = "CLASS")]
    pub positive: Option<String>,
    /// Columns to take as categories though they hold numbers, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub discrete: Vec<String>,
    /// Columns that must hold numbers, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub continuous: Vec<String>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub drop: Vec<String>,
    /// Column with the weight of each row
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
}

impl ColumnArgs {
    /// For the reader. Columns with a use of their own are read like features, to be taken out afterwards.
    pub fn kinds(&self, as_text: Option<&str>) -> KindOptions {
        let extend = |list: &[String], more: Option<&str>| {
            let mut list = list.to_vec();
            list.extend(more.map(str::to_owned));
            list
        };
        KindOptions {
            label: Some(self.label.clone()),
            discrete: extend(&self.discrete, as_text),
            continuous: extend(&self.continuous, self.weights.as_deref()),
            drop: self.drop.clone(),
        }
    }

    /// Every column that is named, by which a header is recognised.
    pub fn named(&self) -> Vec<String> {
        let lists = [&self.discrete, &self.continuous, &self.drop];
        let single = [Some(&self.label), self.weights.as_ref()];
        lists.into_iter().flatten().chain(single.into_iter().flatten()).cloned().collect()
    }
}

/// How a text file is written.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "File format")]
pub struct FormatArgs {
    /// Delimiter of the fields (one character, or tab); by default it is recognised
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// Whether the first line names the columns; without names they are x1, x2, ...
    #[arg(long, value_enum, default_value_t = HeaderArg::Auto, value_name = "WHETHER")]
    pub header: HeaderArg,
    /// The same as --header no
    #[arg(long, hide = true, conflicts_with = "header")]
    pub no_header: bool,
    /// Numbers are written with a decimal comma
    #[arg(long)]
    pub decimal_comma: bool,
    /// Numbers may have thousands separators
    #[arg(long)]
    pub thousands: bool,
    /// Further texts that mean a missing value, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "TEXTS")]
    pub missing: Vec<String>,
}

/// Whether the first line names the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HeaderArg {
    /// It does
    Yes,
    /// It holds data
    No,
    /// It is recognised from what it holds
    Auto,
}

impl HeaderArg {
    fn given(self) -> Option<bool> {
        match self {
            HeaderArg::Yes => Some(true),
            HeaderArg::No => Some(false),
            HeaderArg::Auto => None,
        }
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ if text.len() == 1 => Ok(text.as_bytes()[0]),
        _ => Err("give one character, or tab".to_owned()),
    }
}

impl FormatArgs {
    /// For the reader; `named` are columns that the caller will ask for.
    pub fn options(&self, named: Vec<String>) -> TableOptions {
        TableOptions {
            delimiter: self.delimiter,
            header: if self.no_header { Some(false) } else { self.header.given() },
            expected_names: named,
            missing: MissingTokens::default_and(&self.missing),
            numbers: NumberFormat { decimal_comma: self.decimal_comma, thousands: self.thousands },
            ..TableOptions::default()
        }
    }
}
