//! The training rows that a row is most like, as the members see it.

use super::{ClassifierError, Member};
use crate::data::Inputs;
use gpclass_linalg::{Mat, map_tasks, vector};

/// Rows looked at together: bounds the memory to this many times the training rows.
const BLOCK: usize = 256;

/// A training row near another row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Position of the training row, from 0.
    pub row: usize,
    /// How far it is: zero if no member can tell the two apart, one if they are as far apart as two training rows are on
    /// average.
    pub distance: f64,
}

/// For every row the `count` nearest training rows, the nearest first, the earlier of equals.
pub(super) fn nearest(
    members: &[Member],
    inputs: &Inputs,
    count: usize,
) -> Result<Vec<Vec<Neighbour>>, ClassifierError> {
    nearest_of(members, inputs, count, |_, _| true)
}

/// The same among the training rows that are `wanted` for a row, by their positions.
pub(super) fn nearest_of(
    members: &[Member],
    inputs: &Inputs,
    count: usize,
    wanted: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Vec<Vec<Neighbour>>, ClassifierError> {
    let blocks = map_tasks(inputs.rows().div_ceil(BLOCK), |block| {
        let which: Vec<usize> = (block * BLOCK..inputs.rows().min((block + 1) * BLOCK)).collect();
        let rows = inputs.select_rows(&which);
        let mut sum: Option<Mat> = None;
        for member in members {
            let mut own = member.fitted().prior_distances(&rows)?;
            own.as_mut_slice().iter_mut().for_each(|d| *d *= member.weight());
            match &mut sum {
                None => sum = Some(own),
                Some(sum) => vector::add_scaled(sum.as_mut_slice(), 1.0, own.as_slice()),
            }
        }
        let squares = sum.unwrap_or_default();
        let of_row = |(row, column): (&usize, &[f64])| {
            let among = (0..column.len()).filter(|&other| wanted(*row, other)).collect();
            smallest(column, among, count)
        };
        Ok(which.iter().zip(squares.columns()).map(of_row).collect::<Vec<_>>())
    });
    let blocks = blocks.into_iter().collect::<Result<Vec<_>, ClassifierError>>()?;
    Ok(blocks.into_iter().flatten().collect())
}

fn smallest(squares: &[f64], mut order: Vec<usize>, count: usize) -> Vec<Neighbour> {
    let nearer = |a: &usize, b: &usize| squares[*a].total_cmp(&squares[*b]).then(a.cmp(b));
    if count < order.len() {
        order.select_nth_unstable_by(count, nearer);
        order.truncate(count);
    }
    order.sort_unstable_by(nearer);
    order.into_iter().map(|row| Neighbour { row, distance: squares[row].sqrt() }).collect()
}
