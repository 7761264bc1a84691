//! The prior as a linear map of independent standard normals, for any positive semi-definite covariance.

use super::ExactError;
use super::error::same_size;
use gpclass_linalg::{Mat, Op, lower_solve, multiply, solve_lower_in_place, vector};

/// `K = G Gᵀ` with `G` of full column rank: a Cholesky factorisation with diagonal pivoting that stops where the rest of
/// `K` is rounding error. Nothing is added to `K`, so equal inputs keep exactly equal latent values.
#[derive(Clone, Debug)]
pub struct PriorFactor {
    /// `G`, n x rank, rows in the order of `K`.
    map: Mat,
    /// The rows that determine all others, and their part of `G`, lower triangular.
    pivots: Vec<usize>,
    pivot_factor: Mat,
    unexplained: f64,
}

impl PriorFactor {
    /// Factors `k`, of which the lower triangle is read.
    pub fn new(k: &Mat) -> Result<PriorFactor, ExactError> {
        let n = k.rows();
        same_size("the columns of the covariance", k.cols(), n)?;
        check_finite(k)?;
        let largest = k.diag().into_iter().fold(0.0, f64::max);
        let tolerance = n as f64 * f64::EPSILON * largest; // the rounding error of n subtractions, Higham 2002 ch. 10
        let mut rest = k.diag();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut pivots = Vec::new();
        while let Some(p) = widest(&rest, &pivots).filter(|&p| rest[p] > tolerance) {
            let column = next_column(k, &columns, p, rest[p]);
            for (r, g) in rest.iter_mut().zip(&column) {
                *r -= g * g;
            }
            pivots.push(p);
            columns.push(column);
        }
        // A diagonal entry is off by `tolerance` at most, so anything clearly below zero was there before.
        if let Some(row) = (0..n).find(|&i| !pivots.contains(&i) && rest[i] < -4.0 * tolerance) {
            return Err(ExactError::NotPositiveSemidefinite { row, variance: rest[row] });
        }
        let unexplained = (0..n).filter(|i| !pivots.contains(i)).map(|i| rest[i]).fold(0.0, f64::max);
        let map = Mat::from_columns(n, columns.len(), columns.concat());
        let pivot_factor = map.select_rows(&pivots);
        Ok(PriorFactor { map, pivots, pivot_factor, unexplained })
    }

    /// Number of latent values.
    pub fn rows(&self) -> usize {
        self.map.rows()
    }

    /// Number of independent directions.
    pub fn rank(&self) -> usize {
        self.map.cols()
    }

    /// The largest prior variance left out, at most `n` rounding errors of the largest diagonal entry.
    pub fn unexplained(&self) -> f64 {
        self.unexplained
    }

    /// `G`.
    pub(super) fn map(&self) -> &Mat {
        &self.map
    }

    /// `f = G u` for one vector.
    pub fn latent(&self, whitened: &[f64]) -> Vec<f64> {
        self.map.mul_vec(whitened)
    }

    /// `f = G u` for many columns.
    pub fn latents(&self, whitened: &Mat) -> Mat {
        multiply(&self.map, Op::Plain, whitened, Op::Plain)
    }

    /// `u` with `f = G u`, from the rows of `f` that determine the others.
    pub fn whiten(&self, latent: &[f64]) -> Vec<f64> {
        let mut u: Vec<f64> = self.pivots.iter().map(|&p| latent[p]).collect();
        lower_solve(&self.pivot_factor, &mut u);
        u
    }

    /// The prior of latent values at new points given `u`: their means are `weightsᵀ u`, and these are the variances.
    /// `cross` is n x m, `diag` the m prior variances.
    pub fn conditional(&self, cross: &Mat, diag: &[f64]) -> Result<(Mat, Vec<f64>), ExactError> {
        same_size("the cross-covariance", cross.rows(), self.rows())?;
        same_size("the prior variances of the new points", diag.len(), cross.cols())?;
        let mut weights = cross.select_rows(&self.pivots);
        solve_lower_in_place(&self.pivot_factor, &mut weights);
        let variances = weights.columns().zip(diag).map(|(w, &d)| (d - vector::dot(w, w)).max(0.0)).collect();
        Ok((weights, variances))
    }
}

/// The row with the largest variance not yet explained.
fn widest(rest: &[f64], pivots: &[usize]) -> Option<usize> {
    (0..rest.len()).filter(|i| !pivots.contains(i)).max_by(|&a, &b| rest[a].total_cmp(&rest[b]))
}

/// Covariances with row `p` given the directions found so far, over its standard deviation.
fn next_column(k: &Mat, columns: &[Vec<f64>], p: usize, variance: f64) -> Vec<f64> {
    let mut column: Vec<f64> = (0..k.rows()).map(|i| k[(i.max(p), i.min(p))]).collect();
    for earlier in columns {
        vector::add_scaled(&mut column, -earlier[p], earlier);
    }
    let deviation = variance.sqrt();
    column.iter_mut().for_each(|c| *c /= deviation);
    column
}

pub(super) fn check_finite(k: &Mat) -> Result<(), ExactError> {
    for (col, column) in k.columns().enumerate() {
        if let Some(row) = (col..column.len()).find(|&i| !column[i].is_finite()) {
            return Err(ExactError::NotFinite { row, col, value: column[row] });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_singular_covariance_is_factored_without_additions() {
        // Rows 0 and 2 are the same variable, rows 1 and 3 opposite ones.
        let g = Mat::from_columns(4, 2, vec![1.0, 0.5, 1.0, -0.5, 0.0, 2.0, 0.0, -2.0]);
        let k = multiply(&g, Op::Plain, &g, Op::Transpose);
        let factor = PriorFactor::new(&k).unwrap();
        assert_eq!(factor.rank(), 2);
        let u = [0.3, -1.7];
        let f = factor.latent(&u);
        assert_eq!(f[0], f[2]);
        assert_eq!(f[1], -f[3]);
        assert!(factor.whiten(&f).iter().zip(u).all(|(a, b)| (a - b).abs() < 1e-15));
        let again = multiply(&factor.map, Op::Plain, &factor.map, Op::Transpose);
        assert!(again.as_slice().iter().zip(k.as_slice()).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn a_new_point_equal_to_a_training_row_follows_it() {
        let k = Mat::from_columns(2, 2, vec![2.0, 0.7, 0.7, 1.0]);
        let factor = PriorFactor::new(&k).unwrap();
        let (weights, variances) = factor.conditional(&k.select_columns(&[1]), &[1.0]).unwrap();
        let u = [0.4, 1.1];
        assert!((vector::dot(weights.col(0), &u) - factor.latent(&u)[1]).abs() < 1e-15);
        assert!(variances[0] < 1e-15);
    }

    #[test]
    fn bad_covariances_are_refused() {
        let indefinite = Mat::from_columns(2, 2, vec![1.0, 2.0, 2.0, 1.0]);
        assert!(matches!(
            PriorFactor::new(&indefinite),
            Err(ExactError::NotPositiveSemidefinite { variance, .. }) if variance == -3.0
        ));
        let nan = Mat::from_columns(2, 2, vec![1.0, f64::NAN, 0.0, 1.0]);
        assert!(matches!(PriorFactor::new(&nan), Err(ExactError::NotFinite { row: 1, col: 0, .. })));
    }
}
