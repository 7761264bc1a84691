//! A class by its position.

use super::Sign;
use serde::{Deserialize, Serialize};

/// A class by its position in [`ClassNames`](super::ClassNames), which is also the order of every column of class
/// probabilities. With two classes position 0 is the negative one and position 1 the positive one.
///
/// ```
/// use gpclass::data::{Class, ClassNames};
///
/// let names = ClassNames::new(["setosa", "versicolor", "virginica"])?;
/// assert_eq!(names.class("virginica").map(Class::position), Some(2));
/// assert_eq!(names.name(Class::POSITIVE), "versicolor");
/// # Ok::<(), gpclass::data::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Class(u16);

impl Class {
    /// Most classes that can be told apart.
    pub const MOST: usize = u16::MAX as usize + 1;
    /// Of two classes the one of y = -1.
    pub const NEGATIVE: Class = Class(0);
    /// Of two classes the one of y = +1.
    pub const POSITIVE: Class = Class(1);

    /// The class at a position; `None` from [`Class::MOST`] on.
    pub fn at(position: usize) -> Option<Class> {
        u16::try_from(position).ok().map(Class)
    }

    /// The first `count` classes, in order.
    pub fn first(count: usize) -> impl ExactSizeIterator<Item = Class> + Clone {
        (0..count.min(Class::MOST)).map(|position| Class(position as u16))
    }

    /// Its position.
    pub fn position(self) -> usize {
        usize::from(self.0)
    }

    /// Its position as model files and arrays hold it.
    pub fn code(self) -> u16 {
        self.0
    }
}

impl From<u16> for Class {
    fn from(code: u16) -> Self {
        Class(code)
    }
}

impl From<Sign> for Class {
    fn from(sign: Sign) -> Self {
        match sign {
            Sign::Negative => Class::NEGATIVE,
            Sign::Positive => Class::POSITIVE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_codes_go_both_ways() {
        assert_eq!(Class::at(7).map(Class::position), Some(7));
        assert_eq!(Class::at(Class::MOST - 1).map(Class::code), Some(u16::MAX));
        assert_eq!(Class::at(Class::MOST), None);
        assert_eq!(Class::first(2).collect::<Vec<_>>(), [Class::NEGATIVE, Class::POSITIVE]);
        assert_eq!(serde_json::to_string(&Class::POSITIVE).unwrap(), "1");
    }
}
