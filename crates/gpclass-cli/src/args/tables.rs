//! Options about tables.

use crate::table::missing::MissingTokens;
use crate::table::numbers::NumberFormat;
use crate::table::{KindOptions, TableOptions};
use clap::Args;

/// Which columns of a table of labelled rows are used, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Columns")]
pub struct ColumnArgs {
    /// Column with the class of each row
    #[arg(long, value_name = "COLUMN")]
    pub label: String,
    /// The class whose probability is given; by default the second in order (1 of 0 and 1, yes of no and yes)
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
    /// The first line holds data, not names; columns are then x1, x2, ...
    #[arg(long)]
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
            header: self.no_header.then_some(false),
            expected_names: named,
            missing: MissingTokens::default_and(&self.missing),
            numbers: NumberFormat { decimal_comma: self.decimal_comma, thousands: self.thousands },
            ..TableOptions::default()
        }
    }
}
