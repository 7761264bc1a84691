//! Sums and products, block by block.

use super::blocks::{Block, Prepared};
use gpclass_linalg::Mat;
use gpclass_linalg::vector::vectorised;

/// The sum of its terms.
pub(super) struct PreparedSum<'a>(pub Vec<Box<dyn Prepared + 'a>>);

impl Prepared for PreparedSum<'_> {
    fn values(&self, block: &Block) -> Mat {
        fold(block, 0.0, self.0.iter(), |a, b| a + b)
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        for term in &self.0 {
            term.pull_back(block, weights, gradient);
        }
    }
}

/// The product of its factors.
pub(super) struct PreparedProduct<'a>(pub Vec<Box<dyn Prepared + 'a>>);

impl Prepared for PreparedProduct<'_> {
    fn values(&self, block: &Block) -> Mat {
        fold(block, 1.0, self.0.iter(), |a, b| a * b)
    }

    fn pull_back(&self, block: &Block, weights: &Mat, gradient: &mut Vec<f64>) {
        for (i, factor) in self.0.iter().enumerate() {
            let others = self.0.iter().enumerate().filter(|(other, _)| *other != i).map(|(_, f)| f);
            let mut scaled = weights.clone();
            for other in others {
                combine(&mut scaled, &other.values(block), |a, b| a * b);
            }
            factor.pull_back(block, &scaled, gradient);
        }
    }
}

fn fold<'a, 'b: 'a>(
    block: &Block,
    empty: f64,
    mut parts: impl Iterator<Item = &'a Box<dyn Prepared + 'b>>,
    op: impl Fn(f64, f64) -> f64 + Copy,
) -> Mat {
    let Some(first) = parts.next() else { return block.filled(empty) };
    let mut out = first.values(block);
    for part in parts {
        combine(&mut out, &part.values(block), op);
    }
    out
}

fn combine(out: &mut Mat, other: &Mat, op: impl Fn(f64, f64) -> f64) {
    vectorised(
        #[inline(always)]
        || {
            for (a, b) in out.as_mut_slice().iter_mut().zip(other.as_slice()) {
                *a = op(*a, *b);
            }
        },
    );
}
