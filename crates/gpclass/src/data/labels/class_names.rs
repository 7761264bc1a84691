//! The names of the classes.

use super::Class;
use crate::data::DataError;
use crate::text::numbers::{finite_number, only, same_number, spelling_key};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// The classes as written in the data, two or more, all different. Their order is that of every column of class
/// probabilities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<String>", try_from = "Stored")]
pub struct ClassNames {
    names: Vec<String>,
}

/// What files hold: at first two named fields.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Names(Vec<String>),
    Pair { negative: String, positive: String },
}

impl TryFrom<Stored> for ClassNames {
    type Error = DataError;

    fn try_from(stored: Stored) -> Result<Self, DataError> {
        match stored {
            Stored::Names(names) => ClassNames::new(names),
            Stored::Pair { negative, positive } => ClassNames::pair(negative, positive),
        }
    }
}

impl From<ClassNames> for Vec<String> {
    fn from(classes: ClassNames) -> Self {
        classes.names
    }
}

impl ClassNames {
    /// Two or more names, all different.
    pub fn new<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Result<Self, DataError> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        if !(2..=Class::MOST).contains(&names.len()) {
            return Err(DataError::ClassNameCount { count: names.len() });
        }
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(DataError::SameClassNames { name: name.clone() });
        }
        Ok(ClassNames { names })
    }

    /// The negative class, then the positive one.
    pub fn pair(negative: impl Into<String>, positive: impl Into<String>) -> Result<Self, DataError> {
        ClassNames::new([negative.into(), positive.into()])
    }

    /// How many classes there are: at least two.
    #[expect(clippy::len_without_is_empty, reason = "there are never none")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The classes in order.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Class> + Clone {
        Class::first(self.names.len())
    }

    /// The names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a class of this set. Panics for any other.
    pub fn name(&self, class: Class) -> &str {
        &self.names[class.position()]
    }

    /// The class of a text, however a number or its case was spelled.
    pub fn class(&self, text: &str) -> Option<Class> {
        Class::at(find_class(text, &self.names)?)
    }
}

/// The class that `text` names: exactly, else as the same number, else without regard to case and to spaces at the ends, if
/// only one fits.
pub(super) fn find_class(text: &str, classes: &[impl AsRef<str>]) -> Option<usize> {
    only(classes.iter().map(|class| class.as_ref() == text)).or_else(|| same_number(text, classes)).or_else(|| {
        let folded = |name: &str| name.trim().to_lowercase();
        let wanted = folded(text);
        only(classes.iter().map(|class| folded(class.as_ref()) == wanted))
    })
}

/// Names that differ from an earlier one only in case or in how a number is spelled, each after that one.
pub(super) fn similar_names(names: &[String]) -> Vec<(&str, &str)> {
    let mut first_of: HashMap<(Option<u64>, String), &str> = HashMap::new();
    let mut similar = Vec::new();
    for name in names {
        let number = spelling_key(name);
        let letters = if number.is_some() { String::new() } else { name.to_lowercase() };
        let first = *first_of.entry((number, letters)).or_insert(name);
        if first != name {
            similar.push((first, name.as_str()));
        }
    }
    similar
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

    const N: Option<Class> = Some(Class::NEGATIVE);
    const P: Option<Class> = Some(Class::POSITIVE);

    #[test]
    fn texts_and_classes_go_both_ways() {
        let classes = ClassNames::pair("no", "Yes").unwrap();
        assert_eq!(classes.class("Yes"), P);
        assert_eq!(classes.class("NO"), N);
        assert_eq!(classes.class("maybe"), None);
        assert_eq!((classes.name(Class::NEGATIVE), classes.name(Class::POSITIVE)), ("no", "Yes"));
        let numbers = ClassNames::pair("0", "1").unwrap();
        assert_eq!(numbers.class("1.0"), P);
        let cases = ClassNames::pair("a", "A").unwrap();
        assert_eq!(cases.class("A"), P);
        let three = ClassNames::new(["1", "2", "10"]).unwrap();
        assert_eq!(three.classes().map(|class| three.name(class)).collect::<Vec<_>>(), ["1", "2", "10"]);
        assert_eq!(three.class("10.0"), Some(Class::from(2)));
        assert_eq!(ClassNames::pair(" a", "b").unwrap().class("a"), N);
    }

    #[test]
    fn names_that_may_mean_the_same_are_found() {
        let names = ["1", "a", "b", "A", "1.0", "c", "10", "01"].map(str::to_owned);
        assert_eq!(similar_names(&names), [("a", "A"), ("1", "1.0")]);
    }

    #[test]
    fn equal_names_and_too_few_are_refused_also_when_read() {
        assert_eq!(
            ClassNames::pair("a", "a").unwrap_err().to_string(),
            "two classes are named 'a': give them different names"
        );
        assert_eq!(
            ClassNames::new(["a"]).unwrap_err().to_string(),
            "there is 1 class name, but classes are told apart from two to 65536 of them: name that many"
        );
        assert_eq!(ClassNames::new(vec![""; 70_000]), Err(DataError::ClassNameCount { count: 70_000 }));
        for text in [r#"{"negative":"a","positive":"a"}"#, r#"["a","b","a"]"#, r#"["a"]"#, "[]"] {
            assert!(serde_json::from_str::<ClassNames>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_old_form_of_two_names_is_still_read() {
        let classes = ClassNames::pair("a", "b").unwrap();
        let text = serde_json::to_string(&classes).unwrap();
        assert_eq!(text, r#"["a","b"]"#);
        for text in [&text, r#"{"negative":"a","positive":"b"}"#] {
            assert_eq!(serde_json::from_str::<ClassNames>(text).unwrap(), classes);
        }
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
