//! The evidence with the hyperparameters integrated out, by Laplace's method about their most probable values. Models with
//! different numbers of hyperparameters can be compared by it: a parameter that the data pin down costs the share of its
//! prior that is given up, one that they leave open costs nothing.

use crate::learn::Control;
use crate::learn::search::Space;
use crate::learn::search::with_tolerance;
use crate::model::FittedModel;
use crate::objective::Objective;
use gpclass_linalg::{Mat, cholesky_in_place, map_tasks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;

/// Step of the differences of gradients, in unconstrained coordinates.
const STEP: f64 = 0.02;
/// EP's tolerance: its error in the gradient, divided by the step, stays small beside a curvature of one.
const TOLERANCE: f64 = 1e-5;
/// Beyond this number of features' weights their curvatures are estimated by random probes, neglecting that they depend
/// on each other.
const MANY: usize = 100;
/// Number of these probes.
const PROBES: usize = 24;
/// Least curvature: a direction in which the density does not fall counts as nearly flat.
const FLAT: f64 = 0.05;

/// Why hyperparameters could not be integrated out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotIntegrated {
    /// A free hyperparameter has no prior to integrate over.
    #[error("'{name}' has no prior; give it one for a finer comparison")]
    NoPrior {
        /// Name of the first such hyperparameter.
        name: String,
    },
    /// The fit was interrupted before or during the integration.
    #[error("the search was stopped")]
    Interrupted,
    /// The posterior of all rows is not inferred exactly at every point of a search.
    #[error("there are many rows")]
    ManyRows,
    /// There is no finite gradient at a point beside the learned values, so that the curvature there is unknown.
    #[error("inference fails beside the learned values")]
    Curvature,
}

/// The logarithm of the integral.
pub(super) fn log_marginal(fit: &FittedModel, space: &Space, control: &Control) -> Result<f64, NotIntegrated> {
    if let Some(name) = space.without_prior() {
        return Err(NotIntegrated::NoPrior { name: name.to_owned() });
    }
    if control.interrupted() {
        return Err(NotIntegrated::Interrupted);
    }
    let x = space.read(fit.model());
    let (log_prior, _) = space.log_prior(&x);
    let peak = Peak { fit, space, control, x };
    let failure = || if control.interrupted() { NotIntegrated::Interrupted } else { NotIntegrated::Curvature };
    let log_curvature = peak.log_curvature().ok_or_else(failure)?;
    let d = space.len() as f64;
    Ok(fit.log_evidence() + log_prior + 0.5 * (d * TAU.ln() - log_curvature))
}

/// The neighbourhood of the most probable hyperparameters.
struct Peak<'a> {
    fit: &'a FittedModel,
    space: &'a Space,
    control: &'a Control,
    x: Vec<f64>,
}

impl Peak<'_> {
    /// The logarithm of the determinant of the negative Hessian.
    fn log_curvature(&self) -> Option<f64> {
        let many = self.space.sharing().len() > MANY;
        let single: Vec<usize> = (0..self.x.len()).filter(|i| !many || !self.space.sharing().contains(i)).collect();
        let here = self.slope(&self.x)?;
        let unit = |i: usize| (0..self.x.len()).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let mut directions: Vec<Vec<f64>> = single.iter().map(|&i| unit(i)).collect();
        if many {
            directions.extend(self.probes());
        }
        let product = |t: usize| self.curvature_times(&here, &directions[t]);
        let products: Vec<Vec<f64>> = map_tasks(directions.len(), product).into_iter().collect::<Option<_>>()?;
        let (columns, probed) = products.split_at(single.len());
        let symmetric = |a: usize, b: usize| 0.5 * (columns[a][single[b]] + columns[b][single[a]]);
        let block = Mat::from_fn(single.len(), single.len(), symmetric);
        Some(log_determinant(&block) + if many { self.diagonal(&directions[single.len()..], probed) } else { 0.0 })
    }

    /// Random signs on the features' weights (Bekas, Kokiopoulou & Saad 2007).
    fn probes(&self) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut probe = || {
            let mut signs = vec![0.0; self.x.len()];
            for &i in self.space.sharing() {
                signs[i] = if rng.random::<bool>() { 1.0 } else { -1.0 };
            }
            signs
        };
        (0..PROBES).map(|_| probe()).collect()
    }

    fn diagonal(&self, signs: &[Vec<f64>], products: &[Vec<f64>]) -> f64 {
        let curvature = |i: usize| signs.iter().zip(products).map(|(z, p)| z[i] * p[i]).sum::<f64>() / PROBES as f64;
        self.space.sharing().iter().map(|&i| curvature(i).max(FLAT).ln()).sum()
    }

    /// The gradient of log evidence and log prior.
    fn slope(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut model = self.fit.model().clone();
        model.method = with_tolerance(&model.method, TOLERANCE);
        self.space.write(&mut model, x);
        let near = model.infer_with(self.fit.data(), Some(&self.fit.start()), self.control.interrupt()).ok()?;
        let gradient = Objective::Evidence.gradient(&near).ok()?;
        let slopes = self.space.gradient(near.model(), &gradient);
        let (_, prior) = self.space.log_prior(x);
        Some(slopes.iter().zip(prior).map(|(a, b)| a + b).collect())
    }

    /// The negative Hessian times a direction, by a difference of gradients. Steps point away from upper bounds.
    fn curvature_times(&self, here: &[f64], direction: &[f64]) -> Option<Vec<f64>> {
        let upper = self.space.bounds().upper;
        let crosses = (0..self.x.len()).any(|i| self.x[i] + STEP * direction[i] > upper[i]);
        let step = if crosses { -STEP } else { STEP };
        let there: Vec<f64> = self.x.iter().zip(direction).map(|(x, z)| x + step * z).collect();
        let there = self.slope(&there)?;
        let product = here.iter().zip(there).map(|(a, b)| (a - b) / step).collect::<Vec<f64>>();
        product.iter().all(|p| p.is_finite()).then_some(product)
    }
}

/// The log-determinant of a symmetric matrix that should be positive definite. Where it is not, its diagonal is raised
/// until it is.
fn log_determinant(a: &Mat) -> f64 {
    let mut ridge = 0.0;
    loop {
        let mut l = Mat::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] + if i == j { ridge } else { 0.0 });
        if cholesky_in_place(&mut l).is_ok() && l.diag().iter().all(|d| d * d >= FLAT * FLAT) {
            return 2.0 * l.diag().iter().map(|d| d.ln()).sum::<f64>();
        }
        ridge = if ridge == 0.0 { FLAT } else { 2.0 * ridge };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
    use crate::kernel::{Kernel, Scales};
    use crate::learn::{Departure, Priors};
    use crate::learn::{FitOptions, KernelFamily, LikelihoodFamily, fit};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, TrainingData};
    use std::sync::Arc;

    fn data(n: usize, d: usize) -> Arc<TrainingData> {
        let x = Mat::from_fn(n, d, |i, j| ((i * (2 * j + 3)) as f64 * 0.7).sin() + ((i + 5 * j) as f64).cos());
        let label =
            |i: usize| if x[(i, 0)] + 0.4 * ((i * i) as f64).sin() > 0.0 { Sign::Positive } else { Sign::Negative };
        let labels: Vec<Sign> = (0..n).map(label).collect();
        Arc::new(TrainingData::new(Inputs::continuous(x), labels).expect("valid data"))
    }

    /// With one free parameter the integral is done on a grid.
    #[test]
    fn one_parameter_agrees_with_quadrature() {
        let data = data(60, 2);
        let mut kernel = Kernel::squared_exponential(2.0, Scales::Single(0.5)) + Kernel::bias(1.0);
        kernel.set_fixed("v0", true).unwrap();
        kernel.set_fixed("v1", true).unwrap();
        let mut model = Model::new(kernel, Likelihood::probit());
        let space = Space::new(&model, &data, &Priors::Weak, Departure::Free).unwrap();
        let at = |x: f64| {
            let mut model = model.clone();
            space.write(&mut model, &[x]);
            model.infer(&data, None).unwrap().log_evidence() + space.log_prior(&[x]).0
        };
        let grid: Vec<f64> = (-120..80).map(|i| 0.05 * f64::from(i)).collect();
        let values: Vec<f64> = grid.iter().map(|&x| at(x)).collect();
        let truth = (0.05 * values.iter().map(|v| v.exp()).sum::<f64>()).ln();
        let best = (0..grid.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
        space.write(&mut model, &[grid[best]]);
        let fit = model.infer(&data, None).unwrap();
        let found = log_marginal(&fit, &space, &Control::default()).unwrap();
        assert!((found - truth).abs() < 0.1, "{found} and {truth}");
    }

    #[test]
    fn nothing_is_integrated_without_a_prior() {
        let data = data(20, 2);
        let kernel = Kernel::squared_exponential(2.0, Scales::Single(0.5));
        let model = Model::new(kernel, Likelihood::probit());
        let space = Space::new(&model, &data, &Priors::None, Departure::Free).unwrap();
        let fit = model.infer(&data, None).unwrap();
        let name = "v0".to_owned();
        assert_eq!(log_marginal(&fit, &space, &Control::default()), Err(NotIntegrated::NoPrior { name }));
    }

    /// Probes and differences along the axes give the same answer where weights hardly depend on each other.
    #[test]
    fn many_features_are_probed() {
        let data = data(30, MANY + 20);
        let options = FitOptions {
            kernel: Some(KernelFamily::Linear),
            likelihood: Some(LikelihoodFamily::Probit),
            lengthscales: crate::learn::Lengthscales::Ard,
            ..FitOptions::default()
        };
        let found = fit(&data, &options, &Control::default()).unwrap();
        let model = found.fitted();
        let space = Space::new(model.model(), &data, &Priors::Weak, Departure::Free).unwrap();
        let control = Control::default();
        let peak = Peak { fit: model, space: &space, control: &control, x: space.read(model.model()) };
        let probed = peak.log_curvature().unwrap();
        let here = peak.slope(&peak.x).unwrap();
        let unit = |i: usize| (0..space.len()).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let column = |i: usize| peak.curvature_times(&here, &unit(i)).unwrap();
        let columns: Vec<Vec<f64>> = (0..space.len()).map(column).collect();
        let symmetric = |a: usize, b: usize| 0.5 * (columns[a][b] + columns[b][a]);
        let full = log_determinant(&Mat::from_fn(space.len(), space.len(), symmetric));
        assert!((probed - full).abs() < 0.05 * space.len() as f64, "{probed} and {full}");
    }

    #[test]
    fn indefinite_matrices_have_a_finite_determinant() {
        let a = Mat::from_fn(2, 2, |i, j| if i == j { -1.0 } else { 0.3 });
        assert!(log_determinant(&a).is_finite());
        let b = Mat::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 1.0 });
        assert!((log_determinant(&b) - 3.0_f64.ln()).abs() < 1e-14);
    }
}
