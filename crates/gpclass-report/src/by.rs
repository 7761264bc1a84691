//! The groups of training rows by which a report breaks scores down.

use crate::text::{number, shorten};
use gpclass::data::{Column, ColumnValues};

/// Numbers of at most this many different values are groups as they are; others are cut into three.
const FEW: usize = 8;
/// Characters of a group's name at most.
const NAME_LENGTH: usize = 40;
const MISSING: &str = "(missing)";

/// A column that says which group each training row is of.
#[derive(Clone, Debug, PartialEq)]
pub struct By {
    pub(crate) column: String,
    pub(crate) group_of_row: Vec<String>,
}

impl By {
    /// By the values of a column with one for every training row: categories and few numbers as they are, other numbers in
    /// three groups of about the same size.
    pub fn column(column: &Column) -> By {
        let group_of_row = match &column.values {
            ColumnValues::Continuous(values) => numbers(values),
            ColumnValues::Discrete(_) | ColumnValues::Dates(_) => texts(&column.values),
        };
        By { column: column.name.clone(), group_of_row }
    }
}

fn texts(values: &ColumnValues) -> Vec<String> {
    let name = |text: Option<&str>| text.map_or(MISSING.to_owned(), |text| shorten(text, NAME_LENGTH));
    values.texts().iter().map(name).collect()
}

fn numbers(values: &[f64]) -> Vec<String> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let different = 1 + sorted.windows(2).filter(|pair| pair[0] < pair[1]).count();
    let cuts = if different > FEW { [sorted[sorted.len() / 3], sorted[2 * sorted.len() / 3]] } else { [f64::NAN; 2] };
    let name = |&value: &f64| match cuts {
        _ if value.is_nan() => MISSING.to_owned(),
        [low, _] if low.is_nan() => number(value),
        [low, _] if value < low => format!("below {}", number(low)),
        [low, high] if value < high => format!("{} to {}", number(low), number(high)),
        [_, high] => format!("from {}", number(high)),
    };
    values.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_are_cut_in_three_and_few_are_not() {
        let values: Vec<f64> = (0..9).map(f64::from).chain([f64::NAN]).collect();
        let by = By::column(&Column::continuous("age", values));
        let groups =
            ["below 3", "below 3", "below 3", "3 to 6", "3 to 6", "3 to 6", "from 6", "from 6", "from 6", MISSING];
        assert_eq!((by.column.as_str(), by.group_of_row), ("age", groups.map(str::to_owned).to_vec()));
        let few = By::column(&Column::continuous("grade", vec![1.0, 2.0, 1.0]));
        assert_eq!(few.group_of_row, ["1", "2", "1"]);
        let sites = Column::discrete("site", vec![Some("A".to_owned()), None]);
        assert_eq!(By::column(&sites).group_of_row, ["A", MISSING]);
        assert_eq!(By::column(&Column::continuous("empty", vec![])).group_of_row, Vec::<String>::new());
    }
}
