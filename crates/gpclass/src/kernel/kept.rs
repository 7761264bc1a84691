//! Sums over the columns of a wide table for all pairs of its rows, found once: one weight for all features only scales them.

use super::blocks::{Block, Pairs, assemble};
use super::hyper::Weights;
use super::metric::DIRECT_COLUMNS;
use crate::data::{Inputs, KeptSums, PairSums};
use gpclass_linalg::Mat;

/// Rows for every column at most, where sums are kept: they then take at most as many times the memory of the rows themselves,
/// and to find them costs no less than a factorisation.
const ROWS_PER_COLUMN: usize = 4;

/// The kept sums with the weight that all features have.
pub(super) struct Kept<'a> {
    unit: &'a Mat,
    weight: f64,
}

impl<'a> Kept<'a> {
    /// Of these pairs, if there is one weight and they are worth keeping; `make` finds the sums of a block for weights of one.
    pub fn of(
        pairs: Pairs<'a>,
        weights: &Weights,
        which: fn(&PairSums) -> &KeptSums,
        make: impl FnOnce() -> Box<dyn Fn(&Block) -> Mat + Sync + 'a>,
    ) -> Option<Self> {
        let (Pairs::Within(x), Weights::Single(weight)) = (pairs, weights) else { return None };
        if !is_wide(x) {
            return None;
        }
        let sums = which(x.pair_sums());
        if sums.get().is_none() {
            // Whoever comes first keeps them; nobody waits, and all find the same.
            let _ = sums.set(assemble(&*make(), pairs));
        }
        sums.get().map(|unit| Kept { unit, weight: weight.value })
    }

    /// The weighted sums of a block.
    pub fn block(&self, block: &Block) -> Mat {
        let mut out = Mat::zeros(block.rows.len(), block.cols.len());
        for (k, j) in block.cols.clone().enumerate() {
            let pairs = out.col_mut(k).iter_mut().zip(&self.unit.col(j)[block.rows.clone()]);
            pairs.for_each(|(out, unit)| *out = self.weight * unit);
        }
        out
    }
}

fn is_wide(x: &Inputs) -> bool {
    let columns = x.values().cols();
    columns > DIRECT_COLUMNS && x.rows() <= ROWS_PER_COLUMN * columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, Scales};

    /// Against one weight per feature, all of them equal, which nothing is kept for.
    #[test]
    fn scaled_sums_are_the_sums_of_equal_weights() {
        let x = Inputs::continuous(Mat::from_fn(30, 20, |i, j| ((i * i + 3 * j) as f64 * 0.7).sin()));
        let adjoint = Mat::from_fn(30, 30, |i, j| ((i + j) as f64).cos());
        let kernels =
            |l: Scales| [Kernel::matern32(2.0, l.clone()), Kernel::l1_product(1.5, l.clone()), Kernel::linear(l)];
        for weight in [0.05, 0.2] {
            let (single, ard) = (kernels(Scales::Single(weight)), kernels(Scales::Ard(vec![weight; 20])));
            for (single, ard) in single.iter().zip(&ard) {
                let (got, want) = (single.gram(&x), ard.gram(&x));
                assert!(got.as_slice().iter().zip(want.as_slice()).all(|(a, b)| (a - b).abs() < 1e-12));
                let slope = |kernel: &Kernel| {
                    let of_features = |p: &crate::param::Param| !p.name.starts_with("v0") || kernel.params().len() == 1;
                    let gradient = kernel.pull_back(&x, &adjoint);
                    let own = kernel.params().into_iter().zip(gradient).filter(|(p, _)| of_features(p));
                    own.map(|(_, g)| g).sum::<f64>()
                };
                assert!((slope(single) - slope(ard)).abs() < 1e-9 * slope(ard).abs().max(1.0), "{}", single.describe());
            }
        }
    }
}
