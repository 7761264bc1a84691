//! The names of the two classes.

use crate::data::text::numbers::{finite_number, only, same_number};
use crate::data::{DataError, Sign};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The two classes as written in the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ClassNamesRecord")]
pub struct ClassNames {
    negative: String,
    positive: String,
}

#[derive(Deserialize)]
struct ClassNamesRecord {
    negative: String,
    positive: String,
}

impl TryFrom<ClassNamesRecord> for ClassNames {
    type Error = DataError;

    fn try_from(record: ClassNamesRecord) -> Result<Self, DataError> {
        ClassNames::new(record.negative, record.positive)
    }
}

impl ClassNames {
    /// Two different names.
    pub fn new(negative: impl Into<String>, positive: impl Into<String>) -> Result<Self, DataError> {
        let (negative, positive) = (negative.into(), positive.into());
        if negative == positive {
            return Err(DataError::SameClassNames { name: negative });
        }
        Ok(ClassNames { negative, positive })
    }

    /// The name of the class y = -1.
    pub fn negative(&self) -> &str {
        &self.negative
    }

    /// The name of the class y = +1.
    pub fn positive(&self) -> &str {
        &self.positive
    }

    /// The text of a label.
    pub fn name(&self, label: Sign) -> &str {
        match label {
            Sign::Negative => &self.negative,
            Sign::Positive => &self.positive,
        }
    }

    /// The label of a text, however a number or its case was spelled.
    pub fn label(&self, text: &str) -> Option<Sign> {
        match find_class(text, &[&self.negative, &self.positive])? {
            0 => Some(Sign::Negative),
            _ => Some(Sign::Positive),
        }
    }
}

/// The class that `text` names: exactly, else as the same number, else without regard to case, if only one fits.
pub(super) fn find_class(text: &str, classes: &[impl AsRef<str>]) -> Option<usize> {
    only(classes.iter().map(|class| class.as_ref() == text)).or_else(|| same_number(text, classes)).or_else(|| {
        let folded = text.to_lowercase();
        only(classes.iter().map(|class| class.as_ref().to_lowercase() == folded))
    })
}

/// The order in which the second of two classes is positive by default: numbers by value, before text by letters
/// without regard to case (so that `no` comes before `Yes`).
pub(super) fn natural_order(a: &str, b: &str) -> Ordering {
    match (finite_number(a), finite_number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.to_lowercase().cmp(&b.to_lowercase()).then_with(|| a.cmp(b)),
    }
}

/// Negative and positive names that are usual together; of several partners of one name, the first.
const USUAL_PAIRS: [(&str, &str); 8] = [
    ("-1", "1"),
    ("0", "1"),
    ("false", "true"),
    ("no", "yes"),
    ("n", "y"),
    ("f", "t"),
    ("neg", "pos"),
    ("negative", "positive"),
];

/// Both names when the data show only `class` and nobody said which is positive: its usual partner, else it is the
/// positive one of `not class` and `class`.
pub(super) fn complete_pair(class: &str) -> (String, String) {
    let folded = class.to_lowercase();
    if let Some((_, positive)) = USUAL_PAIRS.iter().find(|(negative, _)| *negative == folded) {
        return (class.to_owned(), (*positive).to_owned());
    }
    let negative = USUAL_PAIRS
        .iter()
        .find(|(_, positive)| *positive == folded)
        .map_or_else(|| format!("not {class}"), |(negative, _)| (*negative).to_owned());
    (negative, class.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_labels_go_both_ways() {
        let classes = ClassNames::new("no", "Yes").unwrap();
        assert_eq!(classes.label("Yes"), Some(Sign::Positive));
        assert_eq!(classes.label("NO"), Some(Sign::Negative));
        assert_eq!(classes.label("maybe"), None);
        assert_eq!((classes.name(Sign::Negative), classes.name(Sign::Positive)), ("no", "Yes"));
        let numbers = ClassNames::new("0", "1").unwrap();
        assert_eq!(numbers.label("1.0"), Some(Sign::Positive));
        let cases = ClassNames::new("a", "A").unwrap();
        assert_eq!(cases.label("A"), Some(Sign::Positive));
    }

    #[test]
    fn equal_names_are_refused_also_when_read() {
        assert_eq!(
            ClassNames::new("a", "a").unwrap_err().to_string(),
            "the negative and the positive class are both named 'a': give them different names"
        );
        assert!(serde_json::from_str::<ClassNames>(r#"{"negative":"a","positive":"a"}"#).is_err());
        let classes = ClassNames::new("a", "b").unwrap();
        let text = serde_json::to_string(&classes).unwrap();
        assert_eq!(text, r#"{"negative":"a","positive":"b"}"#);
        assert_eq!(serde_json::from_str::<ClassNames>(&text).unwrap(), classes);
    }

    #[test]
    fn conventions_fall_out_of_the_natural_order() {
        for (negative, positive) in USUAL_PAIRS {
            assert_eq!(natural_order(negative, positive), Ordering::Less, "{negative} {positive}");
        }
        for (first, second) in [("no", "Yes"), ("2", "10"), ("-1", "+1"), ("7", "a"), ("A", "a")] {
            assert_eq!(natural_order(first, second), Ordering::Less, "{first} {second}");
            assert_eq!(natural_order(second, first), Ordering::Greater, "{first} {second}");
        }
    }

    #[test]
    fn a_lone_class_gets_its_usual_partner() {
        for (class, pair) in [
            ("1", ("-1", "1")),
            ("-1", ("-1", "1")),
            ("0", ("0", "1")),
            ("No", ("No", "yes")),
            ("true", ("false", "true")),
            ("tumour", ("not tumour", "tumour")),
        ] {
            assert_eq!(complete_pair(class), (pair.0.to_owned(), pair.1.to_owned()));
        }
    }
}
