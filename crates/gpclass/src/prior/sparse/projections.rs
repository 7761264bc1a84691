//! `A`, a block of rows at a time: kept, or made again whenever it is asked for.

use crate::data::Inputs;
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use crate::prior::Failure;
use gpclass_linalg::{Mat, OutOfMemory, map_tasks, solve_lower_in_place, vector};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Training rows per block.
const WIDTH: usize = 256;
/// Partial sums over the rows: a fixed number, so that a sum does not depend on the number of threads.
const LANES: usize = 16;
/// Beyond this many bytes the projections are made again instead of kept.
const KEPT_BYTES: usize = 2 << 30;
/// The same where nothing is searched for any more, and only the rows around a query are asked for.
pub(crate) const READY_BYTES: usize = 1 << 28;

/// Where the projections are between two uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// In memory where they are not too large for it.
    #[default]
    Auto,
    /// In memory where they are few: the search is over, and a few of them are asked for at a time.
    Ready,
    /// In memory.
    Kept,
    /// Nowhere: they are made again, block by block, to the same bits.
    Streamed,
}

/// `A`, a column for each training row.
#[derive(Debug)]
pub(crate) struct Projections {
    rows: usize,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Kept(Vec<Mat>),
    Streamed { kernel: Kernel, inputs: Inputs, inducing: Arc<Inputs>, chol: Mat },
}

impl Projections {
    pub(super) fn new(
        kernel: &Kernel,
        inputs: &Inputs,
        inducing: &Arc<Inputs>,
        chol: &Mat,
        storage: Storage,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, Failure> {
        let rows = inputs.rows();
        let bytes = rows.saturating_mul(chol.rows()).saturating_mul(size_of::<f64>());
        let keep = match storage {
            Storage::Auto => bytes <= KEPT_BYTES,
            Storage::Ready => bytes <= READY_BYTES,
            Storage::Kept => true,
            Storage::Streamed => false,
        };
        let streamed = Source::Streamed {
            kernel: kernel.clone(),
            inputs: inputs.clone(),
            inducing: Arc::clone(inducing),
            chol: chol.clone(),
        };
        let streamed = Projections { rows, source: streamed };
        if !keep {
            return Ok(streamed);
        }
        let mut memory = Vec::<f64>::new();
        memory.try_reserve_exact(bytes / size_of::<f64>()).map_err(|_| OutOfMemory { bytes })?;
        drop(memory);
        let made = map_tasks(streamed.blocks(), |b| {
            interrupt.check()?;
            Ok(streamed.block(b).into_owned())
        });
        let kept = made.into_iter().collect::<Result<Vec<Mat>, Failure>>()?;
        Ok(Projections { rows, source: Source::Kept(kept) })
    }

    fn blocks(&self) -> usize {
        self.rows.div_ceil(WIDTH)
    }

    fn range(&self, block: usize) -> Range<usize> {
        range(self.rows, block)
    }

    fn block(&self, block: usize) -> Cow<'_, Mat> {
        match &self.source {
            Source::Kept(blocks) => Cow::Borrowed(&blocks[block]),
            Source::Streamed { kernel, inputs, inducing, chol } => {
                let rows: Vec<usize> = self.range(block).collect();
                let mut a = kernel.cross(inducing, &inputs.select_rows(&rows));
                solve_lower_in_place(chol, &mut a);
                Cow::Owned(a)
            }
        }
    }

    /// The number of inducing rows.
    fn width(&self) -> usize {
        match &self.source {
            Source::Kept(blocks) => blocks[0].rows(),
            Source::Streamed { chol, .. } => chol.rows(),
        }
    }

    /// What `of_block` says about the rows of every block, in the order of the rows.
    pub fn each<R: Send>(&self, of_block: impl Fn(Range<usize>, &Mat) -> Vec<R> + Sync) -> Vec<R> {
        let found = map_tasks(self.blocks(), |b| of_block(self.range(b), &self.block(b)));
        found.into_iter().flatten().collect()
    }

    /// A sum over the rows, of matrices of the given size, to which `add` adds every block in its order.
    pub fn sum(&self, rows: usize, cols: usize, add: impl Fn(&mut Mat, Range<usize>, &Mat) + Sync) -> Mat {
        in_lanes(self.blocks(), (rows, cols), |sum, b| add(sum, self.range(b), &self.block(b)))
    }

    /// The same over the rows whose weight is not zero: the others are not even projected. `add` is given the weights of a
    /// block's columns.
    pub fn weighted_sum(
        &self,
        weights: &[f64],
        rows: usize,
        cols: usize,
        add: impl Fn(&mut Mat, &[f64], &Mat) + Sync,
    ) -> Mat {
        let used: Vec<usize> = (0..self.rows).filter(|&row| weights[row] != 0.0).collect();
        if used.len() == self.rows {
            return self.sum(rows, cols, |sum, range, a| add(sum, &weights[range], a));
        }
        in_lanes(used.len().div_ceil(WIDTH), (rows, cols), |sum, b| {
            let some = &used[range(used.len(), b)];
            let of_some: Vec<f64> = some.iter().map(|&row| weights[row]).collect();
            add(sum, &of_some, &self.of_rows(some));
        })
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let sum = self.weighted_sum(x, self.width(), 1, |sum, x, a| {
            vector::add_scaled(sum.as_mut_slice(), 1.0, &a.mul_vec(x));
        });
        sum.col(0).to_vec()
    }

    /// `Aᵀ w`.
    pub fn transposed_times(&self, w: &[f64]) -> Vec<f64> {
        self.each(|_, a| a.transpose_mul_vec(w))
    }

    /// All of `A`.
    pub fn all(&self) -> Mat {
        Mat::from_columns(self.width(), self.rows, self.each(|_, a| a.as_slice().to_vec()))
    }

    /// The columns of some rows, in the order given.
    pub fn of_rows(&self, rows: &[usize]) -> Mat {
        match &self.source {
            Source::Kept(blocks) => {
                let size = blocks[0].rows();
                let column = |&row: &usize| blocks[row / WIDTH].col(row % WIDTH).iter().copied();
                Mat::from_columns(size, rows.len(), rows.iter().flat_map(column).collect())
            }
            Source::Streamed { kernel, inputs, inducing, chol } => {
                let mut a = kernel.cross(inducing, &inputs.select_rows(rows));
                solve_lower_in_place(chol, &mut a);
                a
            }
        }
    }
}

/// The rows of a block of `rows` in all.
fn range(rows: usize, block: usize) -> Range<usize> {
    block * WIDTH..rows.min((block + 1) * WIDTH)
}

/// A sum over blocks, of matrices of the given size, to which `add` adds every block in its order.
fn in_lanes(blocks: usize, (rows, cols): (usize, usize), add: impl Fn(&mut Mat, usize) + Sync) -> Mat {
    let lanes = LANES.min(blocks).max(1);
    let parts = map_tasks(lanes, |lane| {
        let mut sum = Mat::zeros(rows, cols);
        (lane * blocks / lanes..(lane + 1) * blocks / lanes).for_each(|b| add(&mut sum, b));
        sum
    });
    let total = parts.into_iter().reduce(|mut total, part| {
        vector::add_scaled(total.as_mut_slice(), 1.0, part.as_slice());
        total
    });
    total.unwrap_or_default()
}
