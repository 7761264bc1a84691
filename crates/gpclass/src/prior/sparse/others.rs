//! Rows that are somewhere else: what their sites say about the coordinates of the inducing rows, and the prior of the rows that
//! are here once that is known (scale 7).
//!
//! With `P = I + Σ tau a aᵀ` and `h = Σ nu a` over the others, the coordinates have mean `P⁻¹ h` and precision `P` before any
//! label that is here is seen, so that the projections here have mean `Aᵀ P⁻¹ h` and covariance `Aᵀ P⁻¹ A`.

use super::Sparse;
use crate::prior::Failure;
use gpclass_linalg::{
    Mat, Op, cholesky_in_place, lower_solve, lower_transpose_solve, mirror_lower, multiply, solve_lower_in_place,
    vector,
};
use std::sync::Arc;

/// The sites of some rows, summed over the rows: all that the coordinates of the inducing rows see of them.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteSums {
    /// The lower triangle of `Σ tau a aᵀ`; nothing above it.
    precision: Mat,
    /// `Σ nu a`.
    level: Vec<f64>,
}

impl SiteSums {
    /// Those of no rows, for this many inducing rows.
    pub fn none(inducing: usize) -> Self {
        SiteSums { precision: Mat::zeros(inducing, inducing), level: vec![0.0; inducing] }
    }

    pub(crate) fn new(mut precision: Mat, level: Vec<f64>) -> Self {
        for j in 1..precision.cols() {
            precision.col_mut(j)[..j].fill(0.0);
        }
        SiteSums { precision, level }
    }

    /// The number of inducing rows.
    pub fn inducing(&self) -> usize {
        self.level.len()
    }

    /// How many numbers [`numbers`](Self::numbers) gives for this many inducing rows.
    pub fn count(inducing: usize) -> usize {
        inducing * (inducing + 1) / 2 + inducing
    }

    /// The triangle, column by column, and then the level.
    pub fn numbers(&self) -> Vec<f64> {
        let columns = self.precision.columns().enumerate().flat_map(|(j, column)| column[j..].iter().copied());
        columns.chain(self.level.iter().copied()).collect()
    }

    /// The sums that such numbers are of; `None` where they are of another number of inducing rows, or one is not finite.
    pub fn from_numbers(inducing: usize, numbers: &[f64]) -> Option<Self> {
        if numbers.len() != Self::count(inducing) || numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        let mut sums = SiteSums::none(inducing);
        let mut rest = numbers;
        for j in 0..inducing {
            let (column, after) = rest.split_at(inducing - j);
            sums.precision.col_mut(j)[j..].copy_from_slice(column);
            rest = after;
        }
        sums.level.copy_from_slice(rest);
        Some(sums)
    }

    /// Adds `scale` times other sums.
    pub(crate) fn add_scaled(&mut self, scale: f64, other: &SiteSums) {
        vector::add_scaled(self.precision.as_mut_slice(), scale, other.precision.as_slice());
        vector::add_scaled(&mut self.level, scale, &other.level);
    }

    /// Times a number.
    pub(crate) fn scaled(&self, scale: f64) -> SiteSums {
        let mut sums = SiteSums::none(self.inducing());
        sums.add_scaled(scale, self);
        sums
    }

    /// Without those of some of the rows.
    pub(crate) fn without(&self, some: &SiteSums) -> SiteSums {
        let mut sums = self.clone();
        sums.add_scaled(-1.0, some);
        sums
    }

    /// `P` as a factor, `P⁻¹ h` and the rest, where `P` is positive definite.
    pub(crate) fn coordinates(&self) -> Option<Coordinates> {
        let mut chol = self.precision.clone();
        (0..chol.rows()).for_each(|k| chol[(k, k)] += 1.0);
        cholesky_in_place(&mut chol).ok()?;
        let mut mean = self.level.clone();
        lower_solve(&chol, &mut mean);
        lower_transpose_solve(&chol, &mut mean);
        let log_det = 2.0 * chol.diag().iter().map(|d| d.ln()).sum::<f64>();
        let log_mass = 0.5 * vector::dot(&self.level, &mean) - 0.5 * log_det;
        Some(Coordinates { chol, mean, log_det, log_mass })
    }

    pub(crate) fn precision(&self) -> &Mat {
        &self.precision
    }
}

/// The coordinates of the inducing rows given some sites: `N(P⁻¹ h, P⁻¹)`.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    /// The factor of `P`.
    pub chol: Mat,
    /// `P⁻¹ h`.
    pub mean: Vec<f64>,
    /// `log |P|`.
    pub log_det: f64,
    /// The logarithm of the integral of the sites under the prior, `½ hᵀ P⁻¹ h - ½ log |P|`.
    pub log_mass: f64,
}

impl Coordinates {
    /// How far other coordinates are, in standard deviations of these: of means and of variances, summed in squares over the
    /// coordinates as EP's residual is over rows.
    pub fn distance(&self, sums: &SiteSums, other: &Coordinates, others: &SiteSums) -> f64 {
        let m = self.mean.len();
        // |L⁻¹ P' L⁻ᵀ - I|² / 4 and |Lᵀ (mean' - mean)|² / 2.
        let mut change = others.without(sums).precision;
        mirror_lower(&mut change);
        solve_lower_in_place(&self.chol, &mut change);
        let mut change = change.transposed();
        solve_lower_in_place(&self.chol, &mut change);
        let of_variances = vector::dot(change.as_slice(), change.as_slice()) / 4.0;
        let shift = Mat::from_columns(m, 1, other.mean.iter().zip(&self.mean).map(|(a, b)| a - b).collect());
        let shift = multiply(&lower(&self.chol), Op::Transpose, &shift, Op::Plain);
        let of_means = vector::dot(shift.as_slice(), shift.as_slice()) / 2.0;
        (of_means + of_variances).sqrt()
    }
}

/// A lower triangle without what may stand above it.
fn lower(chol: &Mat) -> Mat {
    Mat::from_fn(chol.rows(), chol.cols(), |i, j| if i >= j { chol[(i, j)] } else { 0.0 })
}

/// What a prior knows of rows elsewhere.
#[derive(Debug)]
pub(super) struct Others {
    sums: SiteSums,
    coordinates: Coordinates,
    /// The means that they give to the projections of the rows that are here.
    offset: Vec<f64>,
}

impl Sparse {
    /// The prior of the same rows once the sites of others are known. Fails where these are no proper distribution of the
    /// coordinates.
    pub(crate) fn beside(&self, sums: &SiteSums) -> Result<Sparse, Failure> {
        let coordinates = sums.coordinates().ok_or_else(|| self.indefinite())?;
        let offset = self.projections().transposed_times(&coordinates.mean);
        let others = Others { sums: sums.clone(), coordinates, offset };
        Ok(Sparse(Arc::clone(&self.0), Some(Arc::new(others))))
    }

    /// The sites of rows elsewhere, where there are any.
    pub(crate) fn others(&self) -> Option<&SiteSums> {
        self.1.as_deref().map(|others| &others.sums)
    }

    /// What they say about the coordinates.
    pub(crate) fn given(&self) -> Option<&Coordinates> {
        self.1.as_deref().map(|others| &others.coordinates)
    }

    /// The means of the projections before any label that is here is seen; zero where `None`.
    pub(crate) fn offset(&self) -> Option<&[f64]> {
        self.1.as_deref().map(|others| &*others.offset)
    }

    /// `P⁻¹ y`, which is `y` where no rows are elsewhere.
    pub(crate) fn given_others(&self, mut y: Vec<f64>) -> Vec<f64> {
        if let Some(Coordinates { chol, .. }) = self.given() {
            lower_solve(chol, &mut y);
            lower_transpose_solve(chol, &mut y);
        }
        y
    }

    /// `L_P⁻¹ a` of some columns, which is `a` where no rows are elsewhere.
    pub(super) fn whitened(&self, a: &Mat) -> Mat {
        let mut a = a.clone();
        if let Some(Coordinates { chol, .. }) = self.given() {
            solve_lower_in_place(chol, &mut a);
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums() -> SiteSums {
        let a = Mat::from_fn(3, 5, |i, j| ((i + 2) * (3 * j + 1)) as f64 * 0.1 - 1.0);
        let tau = [0.4, -0.02, 1.0, 0.3, 0.2];
        let weigh = |i: usize, j: usize| (0..5).map(|k| tau[k] * a[(i, k)] * a[(j, k)]).sum();
        SiteSums::new(Mat::from_fn(3, 3, weigh), vec![0.5, -1.0, 2.0])
    }

    #[test]
    fn sums_are_the_same_after_a_way_as_numbers() {
        let sums = sums();
        assert_eq!(sums.numbers().len(), SiteSums::count(3));
        assert_eq!(SiteSums::from_numbers(3, &sums.numbers()), Some(sums.clone()));
        assert_eq!(SiteSums::from_numbers(4, &sums.numbers()), None);
        let mut damaged = sums.numbers();
        damaged[2] = f64::NAN;
        assert_eq!(SiteSums::from_numbers(3, &damaged), None);
        assert_eq!(sums.without(&sums), SiteSums::none(3));
    }

    #[test]
    fn distance_is_that_of_two_gaussians_in_standard_deviations() {
        let (here, there) = (SiteSums::none(1), SiteSums::from_numbers(1, &[0.5, 3.0]).unwrap());
        let (a, b) = (here.coordinates().unwrap(), there.coordinates().unwrap());
        // Precision 1 and 1.5, means 0 and 2.
        let want = (0.5 * 4.0_f64 + 0.25 * 0.25).sqrt();
        assert!((a.distance(&here, &b, &there) - want).abs() < 1e-12);
        assert_eq!(a.distance(&here, &a, &here), 0.0);
        assert!(SiteSums::from_numbers(1, &[-1.5, 0.0]).unwrap().coordinates().is_none());
    }
}
