//! What an encoding had to do beyond reading values.

use crate::data::DataNote;

/// Counts for one column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnCounts {
    /// The column's name.
    pub column: String,
    /// Values of a category that no training row has, missing ones among them where missing is a category.
    pub unseen: usize,
    /// Missing values replaced by the mean or the most frequent category.
    pub imputed: usize,
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
        }
    }

    /// One note per column and kind of count that is not zero.
    pub fn notes(&self) -> Vec<DataNote> {
        let unseen = self.columns.iter().filter(|counts| counts.unseen > 0);
        let imputed = self.columns.iter().filter(|counts| counts.imputed > 0);
        let unseen = unseen.map(|c| DataNote::UnseenCategories { column: c.column.clone(), values: c.unseen });
        let imputed = imputed.map(|c| DataNote::Imputed { column: c.column.clone(), values: c.imputed });
        unseen.chain(imputed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_add_up() {
        let block = |unseen, imputed| EncodeCounts {
            columns: vec![
                ColumnCounts { column: "a".into(), unseen, imputed: 0 },
                ColumnCounts { column: "b".into(), unseen: 0, imputed },
            ],
        };
        let mut total = EncodeCounts::default();
        total.merge(&block(1, 2));
        total.merge(&block(3, 4));
        assert_eq!(total, block(4, 6));
        assert_eq!((total.unseen(), total.imputed()), (4, 6));
        assert_eq!(
            total.notes(),
            [
                DataNote::UnseenCategories { column: "a".into(), values: 4 },
                DataNote::Imputed { column: "b".into(), values: 6 }
            ]
        );
        assert!(block(0, 0).notes().is_empty());
    }
}
