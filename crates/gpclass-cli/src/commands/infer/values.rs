//! The values of `--fix`, looked up by the names that parameters may have.

use crate::args::FixedValue;
use crate::error::CliError;
use gpclass::data::{ClassNames, Feature, Shown};
use gpclass::param::Param;
use std::collections::{BTreeMap, BTreeSet};

/// Names of parameters in a sentence.
const SHOWN_NAMES: usize = 20;

/// The values given, each to be used.
pub struct Values {
    given: BTreeMap<String, f64>,
    asked: BTreeSet<String>,
    /// The class whose own values come before those of all.
    class: Option<String>,
}

impl Values {
    pub fn new(fix: &[FixedValue]) -> Result<Self, CliError> {
        let mut given = BTreeMap::new();
        for FixedValue { name, value } in fix {
            if given.insert(name.clone(), *value).is_some() {
                return Err(CliError::user(format!("'{name}' is given twice in --fix; give it once")));
            }
        }
        Ok(Values { given, asked: BTreeSet::new(), class: None })
    }

    /// Whether a class has a value of its own; what is the name of a column's does not mean a class.
    pub fn name_classes(&self, classes: &ClassNames, features: &[Feature]) -> bool {
        let of_columns: Vec<String> = ["l", "w"].iter().flat_map(|letter| column_names(letter, features)).collect();
        let of_class = |name: &str| classes.names().iter().any(|class| name.ends_with(&format!("[{class}]")));
        self.given.keys().any(|name| of_class(name) && !of_columns.contains(name))
    }

    /// What `make` makes of the values of one class.
    pub fn of_class<T>(&mut self, class: &str, make: impl FnOnce(&mut Values) -> T) -> T {
        self.class = Some(class.to_owned());
        let made = make(self);
        self.class = None;
        made
    }

    pub fn take(&mut self, name: &str) -> Option<f64> {
        self.first(&[name.to_owned()], &[])
    }

    pub fn required(&mut self, name: &str) -> Result<f64, CliError> {
        let value = self.take(name);
        value.ok_or_else(|| {
            CliError::user(match &self.class {
                None => format!("the model needs a value for '{name}'; add {name}=... to --fix"),
                Some(class) => {
                    let class = Shown(class);
                    format!(
                        "the model needs a value of {name} for class '{class}'; add {name}=... for all classes or \
                         {name}[{class}]=... to --fix"
                    )
                }
            })
        })
    }

    /// Whether some feature has a value of its own, of all classes or of one.
    pub fn has_own(&self, letter: &str, features: &[Feature]) -> bool {
        let names = features.iter().enumerate().flat_map(|(m, feature)| feature_names(letter, m, feature));
        let names: Vec<String> = names.collect();
        let is_one = |given: &String| {
            names.iter().any(|name| given == name || given.strip_prefix(name).is_some_and(|rest| rest.starts_with('[')))
        };
        self.given.keys().any(is_one)
    }

    /// One value for every feature: `l[name]` or `l3` before `l`, and those of the class before those of all.
    pub fn per_feature(&mut self, letter: &str, features: &[Feature]) -> Result<Vec<f64>, CliError> {
        let of_columns: Vec<String> = column_names(letter, features).collect();
        let one = |(m, feature): (usize, &Feature)| {
            let [by_name, by_number] = feature_names(letter, m, feature);
            let name = Shown(&feature.name);
            self.first(&[by_name, by_number, letter.to_owned()], &of_columns).ok_or_else(|| {
                CliError::user(format!(
                    "the model needs a value of {letter} for column '{name}'; add {letter}=... for all columns or \
                     {letter}[{name}]=... to --fix"
                ))
            })
        };
        features.iter().enumerate().map(one).collect()
    }

    /// The value of the first name that has one, with the class or else without; what is the name of a column's does not
    /// mean a class.
    fn first(&mut self, names: &[String], of_columns: &[String]) -> Option<f64> {
        let own = self.class.iter().flat_map(|class| names.iter().map(move |name| format!("{name}[{class}]")));
        let own = own.filter(|name| !of_columns.contains(name));
        let all: Vec<String> = own.chain(names.iter().cloned()).collect();
        self.asked.extend(all.iter().cloned());
        all.iter().find_map(|name| self.given.get(name)).copied()
    }

    /// Refuses names that nothing asked for.
    pub fn all_used(&self, params: impl IntoIterator<Item = Param>) -> Result<(), CliError> {
        let Some(name) = self.given.keys().find(|name| !self.asked.contains(*name)) else { return Ok(()) };
        let known: Vec<String> = params.into_iter().map(|p| p.name).collect();
        let mut shown = known[..known.len().min(SHOWN_NAMES)].join(", ");
        if known.len() > SHOWN_NAMES {
            shown += ", ...";
        }
        Err(CliError::user(format!("this model has no parameter '{name}'; it has {shown} and may have v1 and v2")))
    }
}

/// What a user may call the parameter of one feature.
fn feature_names(letter: &str, position: usize, feature: &Feature) -> [String; 2] {
    [Param::name_of_feature(letter, &feature.name), format!("{letter}{}", position + 1)]
}

/// `l[name]` of every feature.
fn column_names(letter: &str, features: &[Feature]) -> impl Iterator<Item = String> {
    features.iter().map(move |feature| Param::name_of_feature(letter, &feature.name))
}
