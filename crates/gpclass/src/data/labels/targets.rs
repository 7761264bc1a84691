//! The classes of training rows as inference sees them.

use super::{Class, Labels, Sign};

/// The class of every row. Where there are two classes the same labels are at hand as signs, which is all that a binary
/// likelihood sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    of_row: Vec<Class>,
    count: usize,
    /// Names of the classes, for the names of what each has for itself; empty where they are their positions.
    names: Vec<String>,
    /// Empty unless there are two classes.
    signs: Vec<Sign>,
}

impl Targets {
    /// Classes among the first `count`; `None` if one of them is not, or if `count` is below two.
    pub fn new(of_row: Vec<Class>, count: usize) -> Option<Self> {
        if count < 2 || of_row.iter().any(|class| class.position() >= count) {
            return None;
        }
        let sign = |class: &Class| if *class == Class::POSITIVE { Sign::Positive } else { Sign::Negative };
        let signs = if count == 2 { of_row.iter().map(sign).collect() } else { Vec::new() };
        Some(Targets { of_row, count, names: Vec::new(), signs })
    }

    /// The class of every row.
    pub fn classes(&self) -> &[Class] {
        &self.of_row
    }

    /// How many classes there are, whether or not rows have them.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Names of the classes; their positions where none were given.
    pub fn names(&self) -> Vec<String> {
        if self.names.is_empty() {
            (0..self.count).map(|class| class.to_string()).collect()
        } else {
            self.names.clone()
        }
    }

    /// How many rows have each class, in the order of the classes.
    pub fn rows_of_class(&self) -> Vec<usize> {
        let mut rows = vec![0; self.count];
        self.of_row.iter().for_each(|class| rows[class.position()] += 1);
        rows
    }

    /// The given rows, in the order given; the classes are the same.
    pub fn with_rows(&self, which: &[usize]) -> Targets {
        let signs = if self.signs.is_empty() { Vec::new() } else { which.iter().map(|&row| self.signs[row]).collect() };
        let of_row = which.iter().map(|&row| self.of_row[row]).collect();
        Targets { of_row, count: self.count, names: self.names.clone(), signs }
    }

    /// The labels as signs, if there are two classes.
    pub fn signs(&self) -> Option<&[Sign]> {
        (self.count == 2).then_some(&self.signs)
    }
}

impl From<Vec<Sign>> for Targets {
    fn from(signs: Vec<Sign>) -> Self {
        Targets { of_row: signs.iter().copied().map(Class::from).collect(), count: 2, names: Vec::new(), signs }
    }
}

impl From<&Labels> for Targets {
    fn from(labels: &Labels) -> Self {
        let classes = labels.classes();
        let targets = Targets::new(labels.as_slice().to_vec(), classes.len());
        Targets { names: classes.names().to_vec(), ..targets.expect("labels are among their own classes") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_are_signs_and_more_are_not() {
        let classes: Vec<Class> = [0, 1, 1].map(Class::from).to_vec();
        let two = Targets::new(classes.clone(), 2).unwrap();
        assert_eq!(two.signs(), Some([Sign::Negative, Sign::Positive, Sign::Positive].as_slice()));
        assert_eq!(Targets::from(two.signs().unwrap().to_vec()), two);
        let three = Targets::new(classes.clone(), 3).unwrap();
        assert_eq!((three.signs(), three.rows_of_class()), (None, vec![1, 2, 0]));
        assert_eq!(Targets::new(classes.clone(), 1), None);
        assert_eq!(Targets::new(vec![Class::from(2)], 2), None);
    }
}
