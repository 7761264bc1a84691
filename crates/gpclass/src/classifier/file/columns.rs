//! The columns of a model file: a number or a class per training row.

use super::sections::Sections;
use super::{Header, MemberHeader, ModelFileError};
use crate::data::{Class, Inputs, Targets};
use crate::inference::joint::JointKept;
use crate::inference::{Kept, KeptSparse, Report};
use crate::likelihood::Gaussian;
use crate::model::KeptForm;
use crate::posterior::Sites;
use crate::prior::{Inducing, SiteSums};
use gpclass_linalg::Mat;

/// What is kept of one function, in the order of [`Kept::columns`].
pub(super) const NAMES: [&str; 6] = ["tau", "nu", "alpha", "mean", "var", "slack"];
/// What is kept of functions that are inferred together, in the order of [`JointKept::matrices`].
const JOINT_NAMES: [&str; 4] = ["pi", "nu", "alpha", "mean"];

/// The section of inducing rows.
pub(super) const INDUCING: &str = "inducing";

/// The section of the sums of rows elsewhere.
const OTHERS: &str = "others";

/// The sections of refined latent values without the rows' own labels.
const LEFT_OUT: [&str; 2] = ["left_out_mean", "left_out_var"];

/// The section of what inducing rows leave of each row's variance.
const RESIDUAL: &str = "residual";

/// The names of all columns that there may be.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(JOINT_NAMES).chain([INDUCING, RESIDUAL, OTHERS]).chain(LEFT_OUT)
}

/// The refined latent values of a posterior, where there are any: their means and their variances, one function after the
/// other.
pub(super) fn of_left_out(kept: &KeptForm) -> Vec<(&'static str, Vec<f64>)> {
    let Some(each) = kept.left_out().map(|each| each.concat()) else { return Vec::new() };
    let [mean, var] = LEFT_OUT;
    vec![(mean, each.iter().map(|g| g.mean).collect()), (var, each.iter().map(|g| g.var).collect())]
}

/// The sums of rows elsewhere, where there are any, one function after the other.
pub(super) fn of_others(kept: &KeptForm) -> Option<(&'static str, Vec<f64>)> {
    let each: Vec<Vec<f64>> = kept.others().into_iter().flatten().map(SiteSums::numbers).collect();
    (!each.is_empty()).then(|| (OTHERS, each.concat()))
}

/// The same of every function, as they are read.
fn others(
    sections: &Sections<'_>,
    number: usize,
    functions: usize,
    sparse: Option<&KeptSparse>,
) -> Result<Option<Vec<SiteSums>>, ModelFileError> {
    let nonsense = |reason: &str| Err(ModelFileError::nonsense("rows elsewhere", reason));
    let Some(bytes) = sections.optional(&section(OTHERS, number)) else { return Ok(None) };
    let Some(sparse) = sparse else { return nonsense("there are sums of them, but no inducing rows") };
    let inducing = sparse.inducing.rows.rows();
    let count = SiteSums::count(inducing);
    let all = numbers(bytes, count * functions, "rows elsewhere")?;
    let each = all.chunks_exact(count).map(|own| SiteSums::from_numbers(inducing, own));
    match each.collect::<Option<Vec<_>>>() {
        Some(each) => Ok(Some(each)),
        None => nonsense("a sum is not a number"),
    }
}

/// What the inducing rows of a posterior leave of each row's variance, one function after the other; a reader may do without.
pub(super) fn of_residual(kept: &KeptForm) -> Option<(&'static str, Vec<f64>)> {
    let each = match kept {
        KeptForm::Binary(kept) => std::slice::from_ref(kept),
        KeptForm::OneVsRest(each) => each,
        KeptForm::Joint(_) => &[],
    };
    let own = |kept: &Kept| kept.sparse.as_ref()?.residual.clone();
    let all = each.iter().map(own).collect::<Option<Vec<Vec<f64>>>>()?.concat();
    (!all.is_empty()).then_some((RESIDUAL, all))
}

/// The same as it is read.
fn residual(sections: &Sections<'_>, number: usize, count: usize) -> Result<Option<Vec<f64>>, ModelFileError> {
    let Some(bytes) = sections.optional(&section(RESIDUAL, number)) else { return Ok(None) };
    let values = numbers(bytes, count, "inducing rows")?;
    if values.iter().any(|v| !(v.is_finite() && *v >= 0.0)) {
        return Err(ModelFileError::nonsense("inducing rows", "what they leave of a variance is no variance"));
    }
    Ok(Some(values))
}

/// The refined latent values as they are read.
fn left_out(sections: &Sections<'_>, number: usize, count: usize) -> Result<Option<Vec<Gaussian>>, ModelFileError> {
    let column = |name: &str| {
        sections.optional(&section(name, number)).map(|bytes| numbers(bytes, count, "rows left out")).transpose()
    };
    let nonsense = |reason: &str| Err(ModelFileError::nonsense("rows left out", reason));
    match (column(LEFT_OUT[0])?, column(LEFT_OUT[1])?) {
        (None, None) => Ok(None),
        (Some(mean), Some(var))
            if mean.iter().all(|m| m.is_finite()) && var.iter().all(|v| v.is_finite() && *v >= 0.0) =>
        {
            Ok(Some(mean.into_iter().zip(var).map(|(mean, var)| Gaussian { mean, var }).collect()))
        }
        (Some(_), Some(_)) => nonsense("a number is none that a latent value can have"),
        _ => nonsense("their means or their variances are not there"),
    }
}

/// The columns of a posterior with their names, one function after the other.
pub(super) fn of(kept: &KeptForm) -> Vec<(&'static str, Vec<f64>)> {
    let each = |each: &[Kept]| {
        let column = |i: usize| each.iter().flat_map(|kept| kept.columns()[i].to_vec()).collect();
        NAMES.iter().enumerate().map(|(i, name)| (*name, column(i))).collect()
    };
    match kept {
        KeptForm::Binary(kept) => each(std::slice::from_ref(kept)),
        KeptForm::OneVsRest(kept) => each(kept),
        KeptForm::Joint(kept) => {
            JOINT_NAMES.iter().zip(kept.matrices()).map(|(name, mat)| (*name, mat.as_slice().to_vec())).collect()
        }
    }
}

/// The name of the section with a column of model number `member`.
pub(super) fn section(column: &str, member: usize) -> String {
    format!("{column}/{member}")
}

/// The posterior of model number `number`.
pub(super) fn kept(
    sections: &Sections<'_>,
    number: usize,
    header: &Header,
    member: &MemberHeader,
    inputs: &Inputs,
) -> Result<KeptForm, ModelFileError> {
    let (rows, functions) = (header.rows, header.functions);
    let all = rows.checked_mul(functions).ok_or_else(|| ModelFileError::nonsense("header", "it announces too much"))?;
    let column = |name: &str| numbers(sections.required(&section(name, number))?, all, "posteriors");
    if functions > 1 && member.against_rest.is_empty() {
        let matrix = |name: &str| Ok(Mat::from_columns(rows, functions, column(name)?));
        return Ok(KeptForm::Joint(JointKept {
            pi: matrix("pi")?,
            nu: matrix("nu")?,
            alpha: matrix("alpha")?,
            mean: matrix("mean")?,
            log_z: member.log_z,
            by_label_error: member.by_label_error,
            report: member.report.clone(),
        }));
    }
    let sparse = inducing(sections, number, member, inputs)?;
    let left_out = left_out(sections, number, all)?;
    let others = others(sections, number, functions, sparse.as_ref())?;
    let residual = residual(sections, number, all)?;
    if left_out.is_some() && sparse.is_none() {
        return Err(ModelFileError::nonsense("rows left out", "they are refined, but there are no inducing rows"));
    }
    let mut columns = Vec::with_capacity(NAMES.len());
    for name in NAMES {
        columns.push(column(name)?);
    }
    let function = |c: usize, log_z: f64, observation_var: f64, report: &Report| {
        let part = |i: usize| columns[i][c * rows..(c + 1) * rows].to_vec();
        let sites = Sites { tau: part(0), nu: part(1) };
        let (alpha, mean, var, slack) = (part(2), part(3), part(4), part(5));
        let own = |all: &Vec<f64>| all[c * rows..(c + 1) * rows].to_vec();
        let report = report.clone();
        let sparse = sparse.clone().map(|sparse| KeptSparse { residual: residual.as_ref().map(own), ..sparse });
        let left_out = left_out.as_ref().map(|all| all[c * rows..(c + 1) * rows].to_vec());
        let others = others.as_ref().map(|each| each[c].clone());
        Kept { sites, alpha, mean, var, slack, log_z, observation_var, report, sparse, others, left_out }
    };
    if functions == 1 {
        return Ok(KeptForm::Binary(function(0, member.log_z, member.observation_var, &member.report)));
    }
    let each = member.against_rest.iter().enumerate();
    Ok(KeptForm::OneVsRest(each.map(|(c, own)| function(c, own.log_z, own.observation_var, &own.report)).collect()))
}

/// The positions of the inducing rows among the training rows.
pub(super) fn pack_inducing(inducing: &Inducing) -> Vec<u8> {
    let rows = inducing.training_rows.iter().flat_map(|rows| rows.iter());
    rows.flat_map(|&row| (row as u32).to_le_bytes()).collect()
}

/// The inducing rows of model number `number`, if it has any.
fn inducing(
    sections: &Sections<'_>,
    number: usize,
    member: &MemberHeader,
    inputs: &Inputs,
) -> Result<Option<KeptSparse>, ModelFileError> {
    let nonsense = |reason: &str| Err(ModelFileError::nonsense("inducing rows", reason));
    let (header, bytes) = match (&member.sparse, sections.optional(&section(INDUCING, number))) {
        (None, None) => return Ok(None),
        (Some(header), Some(bytes)) => (header, bytes),
        _ => return nonsense("they are announced or there, but not both"),
    };
    let rows: Vec<usize> = bytes.chunks_exact(4).map(|row| u32::from_le_bytes(array(row)) as usize).collect();
    if bytes.len() % 4 != 0 || rows.is_empty() || rows.iter().any(|&row| row >= inputs.rows()) {
        return nonsense("they are not some of the training rows");
    }
    if !(header.jitter.is_finite() && header.jitter >= 0.0) {
        return nonsense("their jitter is no number that can be added");
    }
    let inducing = Inducing { jitter: header.jitter, ..Inducing::of_training(inputs, rows) };
    Ok(Some(KeptSparse { inducing, refinement: header.refinement, residual: None }))
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
