//! Posterior variances of the training rows.

use super::{DenseFactor, lower_inverse};
use crate::posterior::Marginals;
use crate::prior::Failure;
use gpclass_linalg::{Mat, solve_lower_in_place, vector};

/// Below this value of `tau_i Sigma_ii` the quick formula for the variance loses more than five digits.
const WEAK: f64 = 1e-5;
/// Columns of `K` handled at once where a few variances need them: bounds the memory.
const BLOCK: usize = 128;

impl DenseFactor {
    /// Computes `L⁻¹` if it is not there, for the marginals and for quick solves.
    pub(in crate::posterior) fn with_marginals(mut self) -> Result<(Self, Marginals), Failure> {
        let n = self.tau.len();
        let inverse = match self.inverse.take() {
            Some(inverse) => inverse,
            None => lower_inverse(&self.chol, Mat::try_zeros(n, n)?),
        };
        let marginals = self.marginals(&inverse);
        self.inverse = Some(inverse);
        Ok((self, marginals))
    }

    fn marginals(&self, inverse: &Mat) -> Marginals {
        let (k, n) = (self.k(), self.tau.len());
        let mut slack = vector::lower_column_norms(inverse); // diag(B⁻¹) = 1 - tau Sigma_ii
        let mut var: Vec<f64> = (0..n).map(|i| (1.0 - slack[i]) / self.tau[i]).collect();
        let weak: Vec<usize> = (0..n).filter(|&i| self.tau[i] <= 0.0 || 1.0 - slack[i] < WEAK).collect();
        for block in weak.chunks(BLOCK) {
            let mut columns = k.select_columns(block);
            self.scale_rows(&mut columns);
            solve_lower_in_place(&self.chol, &mut columns);
            for (&i, c) in block.iter().zip(columns.columns()) {
                var[i] = (k[(i, i)] - vector::dot(c, c)).max(k[(i, i)] * f64::EPSILON);
                slack[i] = 1.0 - self.tau[i] * var[i];
            }
        }
        if let Some(neg) = &self.negative {
            for column in neg.spread.columns() {
                for i in 0..n {
                    let widened = column[i] * column[i];
                    var[i] += widened;
                    slack[i] -= self.tau[i] * widened;
                }
            }
        }
        Marginals { var, slack }
    }
}
