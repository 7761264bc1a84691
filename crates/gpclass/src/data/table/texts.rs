//! Texts of rows, each different one kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// The code of a row without a text.
const NONE: u32 = u32::MAX;

/// A text for every row, or none. Different texts are kept once each, in the order of their first rows, so that a row of a
/// column with few of them takes four bytes.
///
/// ```
/// use gpclass::data::Texts;
///
/// let texts: Texts = [Some("b"), None, Some("a"), Some("b")].into_iter().collect();
/// assert_eq!((texts.len(), texts.get(3), texts.get(1)), (4, Some("b"), None));
/// assert_eq!(texts.names().collect::<Vec<_>>(), ["b", "a"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Texts {
    names: Vec<Arc<str>>,
    codes: Vec<u32>,
}

impl Texts {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The text of a row, if it has one. Panics on a row out of range, like indexing.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.code(row).map(|code| &*self.names[code])
    }

    /// The text of every row, if it has one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&str>> + Clone {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The different texts, in the order of their first rows.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.names.iter().map(|name| &**name)
    }

    /// The position of a row's text among the different ones. Panics on a row out of range, like indexing.
    pub fn code(&self, row: usize) -> Option<usize> {
        let code = self.codes[row];
        (code != NONE).then_some(code as usize)
    }

    /// The same for every row.
    pub fn codes(&self) -> impl ExactSizeIterator<Item = Option<usize>> + Clone {
        (0..self.len()).map(|row| self.code(row))
    }

    /// How many rows have each of the different texts.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.names.len()];
        self.codes().flatten().for_each(|code| counts[code] += 1);
        counts
    }

    /// How many rows have no text.
    pub fn missing(&self) -> usize {
        self.codes.iter().filter(|code| **code == NONE).count()
    }

    /// What `of` says about each of the different texts, asked once for each.
    pub fn each<T>(&self, of: impl FnMut(&str) -> T) -> Vec<T> {
        self.names().map(of).collect()
    }

    /// The texts of the given rows, in the order given. Panics on a row out of range, like indexing.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Texts {
        let mut place = vec![NONE; self.names.len()];
        let mut chosen = Texts { names: Vec::new(), codes: Vec::with_capacity(rows.len()) };
        for &row in rows {
            let code = self.code(row).map_or(NONE, |code| {
                if place[code] == NONE {
                    place[code] = chosen.add_name(Arc::clone(&self.names[code]));
                }
                place[code]
            });
            chosen.codes.push(code);
        }
        chosen
    }

    fn add_name(&mut self, name: Arc<str>) -> u32 {
        let code = u32::try_from(self.names.len()).ok().filter(|code| *code != NONE);
        self.names.push(name);
        code.expect("four thousand million different texts do not fit in memory")
    }
}

impl<T: AsRef<str>> FromIterator<Option<T>> for Texts {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(texts: I) -> Self {
        let mut builder = TextsBuilder::default();
        texts.into_iter().for_each(|text| builder.push(text.as_ref().map(AsRef::as_ref)));
        builder.finish()
    }
}

/// Makes [`Texts`] row by row.
#[derive(Debug, Default)]
pub struct TextsBuilder {
    texts: Texts,
    index: HashMap<Arc<str>, u32>,
}

impl TextsBuilder {
    /// With room for so many rows.
    pub fn with_capacity(rows: usize) -> Self {
        TextsBuilder { texts: Texts { names: Vec::new(), codes: Vec::with_capacity(rows) }, index: HashMap::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, text: Option<&str>) {
        let code = text.map_or(NONE, |text| self.find_or_add(text));
        self.texts.codes.push(code);
    }

    /// Adds the rows of others.
    pub fn append(&mut self, more: &Texts) {
        let places = more.each(|name| self.find_or_add(name));
        self.texts.codes.extend(more.codes().map(|code| code.map_or(NONE, |code| places[code])));
    }

    fn find_or_add(&mut self, text: &str) -> u32 {
        if let Some(code) = self.index.get(text) {
            return *code;
        }
        let name: Arc<str> = text.into();
        let code = self.texts.add_name(Arc::clone(&name));
        self.index.insert(name, code);
        code
    }

    /// The rows so far.
    pub fn finish(self) -> Texts {
        self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Texts {
        text.split(' ').map(|name| (name != "-").then_some(name)).collect()
    }

    #[test]
    fn rows_have_their_texts_and_texts_are_counted_once() {
        let found = texts("b a - b c b");
        assert_eq!(found.iter().map(|text| text.unwrap_or("-")).collect::<Vec<_>>().join(" "), "b a - b c b");
        assert_eq!(found.names().collect::<Vec<_>>(), ["b", "a", "c"]);
        assert_eq!((found.counts(), found.missing(), found.code(2), found.code(4)), (vec![3, 1, 1], 1, None, Some(2)));
        assert_eq!(found.each(str::len), [1, 1, 1]);
        assert!(Texts::default().is_empty() && Texts::default().missing() == 0);
    }

    #[test]
    fn a_choice_of_rows_is_as_if_made_of_them() {
        assert_eq!(texts("b a - b c b").select(&[4, 2, 0, 4]), texts("c - b c"));
        assert_ne!(texts("a b"), texts("b a"));
        assert_eq!(texts("a").select(&[]), Texts::default());
        let mut builder = TextsBuilder::default();
        [texts("b a"), texts("- c b")].iter().for_each(|some| builder.append(some));
        assert_eq!(builder.finish(), texts("b a - c b"));
    }
}
