//! Options about tables.

use crate::error::CliError;
use clap::{Args, ValueEnum};
use gpclass::data::{EncoderOptions, Quoted};
use gpclass_table::{KindOptions, Limits, MissingTokens, NumberFormat, TableOptions};
use std::collections::HashSet;
use std::str::FromStr;

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
    /// Columns to use though they look like identifiers, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub keep: Vec<String>,
    /// A column of ordered categories and its levels from the lowest to the highest, as size=S,M,L; may be repeated
    #[arg(long, value_name = "COLUMN=LEVELS")]
    pub ordered: Vec<OrderedColumn>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub drop: Vec<String>,
    /// Column with the weight of each row
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// Column that names the rows which belong together, as visits of one patient: they are left out together, and the column is
    /// no feature
    #[arg(long, value_name = "COLUMN")]
    pub group: Option<String>,
}

/// A column and its levels, as `size=S,M,L`.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedColumn {
    pub name: String,
    pub levels: Vec<String>,
}

impl FromStr for OrderedColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, levels) = text.split_once('=').ok_or("write it as COLUMN=LEVELS, for example size=S,M,L")?;
        let levels = levels.split(',').map(|level| level.trim().to_owned()).collect();
        Ok(OrderedColumn { name: name.trim().to_owned(), levels })
    }
}

impl ColumnArgs {
    /// What the encoder is to know about columns: those whose use is named are used.
    pub fn apply(&self, options: &mut EncoderOptions) -> Result<(), CliError> {
        if let Some(name) = self.keep.iter().find(|name| self.drop.contains(name)) {
            let name = Quoted(name);
            return Err(CliError::user(format!(
                "column {name} is in both --keep and --drop; remove it from one of them"
            )));
        }
        if self.group.as_ref() == Some(&self.label) {
            let name = Quoted(&self.label);
            return Err(CliError::user(format!("column {name} is both the label and the group; name another one")));
        }
        let others = [Some(&self.label), self.weights.as_ref(), self.group.as_ref()];
        let is_feature = |name: &&String| !others.contains(&Some(*name));
        options.keep.extend(self.keep.iter().chain(&self.continuous).filter(is_feature).cloned());
        options.discrete.extend(self.discrete.iter().filter(is_feature).cloned());
        let mut named = HashSet::new();
        for OrderedColumn { name, levels } in &self.ordered {
            if !named.insert(name) {
                let name = Quoted(name);
                return Err(CliError::user(format!("--ordered names column {name} twice; give its levels once")));
            }
            options.ordered.insert(name.clone(), levels.clone());
        }
        Ok(())
    }

    /// For the reader. Columns with a use of their own are read like features, to be taken out afterwards.
    pub fn kinds(&self, as_text: Option<&str>) -> KindOptions {
        let extend = |list: &[String], more: Option<&str>| {
            let mut list = list.to_vec();
            list.extend(more.map(str::to_owned));
            list
        };
        let mut discrete = extend(&self.discrete, as_text);
        discrete.extend(self.group.clone());
        // As they are written; their order makes numbers of them later.
        discrete.extend(self.ordered.iter().map(|column| column.name.clone()));
        KindOptions {
            label: Some(self.label.clone()),
            discrete,
            continuous: extend(&self.continuous, self.weights.as_deref()),
            drop: self.drop.clone(),
        }
    }

    /// Every column that is named, by which a header is recognised.
    pub fn named(&self) -> Vec<String> {
        let lists = [&self.discrete, &self.continuous, &self.drop, &self.keep];
        let single = [Some(&self.label), self.weights.as_ref(), self.group.as_ref()];
        let ordered = self.ordered.iter().map(|column| &column.name);
        lists.into_iter().flatten().chain(single.into_iter().flatten()).chain(ordered).cloned().collect()
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
    /// Most bytes of cells that are kept between the two looks at a table; one with more is read twice
    #[arg(long, value_name = "SIZE", value_parser = super::size, hide = true)]
    pub kept_cells: Option<u64>,
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
        let usual = Limits::default();
        TableOptions {
            delimiter: self.delimiter,
            header: if self.no_header { Some(false) } else { self.header.given() },
            expected_names: named,
            missing: MissingTokens::default_and(&self.missing),
            numbers: NumberFormat { decimal_comma: self.decimal_comma, thousands: self.thousands },
            limits: Limits { kept_bytes: self.kept_cells.map_or(usual.kept_bytes, |bytes| bytes as usize), ..usual },
            ..TableOptions::default()
        }
    }
}
