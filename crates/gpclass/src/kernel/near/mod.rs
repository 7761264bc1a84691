//! The training rows that say most about another row, and rows that are near each other.

mod few;
mod places;
mod scan;
mod tree;

use super::Kernel;
use crate::data::Inputs;
use gpclass_linalg::map_tasks;
use places::{Metric, Places};
use tree::Tree;

/// Points of a leaf: below this a search through all of them is faster than further halves.
const LEAF: usize = 16;
/// Queries that are looked for in all rows one by one: fewer are not worth a tree.
const FEW: usize = 16;
/// Queries that are looked for in one go.
const QUERIES: usize = 64;

/// Rows among which nearest ones are looked for.
#[derive(Clone, Debug)]
pub(crate) struct Neighbourhood {
    /// None where the kernel has no single metric.
    tree: Option<Tree>,
}

impl Neighbourhood {
    pub fn new(kernel: &Kernel, x: &Inputs) -> Self {
        Neighbourhood { tree: Places::of(kernel, x).map(|places| Tree::new(&places, LEAF)) }
    }

    /// As [`Kernel::nearest`], of the kernel and the rows that this was made of.
    pub fn nearest(
        &self,
        kernel: &Kernel,
        x: &Inputs,
        queries: &Inputs,
        count: usize,
        skip: impl Fn(usize) -> Option<usize> + Sync,
    ) -> Vec<Vec<usize>> {
        let (Some(tree), Some(points)) = (&self.tree, Places::of(kernel, queries)) else {
            return kernel.nearest_by_scan(x, queries, count, skip);
        };
        let found = map_tasks(queries.rows().div_ceil(QUERIES), |group| {
            let rows = group * QUERIES..queries.rows().min((group + 1) * QUERIES);
            rows.map(|query| tree.nearest(points.at(query), count, skip(query))).collect::<Vec<_>>()
        });
        found.into_iter().flatten().collect()
    }
}

impl Kernel {
    /// For each row of `queries` the `count` rows of `x` at the smallest distance `c(x, x) + c(q, q) - 2 c(x, q)`, which is the
    /// kernel's own metric: for a stationary kernel that of its lengthscales. Nearest first, of equals the earlier; `skip` says
    /// which row of `x` a query must not find.
    pub fn nearest(
        &self,
        x: &Inputs,
        queries: &Inputs,
        count: usize,
        skip: impl Fn(usize) -> Option<usize> + Sync,
    ) -> Vec<Vec<usize>> {
        if queries.rows() <= FEW
            && let Some(metric) = Metric::of(self, x.features())
        {
            return few::nearest(&metric, x, queries, count, skip);
        }
        Neighbourhood::new(self, x).nearest(self, x, queries, count, skip)
    }

    /// All rows, in parts of at most `most` that are near each other in the kernel's metric, or, where it has none, with all
    /// columns alike; equal rows may be more. Parts near each other follow each other.
    pub(crate) fn near_parts(&self, x: &Inputs, most: usize) -> Vec<Vec<usize>> {
        let places = Places::of(self, x).unwrap_or_else(|| Places::plain(x));
        let split = |rows: &[usize]| rows.chunks(most.max(1)).map(<[usize]>::to_vec).collect::<Vec<_>>();
        Tree::new(&places, most).leaves().flat_map(split).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Feature, FeatureKind, Inputs};
    use crate::kernel::{Kernel, Scales};
    use gpclass_linalg::Mat;

    /// Three numbers and a category of three levels, some rows repeated.
    fn rows(n: usize, seed: usize) -> Inputs {
        let value = |i: usize, j: usize| ((i % 3000 + seed) as f64 * 0.731 * (j + 1) as f64).sin();
        let level = |i: usize, j: usize| if (i * i + seed) % 3 == j { std::f64::consts::FRAC_1_SQRT_2 } else { 0.0 };
        let values = Mat::from_fn(n, 6, |i, j| if j < 3 { value(i, j) } else { level(i % 3000, j - 3) });
        let number = |j: usize| Feature { name: format!("x{j}"), kind: FeatureKind::Continuous, columns: j..j + 1 };
        let mut features: Vec<Feature> = (0..3).map(number).collect();
        features.push(Feature { name: "level".to_owned(), kind: FeatureKind::Discrete, columns: 3..6 });
        Inputs::new(features, values)
    }

    #[test]
    fn the_tree_finds_what_a_search_through_all_finds() {
        let (x, queries) = (rows(4000, 0), rows(70, 11));
        let l = || Scales::Ard(vec![0.7, 3.0, 0.01, 0.5]);
        let skip = |query: usize| Some(query * 3);
        for kernel in [
            Kernel::matern32(2.0, l()) + Kernel::bias(0.5) + Kernel::noise(0.1),
            Kernel::l1_product(2.0, l()) + Kernel::bias(0.5),
        ] {
            let found = kernel.nearest(&x, &queries, 25, skip);
            let all = kernel.nearest_by_scan(&x, &queries, 25, skip);
            let covariance = kernel.cross(&x, &queries);
            for (q, (found, all)) in found.iter().zip(&all).enumerate() {
                // Equal rows may come in another order where covariances round.
                for (a, b) in found.iter().zip(all) {
                    let (a, b) = (covariance[(*a, q)], covariance[(*b, q)]);
                    assert!((a - b).abs() < 1e-12, "{q}: {a} {b}");
                }
                assert!(found.len() == 25 && !found.contains(&(q * 3)));
                let mut once = found.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), 25);
            }
        }
        // More than there are, and none.
        let few = rows(5, 0);
        assert_eq!(Kernel::matern32(1.0, l()).nearest(&few, &queries, 9, |_| None)[0].len(), 5);
        assert!(Kernel::matern32(1.0, l()).nearest(&few, &queries, 0, |_| None)[0].is_empty());
    }

    #[test]
    fn parts_hold_every_row_once_and_are_close() {
        let x = rows(4000, 0);
        for kernel in [Kernel::l1_product(1.0, Scales::Single(2.0)), Kernel::linear(Scales::Single(1.0))] {
            let parts = kernel.near_parts(&x, 20);
            assert!(parts.iter().all(|part| !part.is_empty() && part.len() <= 20));
            let mut all: Vec<usize> = parts.concat();
            all.sort_unstable();
            assert_eq!(all, (0..4000).collect::<Vec<_>>());
            let apart =
                |a: usize, b: usize| (0..6).map(|j| (x.values()[(a, j)] - x.values()[(b, j)]).powi(2)).sum::<f64>();
            let within: f64 =
                parts.iter().map(|part| apart(part[0], part[part.len() - 1])).sum::<f64>() / parts.len() as f64;
            let between: f64 = (0..500).map(|i| apart(i, i + 1777)).sum::<f64>() / 500.0;
            assert!(within < 0.25 * between, "{within} {between}");
        }
    }
}
