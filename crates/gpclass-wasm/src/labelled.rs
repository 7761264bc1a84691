//! A table of labelled rows as the page's choices read it.

use crate::choices::Choices;
use crate::problem::Problem;
use gpclass::data::{LabelOptions, LabelValues, Labels, Table};
use gpclass_table::{Places, TableReader};

/// Features and labels, with where they stand in the file.
pub(crate) struct Labelled {
    pub table: Table,
    pub labels: LabelValues,
    pub places: Places,
    pub notes: Vec<String>,
}

impl Labelled {
    pub fn read(bytes: Vec<u8>, name: &str, choices: &Choices) -> Result<Self, Problem> {
        let options = choices.table_options(choices.named());
        let read = TableReader::from_memory(bytes, name, options)?.read_all(&choices.kinds())?;
        let labels = LabelValues::from(read.label.ok_or(Problem::NoLabel)?);
        let notes = read.notes.iter().map(ToString::to_string).collect();
        Ok(Labelled { table: Table::new(read.columns)?, labels, places: read.places, notes })
    }

    /// The classes of the rows as learning finds them.
    pub fn classes(&self, choices: &Choices) -> Result<Labels, Problem> {
        let options = LabelOptions { positive: choices.positive.clone(), ..LabelOptions::default() };
        Labels::fit(&self.labels, &options).map_err(|error| Problem::at(&self.places, error))
    }
}
