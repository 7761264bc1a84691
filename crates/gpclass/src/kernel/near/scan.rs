//! Nearest rows by their covariances with all: for kernels that have no single metric.

use super::super::Kernel;
use crate::data::Inputs;
use gpclass_linalg::map_tasks;

/// Queries whose covariances are computed together.
const QUERIES: usize = 64;
/// Training rows looked at in one go: bounds the memory of a search.
const ROWS: usize = 8192;

impl Kernel {
    /// What [`nearest`](Self::nearest) promises, for any kernel.
    pub(super) fn nearest_by_scan(
        &self,
        x: &Inputs,
        queries: &Inputs,
        count: usize,
        skip: impl Fn(usize) -> Option<usize> + Sync,
    ) -> Vec<Vec<usize>> {
        let own = self.shared_diag(x);
        let parts: Vec<Inputs> = ranges(x.rows(), ROWS).map(|rows| x.select_rows(&rows.collect::<Vec<_>>())).collect();
        let groups: Vec<Vec<usize>> = ranges(queries.rows(), QUERIES).map(Iterator::collect).collect();
        let found = map_tasks(groups.len(), |g| {
            let group = queries.select_rows(&groups[g]);
            let mut best: Vec<Vec<(f64, usize)>> = vec![Vec::new(); group.rows()];
            for (part, start) in parts.iter().zip((0..).step_by(ROWS)) {
                let cross = self.cross(part, &group);
                for ((best, covariances), &query) in best.iter_mut().zip(cross.columns()).zip(&groups[g]) {
                    let rows = covariances.iter().enumerate().map(|(i, c)| (own[start + i] - 2.0 * c, start + i));
                    best.extend(rows.filter(|(_, row)| skip(query) != Some(*row)));
                    keep_least(best, count);
                }
            }
            best
        });
        let in_order = |mut best: Vec<(f64, usize)>| {
            best.sort_unstable_by(closer);
            best.into_iter().map(|(_, row)| row).collect()
        };
        found.into_iter().flatten().map(in_order).collect()
    }
}

fn ranges(rows: usize, width: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..rows).step_by(width).map(move |start| start..(start + width).min(rows))
}

pub(super) fn closer(a: &(f64, usize), b: &(f64, usize)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

pub(super) fn keep_least(rows: &mut Vec<(f64, usize)>, count: usize) {
    if count < rows.len() {
        rows.select_nth_unstable_by(count, closer);
        rows.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use crate::data::Inputs;
    use crate::kernel::{Kernel, Scales};
    use gpclass_linalg::Mat;

    #[test]
    fn the_nearest_are_those_of_the_weighted_distance_in_order() {
        let (l, n) = ([0.7, 3.0], 9000);
        let x = Mat::from_fn(n, 2, |i, j| ((i * (j + 3)) as f64 * 0.731).sin());
        let queries = Mat::from_fn(70, 2, |i, j| ((i + 5 * j) as f64 * 0.317).cos());
        let kernel = Kernel::matern32(2.0, Scales::Ard(l.to_vec())) + Kernel::bias(0.5) + Kernel::noise(0.1);
        let found =
            kernel.nearest_by_scan(&Inputs::continuous(x.clone()), &Inputs::continuous(queries.clone()), 12, |query| {
                Some(query * 3)
            });
        for (q, found) in found.iter().enumerate() {
            let distance = |i: usize| -> f64 { (0..2).map(|j| l[j] * (x[(i, j)] - queries[(q, j)]).powi(2)).sum() };
            let mut all: Vec<usize> = (0..n).filter(|&i| i != q * 3).collect();
            all.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
            let distances = |rows: &[usize]| rows.iter().map(|&i| distance(i)).collect::<Vec<_>>();
            for (got, want) in distances(found).iter().zip(distances(&all[..12])) {
                assert!((got - want).abs() < 1e-12, "{got} {want}");
            }
        }
    }
}
