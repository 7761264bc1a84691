//! Groups of rows with all of their sites taken out (NOTATION, leave-group-out).

use super::cavity::eliminate;
use super::{ClassObservations, JointInferred, RowGaussian};
use crate::data::Groups;
use crate::posterior::CoupledFactor;
use crate::prior::Failure;
use gpclass_linalg::Mat;

impl JointInferred {
    /// Every row as the rows of the other groups have it. The only row of its group has its cavity, if it weighs one.
    pub fn group_cavities(&self, observations: &ClassObservations<'_>, groups: &Groups) -> Vec<RowGaussian> {
        let mut all = self.cavities(observations);
        let alone = |rows: &[usize]| matches!(rows, [only] if observations.copies(*only) <= 1.0);
        for rows in groups.members().iter().filter(|rows| !alone(rows)) {
            rows.iter().zip(self.without(rows)).for_each(|(&row, latent)| all[row] = latent);
        }
        all
    }

    /// These rows with the sites of all of them taken out: `C = (I - S T)⁻¹ S` and `m = mu - C alpha` of all functions at all of
    /// them. Where they are so many that a new factor costs less, or where that does not exist, there is a factor of the other
    /// rows; where rounding prevents even that, nothing is known of the rows but their prior.
    fn without(&self, rows: &[usize]) -> Vec<RowGaussian> {
        let (g, count) = (rows.len() as f64, self.pi.cols() as f64);
        let small = g.powi(3) * count.powi(2) < (self.pi.rows() as f64).powi(3);
        let found = small.then(|| self.taken_out(rows)).flatten();
        found.or_else(|| self.refactored_without(rows).ok()).unwrap_or_else(|| self.prior_of(rows))
    }

    fn prior_of(&self, rows: &[usize]) -> Vec<RowGaussian> {
        let count = self.pi.cols();
        let vars: Vec<Vec<f64>> = (0..count).map(|c| self.factor.prior().of(c).diag()).collect();
        let latent = |&i: &usize| RowGaussian {
            mean: vec![0.0; count],
            cov: Mat::from_fn(count, count, |c, d| if c == d { vars[c][i] } else { 0.0 }),
        };
        rows.iter().map(latent).collect()
    }

    fn taken_out(&self, rows: &[usize]) -> Option<Vec<RowGaussian>> {
        let (g, count) = (rows.len(), self.pi.cols());
        let mut c = self.factor.block(rows);
        let total: Vec<f64> = rows.iter().map(|&i| (0..count).map(|k| self.pi[(i, k)]).sum()).collect();
        // (S T) has entries of the same row in T only: T_cd = [c = d] pi_c - pi_c pi_d / s.
        let mut system = Mat::identity(g * count);
        for (d, b) in (0..count).flat_map(|d| (0..g).map(move |b| (d, b))) {
            let pi = |k: usize| self.pi[(rows[b], k)];
            let shared = if total[b] == 0.0 { 0.0 } else { pi(d) / total[b] };
            for i in 0..g * count {
                let pulled: f64 = (0..count).map(|k| c[(i, b + g * k)] * pi(k)).sum();
                system[(i, b + g * d)] -= c[(i, b + g * d)] * pi(d) - pulled * shared;
            }
        }
        eliminate(&mut system, &mut c);
        let alpha: Vec<f64> = (0..count).flat_map(|k| rows.iter().map(move |&i| self.alpha[(i, k)])).collect();
        let shift = c.mul_vec(&alpha);
        let latent = |(a, &i): (usize, &usize)| RowGaussian {
            mean: (0..count).map(|k| self.mean[(i, k)] - shift[a + g * k]).collect(),
            cov: Mat::from_fn(count, count, |k, l| 0.5 * (c[(a + g * k, a + g * l)] + c[(a + g * l, a + g * k)])),
        };
        let found: Vec<RowGaussian> = rows.iter().enumerate().map(latent).collect();
        let proper = |row: &RowGaussian| row.cov.diag().iter().all(|var| *var > 0.0 && var.is_finite());
        found.iter().all(proper).then_some(found)
    }

    /// By a factor of the other rows alone, without those of negative precisions, which could leave no proper posterior.
    fn refactored_without(&self, rows: &[usize]) -> Result<Vec<RowGaussian>, Failure> {
        let (n, count) = (self.pi.rows(), self.pi.cols());
        let mut kept: Vec<bool> = (0..n).map(|i| (0..count).all(|c| self.pi[(i, c)] >= 0.0)).collect();
        rows.iter().for_each(|&row| kept[row] = false);
        let only = |mat: &Mat| Mat::from_fn(n, count, |i, c| if kept[i] { mat[(i, c)] } else { 0.0 });
        let factor = CoupledFactor::new(self.factor.prior(), &only(&self.pi), None)?;
        let (_, mean) = factor.solve(&only(&self.nu));
        let latent = |&i: &usize| RowGaussian {
            mean: (0..count).map(|c| mean[(i, c)]).collect(),
            cov: factor.covariances_within(i..i + 1).remove(0),
        };
        Ok(rows.iter().map(latent).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Class;
    use crate::inference::Method;
    use crate::interrupt::Interrupt;
    use crate::likelihood::Link;
    use crate::posterior::FunctionPriors;
    use crate::prior::Prior;

    #[test]
    fn sites_taken_out_leave_the_posterior_of_the_others() {
        let n = 14;
        let classes: Vec<Class> = (0..n).map(|i| Class::from([0, 1, 2, 1, 0][i % 5])).collect();
        let k = Mat::from_fn(n, n, |i, j| {
            let d = (i as f64 - j as f64) / 3.0;
            1.5 * (-0.5 * d * d).exp() + f64::from(u8::from(i == j)) * 0.1
        });
        let link = Link::Probit { label_error: 0.0 };
        let observations = ClassObservations { classes: &classes, count: 3, link, weights: None };
        let prior = FunctionPriors::shared(Prior::from_covariance(k), 3);
        let found = Method::default().infer_jointly(prior, &observations, None, Interrupt::default()).unwrap();
        for rows in [&[5][..], &[0, 1], &[9, 3, 12, 4]] {
            let (block, rest) = (found.taken_out(rows).unwrap(), found.refactored_without(rows).unwrap());
            for (a, b) in block.iter().zip(&rest) {
                let off = a.mean.iter().zip(&b.mean).chain(a.cov.as_slice().iter().zip(b.cov.as_slice()));
                let most = off.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(most < 1e-8, "{rows:?}: {most}");
            }
        }
    }
}
