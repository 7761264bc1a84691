//! Rows that are as good as the same and have different labels.

use super::super::Classifier;
use crate::data::{Class, FeatureKind, Inputs};
use gpclass_linalg::map_tasks;
use serde::Serialize;

/// Numbers that differ by less than this share of their mean difference between rows are as good as the same. Small numbers that
/// are counted, as grades from one to ten, are then the same only if they are equal.
const NEAR: f64 = 0.02;
/// Rows that one is compared with at most, those next to it in the column of the most different values: bounds the work where
/// many rows have the same value there.
const MOST_COMPARED: usize = 5_000;

/// Two rows of different labels that are equal, or as good as equal in every column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Twins {
    /// The earlier row, from 0.
    pub first: usize,
    /// The later one.
    pub second: usize,
    /// How far they are apart in the column where they differ most: one is the mean difference between two rows there.
    pub distance: f64,
    /// Whether their inputs are equal.
    pub exact: bool,
}

impl Classifier {
    /// For every training row the nearest of another label, where that is as good as the same in every column; each pair once,
    /// equal rows first.
    pub fn twins(&self) -> Vec<Twins> {
        twins(self.training().given(), self.training().labels())
    }
}

fn twins(inputs: &Inputs, labels: &[Class]) -> Vec<Twins> {
    let columns = Columns::of(inputs);
    let (order, place) = columns.order(inputs.rows());
    let nearest = map_tasks(inputs.rows(), |row| {
        let others = columns.beside(&order, place[row]).filter(|&other| labels[other] != labels[row]);
        let apart = others.filter_map(|other| Some((other, columns.apart(row, other)?)));
        apart.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    });
    let mut found: Vec<Twins> = Vec::new();
    for (row, nearest) in nearest.into_iter().enumerate() {
        let Some((other, distance)) = nearest else { continue };
        found.push(Twins { first: row.min(other), second: row.max(other), distance, exact: distance == 0.0 });
    }
    found.sort_by(|a, b| {
        let rows = (a.first, a.second).cmp(&(b.first, b.second));
        b.exact.cmp(&a.exact).then(a.distance.total_cmp(&b.distance)).then(rows)
    });
    found.dedup_by_key(|twins| (twins.first, twins.second));
    found
}

/// The encoded columns with the difference that is as good as none in each; the one of the most different values comes first.
struct Columns<'a> {
    each: Vec<(&'a [f64], f64)>,
}

impl<'a> Columns<'a> {
    fn of(inputs: &'a Inputs) -> Self {
        let values = inputs.values();
        let features = inputs.features().iter();
        let mut each: Vec<(usize, &[f64], f64)> = features
            .flat_map(|feature| feature.columns.clone().map(move |column| (column, feature.kind)))
            .map(|(column, kind)| {
                let mut sorted = values.col(column).to_vec();
                sorted.sort_by(f64::total_cmp);
                let different = 1 + sorted.windows(2).filter(|pair| pair[0] < pair[1]).count();
                // A category is the same or it is not.
                let scale = if kind == FeatureKind::Continuous { mean_difference(&sorted) } else { 0.0 };
                (different, values.col(column), scale)
            })
            .collect();
        each.sort_by_key(|(different, ..)| std::cmp::Reverse(*different));
        Columns { each: each.into_iter().map(|(_, column, scale)| (column, scale)).collect() }
    }

    /// The rows in the order of the first column, and the place of each in it.
    fn order(&self, rows: usize) -> (Vec<usize>, Vec<usize>) {
        let mut order: Vec<usize> = (0..rows).collect();
        if let Some((first, _)) = self.each.first() {
            order.sort_by(|&a, &b| first[a].total_cmp(&first[b]).then(a.cmp(&b)));
        }
        let mut place = vec![0; rows];
        order.iter().enumerate().for_each(|(k, &row)| place[row] = k);
        (order, place)
    }

    /// The rows on either side of the one at a place that are as good as the same in the first column.
    fn beside<'o>(&self, order: &'o [usize], place: usize) -> impl Iterator<Item = usize> + use<'_, 'o, 'a> {
        let near = move |&other: &usize| {
            self.each.first().is_none_or(|(first, scale)| (first[order[place]] - first[other]).abs() <= NEAR * scale)
        };
        let after = order[place + 1..].iter().copied().take_while(near).take(MOST_COMPARED);
        let before = order[..place].iter().rev().copied().take_while(near).take(MOST_COMPARED);
        after.chain(before)
    }

    /// How far two rows are apart at most; nothing if they are not as good as the same.
    fn apart(&self, a: usize, b: usize) -> Option<f64> {
        let mut most: f64 = 0.0;
        for (column, scale) in &self.each {
            let difference = (column[a] - column[b]).abs();
            if difference > NEAR * scale {
                return None;
            }
            most = most.max(if difference > 0.0 { difference / scale } else { 0.0 });
        }
        Some(most)
    }
}

/// The mean of the differences between any two of these values, which are sorted.
fn mean_difference(sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    // Value k is the larger one of k pairs and the smaller one of n - 1 - k.
    let sum: f64 = sorted.iter().enumerate().map(|(k, value)| (2.0 * k as f64 - n + 1.0) * value).sum();
    if n > 1.0 { 2.0 * sum / (n * (n - 1.0)) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Encoder, EncoderOptions, Table};
    use gpclass_linalg::Mat;

    const N: Class = Class::NEGATIVE;
    const P: Class = Class::POSITIVE;

    #[test]
    fn mean_differences_are_those_of_all_pairs() {
        // |1-2| + |1-4| + |1-8| + |2-4| + |2-8| + |4-8| = 23 over 6 pairs.
        assert!((mean_difference(&[1.0, 2.0, 4.0, 8.0]) - 23.0 / 6.0).abs() < 1e-15);
        assert_eq!((mean_difference(&[3.0]), mean_difference(&[])), (0.0, 0.0));
    }

    #[test]
    fn grades_that_differ_by_one_are_not_nearly_equal() {
        let grades = Mat::from_fn(40, 3, |i, j| ((i * (j + 2)) % 10) as f64);
        let labels: Vec<Class> = (0..40).map(|i| if i % 2 == 0 { N } else { P }).collect();
        let found = twins(&Inputs::continuous(grades.clone()), &labels);
        // Rows repeat after ten, which is even: no two equal rows have different labels.
        assert!(found.is_empty(), "{found:?}");
        let mut labels = labels;
        labels[10] = P;
        let found = twins(&Inputs::continuous(grades), &labels);
        assert!(found.iter().all(|twins| twins.exact && (twins.first == 10 || twins.second == 10)), "{found:?}");
        assert_eq!((found[0].first, found[0].second), (0, 10));
    }

    #[test]
    fn what_is_measured_anew_is_found_unless_a_category_differs() {
        let measured = |i: usize| (i as f64 * 1.7).sin() * 50.0;
        let mut x: Vec<f64> = (0..30).map(measured).collect();
        x.extend([x[4] + 0.05, x[9] + 0.05]);
        let mut ward: Vec<&str> = (0..30).map(|i| if i % 3 == 0 { "a" } else { "b" }).collect();
        ward.extend([ward[4], "c"]);
        let table = Table::new(vec![Column::continuous("x", x), Column::categories("ward", ward)]).unwrap();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        let mut labels = vec![N; 30];
        labels.extend([P, P]);
        let found = twins(&inputs, &labels);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].first, found[0].second, found[0].exact), (4, 30, false));
        assert!(found[0].distance > 0.0 && found[0].distance < NEAR);
    }
}
