//! What a row's own label did to the latent values of several classes somewhere else: as for two classes, with matrices of the
//! classes for the numbers there.

use super::cavity::eliminate;
use super::{ClassObservations, JointInferred, RowGaussian};
use gpclass_linalg::{Mat, map_tasks, vector};

/// One copy of a row's site, ready to be taken out.
pub struct OwnLabels {
    /// `(I + T K)⁻¹` of the unit vector of the row and each function, rows x functions.
    weights: Vec<Mat>,
    /// `-(I - T Sigma)⁻¹ alpha`, of the row.
    shift: Vec<f64>,
    /// `(I - T Sigma)⁻¹ T`, of the row.
    widening: Mat,
}

impl JointInferred {
    /// The labels of these training rows.
    pub fn own_labels(&self, observations: &ClassObservations<'_>, rows: &[usize]) -> Vec<OwnLabels> {
        let (n, count) = (self.mean.rows(), self.mean.cols());
        let covariances = self.factor.row_covariances();
        map_tasks(rows.len(), |k| {
            let row = rows[k];
            let unit = |d: usize| Mat::from_fn(n, count, |i, c| f64::from(i == row && c == d));
            let weights = (0..count).map(|d| self.factor.without_prior(&unit(d))).collect();
            let (shift, widening) = self.taking_out(observations, row, &covariances[row]);
            OwnLabels { weights, shift, widening }
        })
    }

    /// What taking out one copy of a row's site does for a unit of covariance with the row.
    fn taking_out(&self, observations: &ClassObservations<'_>, row: usize, sigma: &Mat) -> (Vec<f64>, Mat) {
        let (count, copies) = (observations.count, observations.copies(row));
        if copies == 0.0 {
            return (vec![0.0; count], Mat::zeros(count, count));
        }
        let site = self.one_copy(row, copies);
        let mut a = Mat::from_fn(count, count, |c, d| {
            f64::from(c == d) - (0..count).map(|k| site[(c, k)] * sigma[(k, d)]).sum::<f64>()
        });
        let mut found =
            Mat::from_fn(
                count,
                count + 1,
                |c, d| if d < count { site[(c, d)] } else { -self.alpha[(row, c)] / copies },
            );
        eliminate(&mut a, &mut found);
        let widening = Mat::from_fn(count, count, |c, d| 0.5 * (found[(c, d)] + found[(d, c)]));
        (found.col(count).to_vec(), widening)
    }
}

impl OwnLabels {
    /// The latent values of a row without the label, from the prior covariances, for each kernel that differs, of that row (a
    /// column of each) and all training rows.
    pub fn taken_out(&self, row: &RowGaussian, cross: &[Mat], column: usize) -> RowGaussian {
        let count = row.mean.len();
        let of = |c: usize| cross[c.min(cross.len() - 1)].col(column);
        let covariance = Mat::from_fn(count, count, |c, d| vector::dot(of(c), self.weights[d].col(c)));
        let shift = covariance.mul_vec(&self.shift);
        let through = |c: usize, d: usize| -> f64 {
            let inner = |k: usize| (0..count).map(|l| self.widening[(k, l)] * covariance[(d, l)]).sum::<f64>();
            (0..count).map(|k| covariance[(c, k)] * inner(k)).sum()
        };
        let mean = row.mean.iter().zip(shift).map(|(mean, shift)| mean + shift).collect();
        RowGaussian { mean, cov: Mat::from_fn(count, count, |c, d| row.cov[(c, d)] + through(c, d)) }
    }
}
