//! Finding columns by name, and the name that was probably meant.

use super::error::{TableError, shortened};
use std::collections::HashMap;

/// Most column names that an error lists.
const LISTED: usize = 12;

/// The column called `name`, or an error that suggests the nearest name.
pub fn position(names: &[String], name: &str, wanted_for: &'static str, file: &str) -> Result<usize, TableError> {
    names.iter().position(|n| n == name).ok_or_else(|| TableError::UnknownColumn {
        file: file.to_owned(),
        name: shortened(name),
        wanted_for,
        suggestion: suggestion(names, name),
    })
}

/// Fails on the first name that occurs twice.
pub fn check_unique(names: &[String], file: &str) -> Result<(), TableError> {
    let mut seen = HashMap::with_capacity(names.len());
    for (j, name) in names.iter().enumerate() {
        if let Some(first) = seen.insert(name.as_str(), j) {
            return Err(TableError::DuplicateColumn {
                file: file.to_owned(),
                name: shortened(name),
                first: first + 1,
                second: j + 1,
            });
        }
    }
    Ok(())
}

fn suggestion(names: &[String], name: &str) -> String {
    match nearest(names.iter().map(String::as_str), name) {
        Some(near) => format!("; did you mean '{}'?", shortened(near)),
        None if names.len() <= LISTED => {
            let list: Vec<String> = names.iter().map(|n| shortened(n)).collect();
            format!("; it has: {}", list.join(", "))
        }
        None => {
            let list: Vec<String> = names[..LISTED].iter().map(|n| shortened(n)).collect();
            format!("; it has: {} and {} more", list.join(", "), names.len() - LISTED)
        }
    }
}

/// The candidate nearest to `name`, if one is near: equal but for case and punctuation, or a third of its letters changed at most.
pub fn nearest<'a>(candidates: impl IntoIterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let wanted = simplified(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let plain = simplified(candidate);
        let allowed = wanted.len().min(plain.len()).div_ceil(3);
        // The distance is at least the difference of the lengths, which is free.
        if wanted.len().abs_diff(plain.len()) > allowed {
            continue;
        }
        let distance = edit_distance(&wanted, &plain);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Longest name compared, in letters: keeps the quadratic comparison cheap on hostile headers.
const COMPARED: usize = 100;

fn simplified(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(COMPARED).collect()
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&s| s.to_owned()).collect()
    }

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        // Textbook values of the optimal string alignment distance.
        assert_eq!(d("kitten", "sitting"), 3);
        assert_eq!(d("ca", "abc"), 3);
        assert_eq!(d("lable", "label"), 1);
        assert_eq!(d("", "abc"), 3);
    }

    #[test]
    fn nearest_names() {
        let list = ["age", "income", "Heart Rate", "label"];
        assert_eq!(nearest(list, "lable"), Some("label"));
        assert_eq!(nearest(list, "heart_rate"), Some("Heart Rate"));
        assert_eq!(nearest(list, "AGE"), Some("age"));
        assert_eq!(nearest(list, "zzz"), None);
    }

    #[test]
    fn unknown_column_says_what_there_is() {
        let error = position(&names(&["a", "b"]), "species", "label", "f.csv").unwrap_err().to_string();
        assert_eq!(error, "'f.csv' has no column 'species' (label); it has: a, b");
        let error = position(&names(&["species", "b"]), "specis", "label", "f.csv").unwrap_err().to_string();
        assert_eq!(error, "'f.csv' has no column 'specis' (label); did you mean 'species'?");
    }

    #[test]
    fn duplicates() {
        let error = check_unique(&names(&["a", "b", "a"]), "f.csv").unwrap_err().to_string();
        assert_eq!(error, "'f.csv' has two columns named 'a' (columns 1 and 3); rename one of them");
    }
}
