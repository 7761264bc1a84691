//! Corrections of labels: what 'gpclass audit -o' wrote, once somebody has looked at it.

use crate::error::CliError;
use crate::session::Session;
use gpclass::data::{Column, ColumnKind, CorrectedRow, Correction};
use gpclass_table::{ColumnRequest, Places, TableOptions};
use std::path::Path;

/// The columns that are read, by their names.
const COLUMNS: [&str; 4] = ["row", "label", "suggested", "action"];
/// Rows read at once.
const BLOCK: usize = 4096;

/// Reads a file of corrections.
pub fn read(session: &Session, path: &Path) -> Result<Vec<CorrectedRow>, CliError> {
    let expected_names = COLUMNS.map(str::to_owned).to_vec();
    let options = TableOptions { expected_names, header: Some(true), ..TableOptions::default() };
    let mut reader = session.open(path, options)?;
    let requests = COLUMNS.map(|name| ColumnRequest { name: name.to_owned(), kind: ColumnKind::Discrete });
    let selection = reader.select(&requests, "that a file of corrections has")?;
    let mut found = Vec::new();
    while let Some(block) = reader.next_block(&selection, BLOCK)? {
        for at in 0..block.rows() {
            found.push(corrected_row(&block.columns, at, &block.places)?);
        }
    }
    Ok(found)
}

fn corrected_row(columns: &[Column], at: usize, places: &Places) -> Result<CorrectedRow, CliError> {
    let text = |column: usize| columns[column].values.text(at).unwrap_or_default().into_owned();
    let wrong = |advice: &str| CliError::user(format!("{}: {advice}", places.place(at)));
    let row: usize = text(0).trim().parse().map_err(|_| wrong("'row' must be the number of a data row, from 1"))?;
    let row = row.checked_sub(1).ok_or_else(|| wrong("'row' must be the number of a data row, from 1"))?;
    let action: Correction = match text(3).trim() {
        "" => Correction::Keep,
        action => action.parse().map_err(|e| wrong(&format!("{e}")))?,
    };
    Ok(CorrectedRow { row, label: text(1), suggested: text(2), action })
}
