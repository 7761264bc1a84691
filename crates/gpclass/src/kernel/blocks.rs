//! A kernel matrix is made and pulled back in blocks of columns, so that temporaries stay in cache, nothing of the size
//! of the whole matrix is allocated besides the result, and threads have something to share.

use super::metric::columns_of;
use crate::data::Inputs;
use crate::interrupt::{Interrupt, Interrupted};
use gpclass_linalg::{Mat, map_tasks, mirror_lower};
use std::ops::Range;
use std::sync::Mutex;

/// Columns per block: wide enough for matrix products, narrow enough for the cache.
const WIDTH: usize = 64;
/// Rows from which blocks are shared between threads.
const THREADED_FROM: usize = 1000;

/// The pairs of rows a matrix is about.
#[derive(Clone, Copy)]
pub(super) enum Pairs<'a> {
    /// All pairs of one set; only the lower triangle is computed.
    Within(&'a Inputs),
    /// Rows of the first set against rows of the second.
    Between(&'a Inputs, &'a Inputs),
}

impl<'a> Pairs<'a> {
    pub fn left(self) -> &'a Inputs {
        match self {
            Pairs::Within(x) | Pairs::Between(x, _) => x,
        }
    }

    pub fn right(self) -> &'a Inputs {
        match self {
            Pairs::Within(x) | Pairs::Between(_, x) => x,
        }
    }

    fn blocks(self) -> Vec<Block> {
        let (rows, cols) = (self.left().rows(), self.right().rows());
        let within = matches!(self, Pairs::Within(_));
        let block = |start: usize| {
            let first_row = if within { start } else { 0 };
            Block { rows: first_row..rows, cols: start..(start + WIDTH).min(cols), within }
        };
        (0..cols).step_by(WIDTH).map(block).collect()
    }
}

/// A block of columns and the rows needed of it: in a triangle, those from its first diagonal entry down.
pub(super) struct Block {
    pub rows: Range<usize>,
    pub cols: Range<usize>,
    /// Whether row and column numbers mean the same points, so that equal numbers are one point.
    pub within: bool,
}

impl Block {
    /// A value for every entry.
    pub fn filled(&self, value: f64) -> Mat {
        let (rows, cols) = (self.rows.len(), self.cols.len());
        Mat::from_columns(rows, cols, vec![value; rows * cols])
    }

    /// For each column that meets the diagonal: where in the block it does, as (row, column).
    pub fn diagonal(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..if self.within { self.cols.len() } else { 0 }).map(|k| (k, k))
    }

    /// Whether an entry of the block pairs a point with itself.
    pub fn is_diagonal(&self, row: usize, col: usize) -> bool {
        self.within && self.rows.start + row == self.cols.start + col
    }

    /// The weights with which the block's entries enter sum_ij A_ij dK_ij when only the lower triangle of A is read.
    fn weights(&self, adjoint: &Mat) -> Mat {
        let mut out = Mat::zeros(self.rows.len(), self.cols.len());
        for (k, j) in self.cols.clone().enumerate() {
            let (column, source) = (&mut out.col_mut(k)[k..], &adjoint.col(j)[j..]);
            column[0] = source[0];
            for (w, a) in column[1..].iter_mut().zip(&source[1..]) {
                *w = 2.0 * a;
            }
        }
        out
    }
}

/// A kernel made ready for one set of pairs: everything that does not depend on the block is computed once.
pub(super) trait Prepared: Sync {
    /// The kernel's entries.
    fn values(&self, block: &Block) -> Mat;

    /// Appends d/dlog(parameter) of sum_ij weights_ij k_ij over the block, for every parameter in order.
    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>);
}

/// The matrix over all pairs from its blocks; for one set of rows both triangles.
pub(super) fn assemble(values: impl Fn(&Block) -> Mat + Sync, pairs: Pairs) -> Mat {
    let mut out = Mat::zeros(pairs.left().rows(), pairs.right().rows());
    // Nothing can interrupt it.
    let _ = fill(values, pairs, &mut out, Interrupt::default());
    out
}

/// As [`assemble`], into a matrix of zeros, unless interrupted.
pub(super) fn fill(
    values: impl Fn(&Block) -> Mat + Sync,
    pairs: Pairs,
    out: &mut Mat,
    interrupt: Interrupt<'_>,
) -> Result<(), Interrupted> {
    let (rows, cols) = (out.rows(), out.cols());
    if rows == 0 {
        return Ok(());
    }
    let blocks = pairs.blocks();
    let targets: Vec<_> = out.as_mut_slice().chunks_mut(rows * WIDTH).map(Mutex::new).collect();
    let filled = for_each(rows.max(cols), blocks.len(), |b| {
        interrupt.check()?;
        let values = values(&blocks[b]);
        // Each block has its own lock and a panic elsewhere leaves the numbers valid, so poisoning does not matter.
        let mut target = targets[b].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (column, source) in target.chunks_mut(rows).zip(values.columns()) {
            column[blocks[b].rows.start..].copy_from_slice(source);
        }
        Ok(())
    });
    drop(targets);
    filled.into_iter().collect::<Result<(), _>>()?;
    if let Pairs::Within(_) = pairs {
        mirror_lower(out);
    }
    Ok(())
}

/// The gradient of sum_ij A_ij K_ij in the logarithm of every parameter; empty if there are no rows.
pub(super) fn contract(kernel: &dyn Prepared, x: &Inputs, adjoint: &Mat) -> Vec<f64> {
    assert_eq!(
        (adjoint.rows(), adjoint.cols()),
        (x.rows(), x.rows()),
        "the adjoint must be as large as the Gram matrix"
    );
    contract_blocks(kernel, x.rows(), &Pairs::Within(x).blocks(), |block| block.weights(adjoint))
}

/// The gradient of sum_ij A_ij K_ij over the pairs of two sets of rows.
pub(super) fn contract_between(kernel: &dyn Prepared, pairs: Pairs, adjoint: &Mat) -> Vec<f64> {
    let (rows, cols) = (pairs.left().rows(), pairs.right().rows());
    assert_eq!((adjoint.rows(), adjoint.cols()), (rows, cols), "the adjoint must be as large as the covariance");
    contract_blocks(kernel, rows.max(cols), &pairs.blocks(), |block| {
        columns_of(adjoint, block.cols.clone()).into_owned()
    })
}

/// The gradient of sum_i weights_i K_ii. The kernel was prepared for all pairs of one set of rows.
pub(super) fn contract_diagonal(kernel: &dyn Prepared, weights: &[f64]) -> Vec<f64> {
    let block = |start: usize| {
        let both = start..(start + WIDTH).min(weights.len());
        Block { rows: both.clone(), cols: both, within: true }
    };
    let blocks: Vec<Block> = (0..weights.len()).step_by(WIDTH).map(block).collect();
    contract_blocks(kernel, weights.len(), &blocks, |block| {
        let mut diagonal = block.filled(0.0);
        block.diagonal().for_each(|at| diagonal[at] = weights[block.cols.start + at.1]);
        diagonal
    })
}

/// The sum over blocks of what each says, in their order.
fn contract_blocks(
    kernel: &dyn Prepared,
    size: usize,
    blocks: &[Block],
    weights: impl Fn(&Block) -> Mat + Sync,
) -> Vec<f64> {
    let parts = for_each(size, blocks.len(), |b| {
        let mut gradient = Vec::new();
        kernel.pull_back(&blocks[b], &weights(&blocks[b]), &mut gradient);
        gradient
    });
    let add = |mut total: Vec<f64>, part: Vec<f64>| {
        total.iter_mut().zip(part).for_each(|(sum, g)| *sum += g);
        total
    };
    parts.into_iter().reduce(add).unwrap_or_default()
}

/// Applies `task` to `0..count`, with threads where `size` makes them worth it.
fn for_each<R: Send>(size: usize, count: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if size < THREADED_FROM { (0..count).map(task).collect() } else { map_tasks(count, task) }
}
