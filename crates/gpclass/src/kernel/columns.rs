//! Loops over columns of points: terms of the coordinates of many points and of one, summed over the columns or over the
//! points.

use super::blocks::Block;
use gpclass_linalg::Mat;

/// Entries computed together, in registers.
pub(super) const LANES: usize = 16;

/// The entries of a block, as many of a column at a time as there are lanes: `add` is given the sums, which it adds to, the
/// first row and the column.
#[inline(always)]
pub(super) fn entries(block: &Block, add: impl Fn(&mut [f64; LANES], usize, usize)) -> Mat {
    let mut out = Mat::zeros(block.rows.len(), block.cols.len());
    for (k, j) in block.cols.clone().enumerate() {
        for (chunk, out) in out.col_mut(k).chunks_mut(LANES).enumerate() {
            let mut sums = [0.0; LANES];
            add(&mut sums, block.rows.start + chunk * LANES, j);
            out.copy_from_slice(&sums[..out.len()]);
        }
    }
    out
}

/// `sums_i += w term(x_i, p)` for the first points of a column, as many as there are sums.
#[inline(always)]
pub(super) fn add_terms(sums: &mut [f64; LANES], x: &[f64], p: f64, w: f64, term: impl Fn(f64, f64) -> f64) {
    match x.first_chunk::<LANES>() {
        Some(full) => add(sums, full, p, w, term),
        None => add(sums, x, p, w, term),
    }
}

#[inline(always)]
fn add(sums: &mut [f64; LANES], x: &[f64], p: f64, w: f64, term: impl Fn(f64, f64) -> f64) {
    for (sum, x) in sums.iter_mut().zip(x) {
        *sum += w * term(*x, p);
    }
}

/// sum_i q_i term(x_i, p).
#[inline(always)]
pub(super) fn weighted_terms(q: &[f64], x: &[f64], p: f64, term: impl Fn(f64, f64) -> f64) -> f64 {
    let [sum] = weighted_sums(
        q,
        x,
        p,
        #[inline(always)]
        |x, p| [term(x, p)],
    );
    sum
}

/// sum_i q_i term(x_i, p) of several terms at once.
#[inline(always)]
pub(super) fn weighted_sums<const N: usize>(
    q: &[f64],
    x: &[f64],
    p: f64,
    terms: impl Fn(f64, f64) -> [f64; N],
) -> [f64; N] {
    let mut lanes = [[0.0; LANES]; N];
    let ((q, q_rest), (x, x_rest)) = (q.as_chunks::<LANES>(), x.as_chunks::<LANES>());
    for (q, x) in q.iter().zip(x) {
        for k in 0..LANES {
            let terms = terms(x[k], p);
            for n in 0..N {
                lanes[n][k] += q[k] * terms[n];
            }
        }
    }
    let mut sums = lanes.map(|lanes| lanes.iter().sum::<f64>());
    for (q, x) in q_rest.iter().zip(x_rest) {
        for (sum, term) in sums.iter_mut().zip(terms(*x, p)) {
            *sum += q * term;
        }
    }
    sums
}

/// The square of the difference.
#[inline(always)]
pub(super) fn squared(x: f64, p: f64) -> f64 {
    (x - p) * (x - p)
}

/// The size of the difference.
#[inline(always)]
pub(super) fn absolute(x: f64, p: f64) -> f64 {
    (x - p).abs()
}

/// 1 for one and the same level, 0 for two that differ.
#[inline(always)]
pub(super) fn equal(x: f64, p: f64) -> f64 {
    1.0 - unequal(x, p)
}

/// 1 for two levels that differ, 0 for one and the same.
#[inline(always)]
pub(super) fn unequal(x: f64, p: f64) -> f64 {
    if x == p { 0.0 } else { 1.0 }
}
