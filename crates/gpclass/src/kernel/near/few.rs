//! The rows nearest to a few others: by the distances of all rows, with nothing prepared.

use super::places::Metric;
use super::scan::{closer, keep_least};
use crate::data::Inputs;
use gpclass_linalg::map_tasks;

/// What [`Kernel::nearest`](crate::kernel::Kernel::nearest) promises.
pub(super) fn nearest(
    metric: &Metric,
    x: &Inputs,
    queries: &Inputs,
    count: usize,
    skip: impl Fn(usize) -> Option<usize> + Sync,
) -> Vec<Vec<usize>> {
    map_tasks(queries.rows(), |query| {
        let distances = metric.distances(x, queries, query).into_iter().enumerate();
        let mut rows: Vec<(f64, usize)> = distances.map(|(row, distance)| (distance, row)).collect();
        rows.retain(|&(_, row)| skip(query) != Some(row));
        keep_least(&mut rows, count);
        rows.sort_unstable_by(closer);
        rows.into_iter().map(|(_, row)| row).collect()
    })
}
