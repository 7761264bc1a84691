//! Sections as versions 1 and 2 have them: numbered, labels as bytes, a model's columns in a fixed order.

use super::ModelFileError;
use super::columns::{NAMES, section};
use std::borrow::Cow;

/// The names that numbered sections have today.
pub(super) fn name(tag: u32) -> Option<&'static str> {
    match tag {
        1 => Some("header"),
        2 => Some("inputs"),
        3 => Some("labels"),
        4 => Some("weights"),
        5 => Some("posteriors"),
        _ => None,
    }
}

/// A byte per row as today's two.
pub(super) fn labels(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|&code| [code, 0]).collect()
}

/// The name of a section and its bytes.
type NamedBytes<'a> = (String, Cow<'a, [u8]>);

/// Every model's columns under their names.
pub(super) fn columns(bytes: &[u8], rows: usize, members: usize) -> Result<Vec<NamedBytes<'_>>, ModelFileError> {
    let due = members.checked_mul(NAMES.len() * 8).and_then(|width| width.checked_mul(rows));
    if due != Some(bytes.len()) || rows == 0 {
        let reason = format!("they are {} bytes for {members} models of {rows} rows", bytes.len());
        return Err(ModelFileError::nonsense("posteriors", reason));
    }
    let names = (0..members).flat_map(|member| NAMES.map(|column| section(column, member)));
    Ok(names.zip(bytes.chunks_exact(8 * rows).map(Cow::Borrowed)).collect())
}
