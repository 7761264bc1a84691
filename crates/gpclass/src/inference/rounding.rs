//! What rounding alone does to a search.
//!
//! Where the prior variance is many orders of magnitude above the posterior's, `mu = K alpha` is a small difference of
//! large terms, and `K` as stored does not determine the posterior any better than this.

use gpclass_linalg::Mat;

/// The error of each entry of `K x`: the spacing of floating-point numbers at the sum of its absolute terms.
pub(super) fn product_errors(k: &Mat, x: &[f64]) -> Vec<f64> {
    let mut terms = vec![0.0; k.rows()];
    for (column, x) in k.columns().zip(x) {
        terms.iter_mut().zip(column).for_each(|(sum, k)| *sum += (k * x).abs());
    }
    terms.iter().map(|t| f64::EPSILON * t).collect()
}
