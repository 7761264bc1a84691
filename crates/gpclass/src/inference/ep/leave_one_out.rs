//! What the movement of EP's sites adds to a leave-one-out gradient: the adjoint `lambda` of math 6.1.

use crate::inference::leave_one_out::{
    CavitySlopes, LeaveOneOutError, Linkage, MarginalSlopes, SiteSlopes, at_fixed_point,
};
use crate::inference::{Inferred, Observations};
use gpclass_linalg::vector::add_scaled;
use gpclass_linalg::{KrylovOptions, gmres};

/// The site map `tau = -c d2 / shrink`, `nu = c (d1 - d2 m) / shrink` of EP, differentiated. At the fixed point
/// `shrink = 1 + d2 s = gap` and `m + s d1 = mu`; along the directions of [`SiteSlopes`] what is left of its Jacobian is
///
/// ```text
/// dtau = -c (d3 dm + (d4/2 + d1 d3) ds) / gap²,   dnu - mu dtau = c d3 / (2 gap) ds
/// ```
struct SiteMap {
    /// `dtau / dm`.
    tau_by_mean: Vec<f64>,
    /// `dtau / ds`.
    tau_by_var: Vec<f64>,
    /// `(dnu - mu dtau) / ds`.
    nu_by_var: Vec<f64>,
    /// For each parameter of the likelihood, `dtau` and `dnu - mu dtau` of every row.
    by_param: Vec<SiteSlopes>,
}

impl SiteMap {
    fn new(observations: &Observations<'_>, inferred: &Inferred, linkage: &Linkage) -> Self {
        let n = observations.len();
        let none = || SiteSlopes { in_tau: vec![0.0; n], in_nu: vec![0.0; n] };
        let params = observations.likelihood.params().len();
        let mut map = SiteMap {
            tau_by_mean: vec![0.0; n],
            tau_by_var: vec![0.0; n],
            nu_by_var: vec![0.0; n],
            by_param: (0..params).map(|_| none()).collect(),
        };
        for i in 0..n {
            let power = observations.power(i);
            if power == 0.0 {
                continue;
            }
            let term = observations.likelihood.curvature(observations.labels[i], inferred.cavities[i], power);
            let [d1, _, d3, d4] = term.d;
            let (c, gap) = (linkage.copies[i], linkage.gap[i]);
            map.tau_by_mean[i] = -c * d3 / gap / gap;
            map.tau_by_var[i] = -c * (0.5 * d4 + d1 * d3) / gap / gap;
            map.nu_by_var[i] = 0.5 * c * d3 / gap;
            for (param, [_, by_d1, by_d2]) in map.by_param.iter_mut().zip(&term.by_param) {
                param.in_tau[i] = -c * by_d2 / gap / gap;
                param.in_nu[i] = c * by_d1 / gap;
            }
        }
        map
    }

    /// `T_u' lambda`.
    fn to_cavities(&self, lambda: &SiteSlopes) -> CavitySlopes {
        let n = self.tau_by_mean.len();
        let (p, q) = (&lambda.in_tau, &lambda.in_nu);
        CavitySlopes {
            by_mean: (0..n).map(|i| self.tau_by_mean[i] * p[i]).collect(),
            by_var: (0..n).map(|i| self.tau_by_var[i] * p[i] + self.nu_by_var[i] * q[i]).collect(),
            likelihood: self.by_param.iter().map(|param| param.dot(lambda)).collect(),
        }
    }
}

impl SiteSlopes {
    fn dot(&self, other: &SiteSlopes) -> f64 {
        let terms = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        terms(&self.in_tau, &other.in_tau) + terms(&self.in_nu, &other.in_nu)
    }
}

/// Both halves of a [`SiteSlopes`] as one vector in units of posterior standard deviations, where a Krylov method
/// weighs them alike.
struct Units {
    var: Vec<f64>,
}

impl Units {
    fn new(var: &[f64]) -> Self {
        // A row of variance zero takes no part; any unit does.
        Units { var: var.iter().map(|&v| if v > 0.0 { v } else { 1.0 }).collect() }
    }

    fn pack(&self, slopes: &SiteSlopes) -> Vec<f64> {
        let tau = slopes.in_tau.iter().zip(&self.var).map(|(p, v)| p / v);
        tau.chain(slopes.in_nu.iter().zip(&self.var).map(|(q, v)| q / v.sqrt())).collect()
    }

    fn unpack(&self, x: &[f64]) -> SiteSlopes {
        let (tau, nu) = x.split_at(self.var.len());
        SiteSlopes {
            in_tau: tau.iter().zip(&self.var).map(|(p, v)| p * v).collect(),
            in_nu: nu.iter().zip(&self.var).map(|(q, v)| q * v.sqrt()).collect(),
        }
    }
}

/// Solves `lambda = U'(J_u + T_u' lambda)` and adds what it brings (math 6.1).
pub(in crate::inference) fn marginal_slopes(
    observations: &Observations<'_>,
    inferred: &Inferred,
    linkage: &Linkage,
    direct: CavitySlopes,
) -> Result<MarginalSlopes, LeaveOneOutError> {
    at_fixed_point(inferred)?;
    let map = SiteMap::new(observations, inferred, linkage);
    let squared = linkage.squared();
    let units = Units::new(inferred.posterior.var());
    let to_sites =
        |slopes: &CavitySlopes| SiteSlopes { in_tau: linkage.to_tau(&squared, slopes), in_nu: linkage.to_nu(slopes) };
    let apply = |x: &[f64]| {
        let mut image = units.pack(&to_sites(&map.to_cavities(&units.unpack(x))));
        image.iter_mut().zip(x).for_each(|(image, x)| *image = x - *image);
        image
    };
    let lambda = gmres(apply, &units.pack(&to_sites(&direct)), &KrylovOptions::default())
        .map_err(|stalled| LeaveOneOutError::Adjoint { residual: stalled.residual, products: stalled.products })?;
    let mut total = map.to_cavities(&units.unpack(&lambda));
    add_scaled(&mut total.by_var, 1.0, &direct.by_var);
    add_scaled(&mut total.by_mean, 1.0, &direct.by_mean);
    add_scaled(&mut total.likelihood, 1.0, &direct.likelihood);
    Ok(linkage.to_marginals(total))
}
