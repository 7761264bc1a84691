//! Labels that somebody has looked at: changed, dropped, or kept.

use super::LabelValues;
use crate::data::DataError;
use crate::named::named;

/// What becomes of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// Nothing.
    #[default]
    Keep,
    /// It gets another label.
    Change,
    /// It is left out.
    Drop,
}

named!(Correction, "action", {
    Keep = "keep": "The label stays";
    Change = "change": "The row gets the suggested label";
    Drop = "drop": "The row is left out";
});

/// A row that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectedRow {
    /// Its position, from 0.
    pub row: usize,
    /// The label that it had.
    pub label: String,
    /// The label that it gets if it is changed.
    pub suggested: String,
    /// What becomes of it.
    pub action: Correction,
}

/// The labels once corrected, and the rows that stay. Refused where a row is not there, had another label, or is named twice.
pub fn correct(labels: &LabelValues, corrections: &[CorrectedRow]) -> Result<(LabelValues, Vec<usize>), DataError> {
    let mut texts: Vec<Option<String>> = labels.texts()?.iter().map(|text| text.map(str::to_owned)).collect();
    let mut seen = vec![false; texts.len()];
    let mut stays = vec![true; texts.len()];
    for CorrectedRow { row, label, suggested, action } in corrections {
        let found = texts.get(*row).cloned().flatten();
        if found.as_deref() != Some(label.trim()) || seen[*row] {
            let twice = found.is_some() && seen[*row];
            return Err(DataError::Correction { row: *row, label: label.clone(), found, twice });
        }
        seen[*row] = true;
        match action {
            Correction::Keep => {}
            Correction::Change => texts[*row] = Some(suggested.trim().to_owned()),
            Correction::Drop => stays[*row] = false,
        }
    }
    let kept: Vec<usize> = (0..texts.len()).filter(|&row| stays[row]).collect();
    let values = LabelValues::Text(kept.iter().map(|&row| texts[row].take()).collect());
    Ok((values, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(row: usize, label: &str, action: Correction) -> CorrectedRow {
        CorrectedRow { row, label: label.to_owned(), suggested: "yes".to_owned(), action }
    }

    #[test]
    fn rows_are_changed_dropped_and_kept() {
        let labels = LabelValues::text(["no", "no", "yes", "no"]);
        let all = [row(1, "no", Correction::Change), row(3, "no", Correction::Drop), row(2, "yes", Correction::Keep)];
        let (found, kept) = correct(&labels, &all).unwrap();
        assert_eq!((found, kept), (LabelValues::text(["no", "yes", "yes"]), vec![0, 1, 2]));
        let numbers = LabelValues::Number(vec![0.0, 1.0]);
        assert_eq!(correct(&numbers, &[row(0, "0", Correction::Drop)]).unwrap().1, [1]);
    }

    #[test]
    fn corrections_of_other_data_are_refused() {
        let labels = LabelValues::text(["no", "yes"]);
        let refused = |rows: &[CorrectedRow]| correct(&labels, rows).unwrap_err().to_string();
        let other = refused(&[row(1, "no", Correction::Keep)]);
        assert!(other.starts_with("data row 2 has the label 'yes', but was corrected from 'no'"), "{other}");
        assert!(refused(&[row(7, "no", Correction::Keep)]).starts_with("data row 8 is corrected, but there is none"));
        let twice = refused(&[row(0, "no", Correction::Keep), row(0, "no", Correction::Drop)]);
        assert!(twice.starts_with("data row 1 is corrected twice"), "{twice}");
    }
}
