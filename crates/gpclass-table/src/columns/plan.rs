//! What each column of a table to fit is used for.

use crate::error::{TableError, WantedFor};
use crate::names::Names;
use crate::options::KindOptions;
use gpclass::data::ColumnKind;

/// What a column is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Label,
    Dropped,
    /// A feature whose kind the user gave.
    Given(ColumnKind),
    /// A feature whose kind its values tell.
    Inferred,
}

impl Use {
    fn describe(self) -> &'static str {
        match self {
            Use::Label => "the label",
            Use::Dropped => "dropped",
            Use::Given(ColumnKind::Discrete) => "discrete",
            Use::Given(ColumnKind::Continuous) => "continuous",
            Use::Given(ColumnKind::Date) => "a date",
            Use::Inferred => "inferred",
        }
    }
}

/// The use of each column. Unknown names and contradictions are errors.
pub(crate) fn uses(names: &Names, kinds: &KindOptions, file: &str) -> Result<Vec<Use>, TableError> {
    let mut uses = vec![Use::Inferred; names.list().len()];
    let label = kinds.label.as_slice();
    for (list, wanted_for, wish) in [
        (label, WantedFor::Label, Use::Label),
        (kinds.drop.as_slice(), WantedFor::Drop, Use::Dropped),
        (kinds.discrete.as_slice(), WantedFor::Discrete, Use::Given(ColumnKind::Discrete)),
        (kinds.continuous.as_slice(), WantedFor::Continuous, Use::Given(ColumnKind::Continuous)),
    ] {
        for name in list {
            let j = names.position(name, wanted_for)?;
            // A discrete label is no contradiction: labels are.
            let redundant = uses[j] == wish || (uses[j] == Use::Label && wish == Use::Given(ColumnKind::Discrete));
            if uses[j] != Use::Inferred && !redundant {
                let (one, other) = (uses[j].describe(), wish.describe());
                return Err(TableError::ConflictingOptions { name: name.clone(), one, other });
            }
            if !redundant {
                uses[j] = wish;
            }
        }
    }
    if uses.iter().all(|u| matches!(u, Use::Label | Use::Dropped)) {
        return Err(TableError::NoColumns { file: file.to_owned() });
    }
    Ok(uses)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Names {
        Names::new(["a", "b", "y"].map(str::to_owned).to_vec(), "f").unwrap()
    }

    fn plan(label: &str, drop: &[&str], discrete: &[&str]) -> Result<Vec<Use>, String> {
        let list = |names: &[&str]| names.iter().map(|&s| s.to_owned()).collect();
        let label = Some(label.to_owned());
        let kinds = KindOptions { label, drop: list(drop), discrete: list(discrete), continuous: Vec::new() };
        uses(&columns(), &kinds, "f").map_err(|e| e.to_string())
    }

    #[test]
    fn each_column_has_one_use() {
        let found = plan("y", &["a"], &["y"]).unwrap();
        assert_eq!(found, [Use::Dropped, Use::Inferred, Use::Label]);
    }

    #[test]
    fn contradictions_and_emptiness() {
        assert_eq!(
            plan("y", &["a"], &["a"]).unwrap_err(),
            "column 'a' is asked to be both dropped and discrete; remove it from one of the lists"
        );
        assert!(plan("y", &["y"], &[]).unwrap_err().contains("both the label and dropped"));
        assert!(plan("y", &["a", "b"], &[]).unwrap_err().contains("no column of 'f' is left"));
        assert!(plan("Y", &[], &[]).unwrap_err().contains("(the label); did you mean 'y'?"));
    }
}
