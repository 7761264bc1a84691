//! Columns that name the rows: nothing can be learned from them for new rows, and a model that uses them looks better
//! than it is where rows are in the order of the outcome.

use crate::data::encode::are_dates;
use crate::data::{Column, ColumnValues, DataNote, EncoderOptions, IdentifierReason, Table, Texts};
use std::collections::HashSet;

/// Fewer rows are too few to call a column of different values an identifier unless its name says so.
const MIN_ROWS: usize = 20;
/// Fewer rows are too few even if its name says so.
const MIN_NAMED_ROWS: usize = 3;
/// Numbers in order are row numbers if they have gaps of this size at most on average, as where rows were removed: of
/// measurements that lie so close together some would be equal.
const DENSE_GAP: f64 = 2.0;
/// From this many rows on, numbers in order are taken for row numbers whatever the gaps: a table is rarely sorted by a
/// measurement that no two rows share.
const SPARSE_ROWS: usize = 100;

/// Names that are those of identifiers, without spaces, signs and capitals.
const ID_NAMES: [&str; 14] = [
    "id",
    "ids",
    "index",
    "idx",
    "row",
    "rowname",
    "rownames",
    "rownumber",
    "rownum",
    "rowno",
    "key",
    "record",
    "unnamed0",
    "identifier",
];
/// Words that make an identifier of a name that begins or ends with them.
const ID_WORDS: [&str; 5] = ["id", "uuid", "guid", "uid", "identifier"];
/// Words of measurements that may well be in order and all different.
const MEASURED_WORDS: [&str; 12] =
    ["age", "year", "month", "week", "day", "date", "time", "hour", "minute", "second", "dose", "temperature"];

/// A column that looks like an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// Name of the column.
    pub column: String,
    /// Why it looks like one.
    pub reason: IdentifierReason,
    /// Whether it is left out, or only told about.
    pub left_out: bool,
}

impl Identifier {
    /// What there is to tell.
    pub fn note(self) -> DataNote {
        let Identifier { column, reason, left_out } = self;
        if left_out { DataNote::LeftOut { column, reason } } else { DataNote::IdLike { column, reason } }
    }
}

/// The columns that look like identifiers and about which the options say nothing, in the order of the table. Those of
/// which that is as good as certain are left out, unless the options say no or nothing would be left.
pub fn identifiers(table: &Table, options: &EncoderOptions) -> Vec<Identifier> {
    let unnamed = table.columns().iter().filter(|column| !options.names(&column.name));
    let mut found: Vec<Identifier> = unnamed.filter_map(identifier).collect();
    let left_out = found.iter().filter(|identifier| identifier.left_out).count();
    if !options.leave_out_ids || left_out == table.columns().len() {
        found.iter_mut().for_each(|identifier| identifier.left_out = false);
    }
    found
}

fn identifier(column: &Column) -> Option<Identifier> {
    let found = |reason, left_out| Some(Identifier { column: column.name.clone(), reason, left_out });
    let rows = column.values.len();
    let many = rows >= MIN_ROWS;
    let different = match &column.values {
        ColumnValues::Continuous(values) => all_different_integers(values),
        ColumnValues::Discrete(texts) => all_different_texts(texts),
        ColumnValues::Dates(_) => false,
    };
    if !different || rows < MIN_NAMED_ROWS {
        return None;
    }
    let words = words(&column.name);
    if is_id_name(&words) {
        return found(IdentifierReason::Named, true);
    }
    match &column.values {
        ColumnValues::Discrete(texts) if are_dates(texts) => None,
        ColumnValues::Discrete(_) => found(IdentifierReason::Texts, many),
        _ if !many => None,
        ColumnValues::Continuous(values) if in_order(values) => {
            let measured = words.iter().any(|word| MEASURED_WORDS.contains(&word.as_str()));
            let span = (values[rows - 1] - values[0]).abs();
            let rows_alone = span <= DENSE_GAP * (rows - 1) as f64 || rows >= SPARSE_ROWS;
            found(IdentifierReason::InOrder, rows_alone && !measured)
        }
        ColumnValues::Continuous(_) => found(IdentifierReason::AllDifferent, false),
        ColumnValues::Dates(_) => None,
    }
}

/// No value is missing, each is an integer, and no two are equal.
fn all_different_integers(values: &[f64]) -> bool {
    let mut seen = HashSet::new();
    values.iter().all(|&value| value.fract() == 0.0 && seen.insert((value + 0.0).to_bits()))
}

/// No two of the texts that are there are equal, and they are nearly all there.
fn all_different_texts(texts: &Texts) -> bool {
    let present = texts.len() - texts.missing();
    10 * present >= 9 * texts.len() && texts.names().len() == present
}

fn in_order(values: &[f64]) -> bool {
    values.is_sorted_by(|a, b| a < b) || values.is_sorted_by(|a, b| a > b)
}

/// The words of a name in small letters: `patientId`, `patient_id` and `Patient ID` are two.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for character in name.chars() {
        if !character.is_alphanumeric() || (before.is_lowercase() && character.is_uppercase()) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(super) fn is_id_name(words: &[String]) -> bool {
    let is_word = |word: Option<&String>| word.is_some_and(|word| ID_WORDS.contains(&word.as_str()));
    ID_NAMES.contains(&words.concat().as_str()) || is_word(words.first()) || is_word(words.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(name: &str, values: impl IntoIterator<Item = i64>) -> Column {
        Column::continuous(name, values.into_iter().map(|value| value as f64).collect())
    }

    fn rest(rows: usize) -> Column {
        Column::continuous("rest", (0..rows).map(|i| (i * 37 % 11) as f64 / 3.0).collect())
    }

    /// Whether a column beside another one is left out, only told about, or neither.
    fn verdict(column: Column) -> Option<bool> {
        let table = Table::new(vec![rest(column.values.len()), column]).unwrap();
        let found = identifiers(&table, &EncoderOptions::default());
        assert!(found.len() < 2);
        found.first().map(|identifier| identifier.left_out)
    }

    /// All different and in no order.
    fn shuffled(rows: i64) -> impl Iterator<Item = i64> {
        (0..rows).map(move |i| 13 + i * 7919 % 10_007)
    }

    #[test]
    fn row_numbers_are_left_out() {
        assert_eq!(verdict(numbers("a", 1..31)), Some(true));
        assert_eq!(verdict(numbers("a", (0..30).rev())), Some(true));
        assert_eq!(verdict(numbers("a", (0..60).filter(|i| i % 4 != 1))), Some(true));
        assert_eq!(verdict(numbers("a", (0..120).map(|i| 1000 + 17 * i + i % 3))), Some(true));
    }

    #[test]
    fn names_of_identifiers_are_heeded() {
        for name in
            ["id", "ID", "patient_id", "patientId", "Patient ID", "uuid", "index", "Unnamed: 0", "row", "id_code"]
        {
            assert_eq!(verdict(numbers(name, shuffled(40))), Some(true), "{name}");
            let texts = Column::categories(name, (0..12).map(|i| format!("p{}", i * 7 % 12)));
            assert_eq!(verdict(texts), Some(true), "{name}");
        }
        for name in ["humid", "width", "fluid", "body mass index", "period", "idle", "solid content"] {
            assert_eq!(verdict(numbers(name, shuffled(40))), Some(false), "{name}");
        }
        assert_eq!(verdict(numbers("ward_id", (0..40).map(|i| i % 7))), None);
        assert_eq!(verdict(Column::continuous("index", (0..40).map(|i| f64::from(i) * 0.37).collect())), None);
    }

    #[test]
    fn texts_that_are_all_different_are_left_out_where_there_are_enough() {
        let names = |rows: usize| Column::categories("who", (0..rows).map(|i| format!("person {i}")));
        assert_eq!((verdict(names(30)), verdict(names(8)), verdict(names(2))), (Some(true), Some(false), None));
        let mut some = (0..30).map(|i| Some(format!("person {i}"))).collect::<Vec<_>>();
        some[3] = None;
        assert_eq!(verdict(Column::discrete("who", some.clone())), Some(true));
        some[4] = some[5].clone();
        assert_eq!(verdict(Column::discrete("who", some)), None);
        let dates = Column::categories("when", (0..40).map(|i| format!("2020-{:02}-{:02}", 1 + i % 12, 1 + i % 28)));
        assert_eq!(verdict(dates), None);
    }

    #[test]
    fn measurements_that_happen_to_be_different_integers_stay() {
        // Told about, for they could be ids.
        assert_eq!(verdict(numbers("price", shuffled(60))), Some(false));
        // Sorted by price, in a table of ordinary size.
        assert_eq!(verdict(numbers("price", (0..60).map(|i| 900 + 35 * i + i * i % 17))), Some(false));
        // In a small table all ages may be different, and sorted.
        assert_eq!(verdict(numbers("age", [23, 31, 38, 44, 45, 52, 58, 61, 66, 71])), None);
        assert_eq!(verdict(numbers("x", 1..19)), None);
        assert_eq!(verdict(numbers("age", 20..60)), Some(false));
        assert_eq!(verdict(numbers("year", 1900..2020)), Some(false));
        assert_eq!(verdict(numbers("count", (0..60).map(|i| i / 2))), None);
        assert_eq!(verdict(Column::continuous("x", (0..60).map(|i| f64::from(i) + 0.5).collect())), None);
    }

    #[test]
    fn what_the_user_names_is_kept_and_something_is_always_left() {
        let table = Table::new(vec![numbers("id", 1..41), numbers("row", 1..41)]).unwrap();
        let left = |options: &EncoderOptions| {
            identifiers(&table, options).iter().map(|found| found.left_out).collect::<Vec<_>>()
        };
        let usual = EncoderOptions::default();
        assert_eq!(left(&usual), [false, false]);
        let named = vec!["id".to_owned()];
        assert_eq!(left(&EncoderOptions { keep: named.clone(), ..usual.clone() }), [true]);
        assert_eq!(left(&EncoderOptions { discrete: named, ..usual.clone() }), [true]);
        let table = Table::new(vec![numbers("id", 1..41), rest(40)]).unwrap();
        let kept = identifiers(&table, &EncoderOptions { leave_out_ids: false, ..usual });
        assert_eq!(kept.iter().map(|found| found.left_out).collect::<Vec<_>>(), [false]);
    }
}
