//! Points in a tree of halves: each node splits its points at the median of the coordinate in which they lie farthest apart.

use super::places::Places;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

/// What rounding may take from a bound.
const ROUNDING: f64 = 1e-9;

/// A tree over points.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// In the order of the leaves.
    places: Places,
    /// The row of each of them.
    order: Vec<usize>,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    points: Range<usize>,
    split: Option<Split>,
}

/// The left half follows its node; its values are at most `low`, those of the right half at least `high`.
#[derive(Clone, Copy, Debug)]
struct Split {
    coordinate: usize,
    low: f64,
    high: f64,
    right: usize,
}

/// A point found: nearer ones are less, and of equals earlier rows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Found {
    distance: f64,
    row: usize,
}

impl Eq for Found {}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.row.cmp(&other.row))
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Tree {
    /// Leaves have at most `leaf` points, unless these are at one place.
    pub fn new(places: &Places, leaf: usize) -> Tree {
        let mut order: Vec<usize> = (0..places.rows()).collect();
        let mut nodes = Vec::new();
        let rows = order.len();
        grow(places, &mut order, 0..rows, leaf, &mut nodes);
        Tree { places: places.ordered(&order), order, nodes }
    }

    /// The rows of every leaf: rows near each other, and leaves near each other follow each other.
    pub fn leaves(&self) -> impl Iterator<Item = &[usize]> {
        self.nodes.iter().filter(|node| node.split.is_none()).map(|node| &self.order[node.points.clone()])
    }

    /// The `count` rows nearest to a point, the nearest first, of equals the earlier, without one that is to be skipped.
    pub fn nearest(&self, point: &[f64], count: usize, skip: Option<usize>) -> Vec<usize> {
        let mut search = Search { tree: self, point, count, skip, best: BinaryHeap::with_capacity(count + 1) };
        if count > 0 && !self.nodes.is_empty() {
            search.visit(0, 0.0, &mut vec![0.0; self.places.width()]);
        }
        search.best.into_sorted_vec().into_iter().map(|found| found.row).collect()
    }
}

/// Adds the nodes of these points, in the order in which they are visited.
fn grow(places: &Places, order: &mut [usize], points: Range<usize>, leaf: usize, nodes: &mut Vec<Node>) {
    let own = nodes.len();
    nodes.push(Node { points: points.clone(), split: None });
    if points.len() <= leaf.max(1) {
        return;
    }
    let rows = &mut order[points.clone()];
    let Some(coordinate) = widest(places, rows) else { return };
    let value = |row: usize| places.at(row)[coordinate];
    let middle = rows.len() / 2;
    let by_value = |a: &usize, b: &usize| value(*a).total_cmp(&value(*b)).then(a.cmp(b));
    rows.select_nth_unstable_by(middle, by_value);
    // Leaves are the same whatever the selection leaves of their order.
    rows[..middle].sort_unstable();
    rows[middle..].sort_unstable();
    let low = rows[..middle].iter().fold(f64::NEG_INFINITY, |most, &row| most.max(value(row)));
    let high = rows[middle..].iter().fold(f64::INFINITY, |least, &row| least.min(value(row)));
    let middle = points.start + middle;
    grow(places, order, points.start..middle, leaf, nodes);
    nodes[own].split = Some(Split { coordinate, low, high, right: nodes.len() });
    grow(places, order, middle..points.end, leaf, nodes);
}

/// The coordinate in which rows lie farthest apart; none where all are at one place.
fn widest(places: &Places, rows: &[usize]) -> Option<usize> {
    let mut range = vec![(f64::INFINITY, f64::NEG_INFINITY); places.width()];
    for &row in rows {
        for ((low, high), x) in range.iter_mut().zip(places.at(row)) {
            (*low, *high) = (low.min(*x), high.max(*x));
        }
    }
    let width = |c: usize| range[c].1 - range[c].0;
    let best = (0..range.len()).fold(0, |best, c| if width(c) > width(best) { c } else { best });
    (!range.is_empty() && width(best) > 0.0).then_some(best)
}

struct Search<'a> {
    tree: &'a Tree,
    point: &'a [f64],
    count: usize,
    skip: Option<usize>,
    best: BinaryHeap<Found>,
}

impl Search<'_> {
    /// Looks into a node whose points are at least `bound` away; `offsets` are what the bound has of every coordinate.
    fn visit(&mut self, node: usize, bound: f64, offsets: &mut [f64]) {
        let Node { points, split } = &self.tree.nodes[node];
        let Some(Split { coordinate, low, high, right }) = *split else {
            points.clone().for_each(|position| self.look(position));
            return;
        };
        let x = self.point[coordinate];
        let left_is_near = x - low <= high - x;
        let (near, far, offset) = if left_is_near { (node + 1, right, high - x) } else { (right, node + 1, x - low) };
        self.visit(near, bound, offsets);
        let before = offsets[coordinate];
        let offset = offset.max(before);
        let places = &self.tree.places;
        let bound = bound - places.term(before) + places.term(offset);
        let hopeless = |worst: &Found| bound * (1.0 - ROUNDING) > worst.distance;
        if self.best.len() < self.count || !self.best.peek().is_some_and(hopeless) {
            offsets[coordinate] = offset;
            self.visit(far, bound, offsets);
            offsets[coordinate] = before;
        }
    }

    fn look(&mut self, position: usize) {
        let row = self.tree.order[position];
        if self.skip == Some(row) {
            return;
        }
        let distance = self.tree.places.distance(self.tree.places.at(position), self.point);
        let found = Found { distance, row };
        if self.best.len() < self.count {
            self.best.push(found);
        } else if self.best.peek().is_some_and(|worst| found < *worst) {
            self.best.pop();
            self.best.push(found);
        }
    }
}
