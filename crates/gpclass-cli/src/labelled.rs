//! A table of labelled rows, read and ready for the library.

use crate::args::{ColumnArgs, FormatArgs};
use crate::error::CliError;
use crate::session::Session;
use crate::{rows, wording};
use gpclass::classifier::{ClassifierError, MOST_ROWS, RowDetails};
use gpclass::data::{
    Column, ColumnValues, CorrectedRow, Groups, LabelOptions, LabelValues, Labels, Quoted, RowWeights, Table, correct,
};
use gpclass_table::{Draw, Limits, Places, Survey, TableOptions};
use std::path::Path;

/// Features, labels and what belongs to them.
pub struct Labelled {
    pub table: Table,
    pub labels: LabelValues,
    pub weights: Option<Vec<f64>>,
    /// Which rows belong together, if that was said.
    pub groups: Option<Groups>,
    /// The column that is neither feature nor label, if one was asked for.
    pub aside: Option<Vec<String>>,
    /// Where each row stands in the file.
    pub places: Places,
    /// Remarks on the columns.
    pub notes: Vec<String>,
}

impl Labelled {
    /// Reads a table to learn from as a whole; more rows than can be learned from are not read. `aside` names a column that is
    /// neither feature nor label.
    pub fn read(
        session: &Session,
        path: &Path,
        columns: &ColumnArgs,
        format: &FormatArgs,
        aside: Option<&str>,
    ) -> Result<Self, CliError> {
        let limits = Limits { rows: MOST_ROWS as u64, ..Limits::streaming() };
        Self::within(limits, session, path, columns, format, aside, |_| Ok(None))
    }

    /// Reads a table whose parts are learned from.
    pub fn read_parts(
        session: &Session,
        path: &Path,
        columns: &ColumnArgs,
        format: &FormatArgs,
        aside: Option<&str>,
    ) -> Result<Self, CliError> {
        Self::within(Limits::streaming(), session, path, columns, format, aside, |_| Ok(None))
    }

    /// Reads a table of any size, of which `draw` may take a part once it is known what it holds.
    pub fn read_drawn(
        session: &Session,
        path: &Path,
        columns: &ColumnArgs,
        format: &FormatArgs,
        draw: impl FnOnce(&Survey) -> Result<Option<Draw>, CliError>,
    ) -> Result<Self, CliError> {
        Self::within(Limits::streaming(), session, path, columns, format, None, draw)
    }

    fn within(
        limits: Limits,
        session: &Session,
        path: &Path,
        columns: &ColumnArgs,
        format: &FormatArgs,
        aside: Option<&str>,
        draw: impl FnOnce(&Survey) -> Result<Option<Draw>, CliError>,
    ) -> Result<Self, CliError> {
        let mut named = columns.named();
        named.extend(aside.map(str::to_owned));
        let progress = session.progress();
        let free = session.memory_limit().map_or(usize::MAX, |bytes| bytes as usize);
        // What a small table may take is for the fit to say.
        let free = free.max(Limits::default().kept_bytes);
        let options = format.options(named);
        let limits = Limits { table_bytes: free, kept_bytes: options.limits.kept_bytes, ..limits };
        let options = TableOptions { limits, listener: Some(progress.listener()), ..options };
        let survey = session.open(path, options)?.survey(&columns.kinds(aside))?;
        let draw = draw(&survey)?;
        let read = survey.read(draw)?;
        progress.clear();
        let mut features = read.columns;
        let mut take = |name: &str| features.iter().position(|c| c.name == name).map(|at| features.remove(at));
        let weights = columns.weights.as_deref().and_then(&mut take).map(weights).transpose()?;
        let aside = aside.and_then(&mut take).map(texts);
        let groups = columns.group.as_deref().and_then(&mut take);
        let groups = groups.map(|column| Groups::of_texts(&column.name, &column.values.texts())).transpose();
        let groups = groups.map_err(|e| rows::explain(&read.places, e))?;
        let labels = read.label.ok_or_else(|| CliError::user("the table has no label column; name it with --label"))?;
        let labelled = Labelled {
            table: Table::new(features)?,
            labels: LabelValues::from(labels),
            weights,
            groups,
            aside,
            places: read.places,
            notes: read.notes.iter().map(wording::note).collect(),
        };
        labelled.check_weights()?;
        Ok(labelled)
    }

    /// All of them, because parts of the table may be learned from and others only be scored.
    fn check_weights(&self) -> Result<(), CliError> {
        let checked = self.weights.clone().map(|weights| RowWeights::new(weights, self.table.rows()));
        checked.transpose().map(drop).map_err(|e| self.explain(e))
    }

    /// The rows with corrections of their labels, those that are dropped left out.
    pub fn corrected(self, corrections: &[CorrectedRow]) -> Result<Self, CliError> {
        let (labels, kept) = correct(&self.labels, corrections).map_err(|e| self.explain(e))?;
        let RowDetails { weights, groups } = self.details_of(&kept);
        Ok(Labelled {
            table: self.table.select_rows(&kept)?,
            labels,
            weights,
            groups,
            aside: self.aside.map(|aside| kept.iter().map(|&row| aside[row].clone()).collect()),
            places: self.places.select(&kept),
            notes: self.notes,
        })
    }

    /// Weights and groups.
    pub fn details(&self) -> RowDetails {
        RowDetails { weights: self.weights.clone(), groups: self.groups.clone() }
    }

    /// The same for a choice of the rows.
    pub fn details_of(&self, chosen: &[usize]) -> RowDetails {
        let weights = self.weights.as_ref().map(|weights| chosen.iter().map(|&row| weights[row]).collect());
        RowDetails { weights, groups: self.groups.as_ref().map(|groups| groups.select(chosen)) }
    }

    /// The classes of the rows as learning finds them, of two with this one as the positive.
    pub fn classes(&self, positive: Option<&str>) -> Result<Labels, CliError> {
        let options = LabelOptions { positive: positive.map(str::to_owned), ..LabelOptions::default() };
        Labels::fit(&self.labels, &options).map_err(|e| self.explain(e))
    }

    /// The name of the file without its folders.
    pub fn source(&self) -> String {
        let file = &self.places.file;
        file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned()
    }

    /// An error of the library about these rows, with the option of this program that helps.
    pub fn explain(&self, error: impl Into<ClassifierError>) -> CliError {
        rows::explain(&self.places, error)
    }

    /// The same for an error about a choice of these rows.
    pub fn explain_part(&self, chosen: &[usize], error: impl Into<ClassifierError>) -> CliError {
        rows::explain(&self.places.select(chosen), error)
    }
}

fn weights(column: Column) -> Result<Vec<f64>, CliError> {
    match column.values {
        ColumnValues::Continuous(values) => Ok(values),
        ColumnValues::Discrete(_) | ColumnValues::Dates(_) => {
            Err(CliError::user(format!("the weights in column {} must be numbers", Quoted(&column.name))))
        }
    }
}

fn texts(column: Column) -> Vec<String> {
    column.values.texts().iter().map(|text| text.unwrap_or_default().to_owned()).collect()
}
