//! What an encoding had to do beyond reading values.

use crate::data::{DataNote, Replacement};

/// Counts for one column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnCounts {
    /// The column's name.
    pub column: String,
    /// Values of a category that no training row has, missing ones among them where missing is a category.
    pub unseen: usize,
    /// Missing values replaced by what training rows usually have.
    pub imputed: usize,
    /// Values that are no date, or none of the levels of an ordered column, treated as missing.
    pub unread: usize,
}

/// Counts for every column of an encoder, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodeCounts {
    /// One entry per column.
    pub columns: Vec<ColumnCounts>,
}

impl EncodeCounts {
    /// Values of unseen categories in all columns.
    pub fn unseen(&self) -> usize {
        self.columns.iter().map(|column| column.unseen).sum()
    }

    /// Imputed values in all columns.
    pub fn imputed(&self) -> usize {
        self.columns.iter().map(|column| column.imputed).sum()
    }

    /// Adds the counts of another block of rows encoded by the same encoder.
    pub fn merge(&mut self, other: &EncodeCounts) {
        if self.columns.is_empty() {
            self.columns.clone_from(&other.columns);
            return;
        }
        for (mine, theirs) in self.columns.iter_mut().zip(&other.columns) {
            debug_assert_eq!(mine.column, theirs.column, "counts of different encoders");
            mine.unseen += theirs.unseen;
            mine.imputed += theirs.imputed;
            mine.unread += theirs.unread;
        }
    }

    /// One note per column and kind of count that is not zero.
    pub fn notes(&self) -> Vec<DataNote> {
        let name = |counts: &ColumnCounts| counts.column.clone();
        let of = |count: fn(&ColumnCounts) -> usize, note: &dyn Fn(&ColumnCounts) -> DataNote| {
            self.columns.iter().filter(|counts| count(counts) > 0).map(note).collect::<Vec<DataNote>>()
        };
        let unseen = of(|c| c.unseen, &|c| DataNote::UnseenCategories { column: name(c), values: c.unseen });
        let unread = of(|c| c.unread, &|c| DataNote::Unread { column: name(c), values: c.unread });
        let missing = |c: &ColumnCounts| DataNote::Missing {
            column: name(c),
            values: c.imputed,
            replacement: Replacement::Usual,
        };
        [unseen, unread, of(|c| c.imputed, &missing)].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_add_up() {
        let block = |unseen, imputed, unread| EncodeCounts {
            columns: vec![
                ColumnCounts { column: "a".into(), unseen, imputed: 0, unread: 0 },
                ColumnCounts { column: "b".into(), unseen: 0, imputed, unread },
            ],
        };
        let mut total = EncodeCounts::default();
        total.merge(&block(1, 2, 1));
        total.merge(&block(3, 4, 0));
        assert_eq!(total, block(4, 6, 1));
        assert_eq!((total.unseen(), total.imputed()), (4, 6));
        assert_eq!(
            total.notes(),
            [
                DataNote::UnseenCategories { column: "a".into(), values: 4 },
                DataNote::Unread { column: "b".into(), values: 1 },
                DataNote::Missing { column: "b".into(), values: 6, replacement: Replacement::Usual }
            ]
        );
        assert!(block(0, 0, 0).notes().is_empty());
    }
}
