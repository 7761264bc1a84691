//! Rows with equal inputs, and those among them whose labels disagree.

use super::redundancy::comparable_bits;
use crate::data::error::check_row_count;
use crate::data::{Class, DataError, DataNote, Inputs};
use gpclass_linalg::Mat;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows whose hashes are made side by side: their states fit in a cache.
const HASHED_TOGETHER: usize = 1024;

/// Groups of rows with equal encoded inputs. Groups are in the order of their first rows, rows in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuplicateSummary {
    /// Rows that repeat an earlier row.
    pub repeated: usize,
    /// Groups of two or more equal rows.
    pub groups: Vec<Vec<usize>>,
    /// The groups in which different labels occur.
    pub contradictory: Vec<Vec<usize>>,
}

impl DuplicateSummary {
    /// At most two notes: on repetition, and on contradiction with an example.
    pub fn notes(&self, labels: &[Class]) -> Vec<DataNote> {
        let repeated = (self.repeated > 0).then_some(DataNote::DuplicateRows { repeated: self.repeated });
        let contradiction = self.contradictory.first().and_then(|group| {
            let first = *group.first()?;
            let second = *group.iter().find(|&&row| labels.get(row) != labels.get(first))?;
            Some(DataNote::ContradictoryRows {
                groups: self.contradictory.len(),
                rows: self.contradictory.iter().map(Vec::len).sum(),
                example: (first, second),
            })
        });
        repeated.into_iter().chain(contradiction).collect()
    }
}

/// Finds rows with equal encoded inputs; the two zeros are equal. One pass over the values and one hash per row.
pub fn duplicates(inputs: &Inputs, labels: &[Class]) -> Result<DuplicateSummary, DataError> {
    check_row_count("labels", labels.len(), inputs.rows())?;
    let groups = groups_of_equal_rows(inputs.values());
    let disagrees = |group: &&Vec<usize>| group.iter().any(|&row| labels[row] != labels[group[0]]);
    Ok(DuplicateSummary {
        repeated: groups.iter().map(|group| group.len() - 1).sum(),
        contradictory: groups.iter().filter(disagrees).cloned().collect(),
        groups,
    })
}

/// Those of two rows or more. Rows are compared where their hashes are equal, found by sorting: rows that are all different cost two
/// numbers each.
fn groups_of_equal_rows(values: &Mat) -> Vec<Vec<usize>> {
    let hashes = row_hashes(values);
    let mut order: Vec<usize> = (0..hashes.len()).collect();
    order.sort_unstable_by_key(|&row| (hashes[row], row));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for alike in order.chunk_by(|&a, &b| hashes[a] == hashes[b]).filter(|alike| alike.len() > 1) {
        let first = groups.len();
        for &row in alike {
            match groups[first..].iter_mut().find(|group| equal_rows(values, group[0], row)) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_unstable_by_key(|group| group[0]);
    groups
}

/// Column by column within some rows, as the values lie in memory.
fn row_hashes(values: &Mat) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(values.rows());
    for start in (0..values.rows()).step_by(HASHED_TOGETHER) {
        let some = start..values.rows().min(start + HASHED_TOGETHER);
        let mut hashers = vec![DefaultHasher::new(); some.len()];
        for column in values.columns() {
            for (hasher, &value) in hashers.iter_mut().zip(&column[some.clone()]) {
                comparable_bits(value).hash(hasher);
            }
        }
        hashes.extend(hashers.into_iter().map(|hasher| hasher.finish()));
    }
    hashes
}

fn equal_rows(values: &Mat, a: usize, b: usize) -> bool {
    values.columns().all(|column| comparable_bits(column[a]) == comparable_bits(column[b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Class = Class::NEGATIVE;
    const P: Class = Class::POSITIVE;

    fn inputs(rows: &[[f64; 2]]) -> Inputs {
        Inputs::continuous(Mat::from_fn(rows.len(), 2, |i, j| rows[i][j]))
    }

    #[test]
    fn groups_contradictions_and_notes() {
        let x = inputs(&[[0.0, 1.0], [5.0, 5.0], [-0.0, 1.0], [1.0, 0.0], [5.0, 5.0], [0.0, 1.0]]);
        let y = [P, P, P, N, P, N];
        let summary = duplicates(&x, &y).unwrap();
        assert_eq!(summary.groups, [vec![0, 2, 5], vec![1, 4]]);
        assert_eq!(summary.contradictory, [vec![0, 2, 5]]);
        assert_eq!(summary.repeated, 3);
        assert_eq!(
            summary.notes(&y),
            [
                DataNote::DuplicateRows { repeated: 3 },
                DataNote::ContradictoryRows { groups: 1, rows: 3, example: (0, 5) }
            ]
        );
    }

    #[test]
    fn any_two_classes_contradict() {
        let x = inputs(&[[0.0, 1.0], [2.0, 2.0], [0.0, 1.0], [2.0, 2.0]]);
        let y = [2, 0, 1, 0].map(Class::from);
        let summary = duplicates(&x, &y).unwrap();
        assert_eq!(summary.contradictory, [vec![0, 2]]);
        assert_eq!(summary.notes(&y)[1], DataNote::ContradictoryRows { groups: 1, rows: 2, example: (0, 2) });
    }

    #[test]
    fn different_rows_give_nothing() {
        let x = inputs(&[[0.0, 1.0], [1.0, 0.0]]);
        let summary = duplicates(&x, &[N, P]).unwrap();
        assert_eq!(summary, DuplicateSummary::default());
        assert!(summary.notes(&[N, P]).is_empty());
        assert_eq!(
            duplicates(&x, &[N]).unwrap_err().to_string(),
            "the number of labels is 1, but there are 2 rows: give one per row"
        );
    }
}
