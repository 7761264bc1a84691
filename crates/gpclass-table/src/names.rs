//! Columns by name, and the name that was probably meant.

use crate::error::{TableError, WantedFor};
use gpclass::data::{Shown, nearest_name};
use std::collections::HashMap;

/// Most column names that an error lists.
const LISTED: usize = 12;

/// The names of a table's columns, all different.
pub(crate) struct Names {
    list: Vec<String>,
    position: HashMap<String, usize>,
    file: String,
}

impl Names {
    /// Fails on the first name that occurs twice.
    pub fn new(list: Vec<String>, file: &str) -> Result<Self, TableError> {
        let mut position = HashMap::with_capacity(list.len());
        for (j, name) in list.iter().enumerate() {
            if let Some(first) = position.insert(name.clone(), j) {
                let (first, second) = (first + 1, j + 1);
                return Err(TableError::DuplicateColumn { file: file.to_owned(), name: name.clone(), first, second });
            }
        }
        Ok(Names { list, position, file: file.to_owned() })
    }

    /// In order.
    pub fn list(&self) -> &[String] {
        &self.list
    }

    /// The column called `name`, or an error that suggests the nearest name.
    pub fn position(&self, name: &str, wanted_for: WantedFor) -> Result<usize, TableError> {
        self.position.get(name).copied().ok_or_else(|| TableError::UnknownColumn {
            file: self.file.clone(),
            name: name.to_owned(),
            wanted_for,
            suggestion: self.suggestion(name),
        })
    }

    fn suggestion(&self, name: &str) -> String {
        if let Some(near) = nearest_name(name, self.list.iter().map(String::as_str)) {
            return format!("; did you mean '{}'?", Shown(near));
        }
        let shown: Vec<String> = self.list.iter().take(LISTED).map(|n| Shown(n).to_string()).collect();
        let rest = self.list.len() - shown.len();
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        format!("; it has: {}{more}", shown.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Result<Names, TableError> {
        Names::new(list.iter().map(|&s| s.to_owned()).collect(), "f.csv")
    }

    fn unknown(list: &[&str], name: &str) -> String {
        names(list).unwrap().position(name, WantedFor::Label).unwrap_err().to_string()
    }

    #[test]
    fn unknown_column_says_what_there_is() {
        let error = unknown(&["a", "b"], "species");
        assert_eq!(error, "'f.csv' has no column 'species' (the label); it has: a, b");
        let error = unknown(&["species", "b"], "specis");
        assert_eq!(error, "'f.csv' has no column 'specis' (the label); did you mean 'species'?");
        assert!(unknown(&["Heart Rate", "b"], "heart_rate").ends_with("did you mean 'Heart Rate'?"));
        let many: Vec<String> = (0..20).map(|i| format!("gene{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(unknown(&many, "y").ends_with("gene11 and 8 more"));
    }

    #[test]
    fn duplicates() {
        let error = names(&["a", "b", "a"]).err().unwrap().to_string();
        assert_eq!(error, "'f.csv' has two columns named 'a' (columns 1 and 3); rename one of them");
    }
}
