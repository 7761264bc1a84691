//! A Gaussian without some of the sites that made it.

use gpclass_linalg::{
    Mat, NotPositiveDefinite, Op, add_self_product, cholesky_in_place, mirror_lower, solve_lower_in_place,
};

/// Takes sites of precisions `tau` on the first of its variables out of a covariance. Fails where what is left is no proper
/// distribution. Negative ones go first: without them the rest is a shrunk distribution, whatever comes next.
pub(super) fn without_sites(sigma: &mut Mat, tau: &[f64]) -> Result<(), NotPositiveDefinite> {
    let of_sign = |sign: f64| (0..tau.len()).filter(|&i| sign * tau[i] > 0.0).collect::<Vec<_>>();
    add_precisions(sigma, &of_sign(-1.0), tau)?;
    add_precisions(sigma, &of_sign(1.0), tau)
}

/// Adds `-tau` to the precisions of variables whose `tau` have one sign: with `D = |tau|^½`, `s` that sign and
/// `C Cᵀ = I - s D Sigma D`, `Sigma <- Sigma + s VᵀV`, `V = C⁻¹ D Sigma`.
fn add_precisions(sigma: &mut Mat, rows: &[usize], tau: &[f64]) -> Result<(), NotPositiveDefinite> {
    let Some(&first) = rows.first() else { return Ok(()) };
    let sign = tau[first].signum();
    let root = |a: usize| tau[rows[a]].abs().sqrt();
    let mut chol = Mat::from_fn(rows.len(), rows.len(), |a, b| {
        f64::from(a == b) - sign * root(a) * sigma[(rows[a], rows[b])] * root(b)
    });
    cholesky_in_place(&mut chol)?;
    let mut v = Mat::from_fn(rows.len(), sigma.cols(), |a, j| root(a) * sigma[(rows[a], j)]);
    solve_lower_in_place(&chol, &mut v);
    add_self_product(sigma, sign, &v, Op::Transpose);
    mirror_lower(sigma);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::Prior;

    #[test]
    fn sites_taken_out_again_leave_what_was_there() {
        let n = 9;
        let k = Mat::from_fn(n, n, |i, j| 2.0 * (-0.1 * (i as f64 - j as f64).powi(2)).exp() + 0.1 * f64::from(i == j));
        let tau = [0.5, -0.1, 0.0, 3.0, -0.05, 0.7, 0.2, 0.0, 1.0];
        let kept: Vec<f64> = (0..n).map(|i| if i < 5 { 0.0 } else { tau[i] }).collect();
        let all = Prior::from_covariance(k.clone()).factorise(&tau, None).unwrap();
        let some = Prior::from_covariance(k).factorise(&kept, None).unwrap();
        let mut sigma = all.covariance();
        without_sites(&mut sigma, &tau[..5]).unwrap();
        let want = some.covariance();
        for (got, want) in sigma.as_slice().iter().zip(want.as_slice()) {
            assert!((got - want).abs() < 1e-12, "{got} {want}");
        }
        assert!(without_sites(&mut sigma, &[100.0]).is_err());
    }
}
