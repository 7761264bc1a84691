//! The columns of a model file: a number or a class per training row.

use super::sections::Sections;
use super::{Header, MemberHeader, ModelFileError};
use crate::data::{Class, Targets};
use crate::inference::Kept;
use crate::posterior::Sites;

/// What is kept of a model's posterior, in the order of [`Kept::columns`].
pub(super) const NAMES: [&str; 6] = ["tau", "nu", "alpha", "mean", "var", "slack"];

/// The name of the section with a column of model number `member`.
pub(super) fn section(column: &str, member: usize) -> String {
    format!("{column}/{member}")
}

/// The columns of model number `number`.
pub(super) fn kept(
    sections: &Sections<'_>,
    number: usize,
    rows: usize,
    member: &MemberHeader,
) -> Result<Kept, ModelFileError> {
    let column = |name: &str| numbers(sections.required(&section(name, number))?, rows, "posteriors");
    Ok(Kept {
        sites: Sites { tau: column("tau")?, nu: column("nu")? },
        alpha: column("alpha")?,
        mean: column("mean")?,
        var: column("var")?,
        slack: column("slack")?,
        log_z: member.log_z,
        observation_var: member.observation_var,
        report: member.report.clone(),
    })
}

pub(super) fn pack_labels(labels: &[Class]) -> Vec<u8> {
    labels.iter().flat_map(|class| class.code().to_le_bytes()).collect()
}

/// A class of the header for every row, as often as its summary says.
pub(super) fn labels(bytes: &[u8], header: &Header) -> Result<Targets, ModelFileError> {
    let (rows, classes) = (header.rows, header.classes.len());
    if Some(bytes.len()) != rows.checked_mul(2) {
        return Err(ModelFileError::nonsense("labels", format!("they are {} bytes for {rows} rows", bytes.len())));
    }
    let codes = bytes.chunks_exact(2).map(|code| Class::from(u16::from_le_bytes(array(code)))).collect();
    let none = || ModelFileError::nonsense("labels", format!("one of them is none of the {classes} classes"));
    let targets = Targets::new(codes, classes).ok_or_else(none)?;
    let told = header.summary.classes.iter().map(|class| class.rows);
    if !told.eq(targets.rows_of_class()) {
        return Err(ModelFileError::nonsense("labels", "the summary counts them otherwise"));
    }
    Ok(targets)
}

/// A part of known length as an array.
pub(super) fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes[i])
}

pub(super) fn bytes_of(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Exactly `count` numbers.
pub(super) fn numbers(bytes: &[u8], count: usize, section: &'static str) -> Result<Vec<f64>, ModelFileError> {
    if Some(bytes.len()) != count.checked_mul(8) {
        let reason = format!("they are {} bytes where {count} numbers are due", bytes.len());
        return Err(ModelFileError::nonsense(section, reason));
    }
    Ok(bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(array(chunk))).collect())
}

/// Exactly `count` positions.
pub(super) fn positions(bytes: &[u8], count: usize, section: &'static str) -> Result<Vec<u32>, ModelFileError> {
    if Some(bytes.len()) != count.checked_mul(4) {
        return Err(ModelFileError::nonsense(section, format!("they are {} bytes for {count} rows", bytes.len())));
    }
    Ok(bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes(array(chunk))).collect())
}
