//! The power that the mixture of the models is raised to, where it is not one.

use super::sections::{Sections, Writer};
use super::{ModelFileError, columns};

/// An older program, which would predict without it, may not skip this section.
pub(super) const SECTION: &str = "sharpness";

pub(super) fn write(sharpness: f64, writer: &mut Writer) {
    if sharpness != 1.0 {
        writer.required(SECTION, &columns::bytes_of(&[sharpness]));
    }
}

/// The power in the sections, which the summary tells too.
pub(super) fn read(sections: &Sections<'_>, told: f64) -> Result<f64, ModelFileError> {
    let found = sections.optional(SECTION).map(|bytes| columns::numbers(bytes, 1, SECTION)).transpose()?;
    let sharpness = found.map_or(1.0, |numbers| numbers[0]);
    if !(sharpness > 0.0 && sharpness.is_finite()) {
        return Err(ModelFileError::nonsense(SECTION, format!("it is {sharpness}")));
    }
    if sharpness != told {
        return Err(ModelFileError::nonsense(SECTION, format!("it is {sharpness} where the summary says {told}")));
    }
    Ok(sharpness)
}
