//! Comparison of a fitted model with a reference case, to the tolerances of `tests/reference/README.md`.

use crate::reference::{Case, Gradient, KernelName, LikelihoodName, Problem};
use gpclass::data::{Class, Inputs, Sign};
use gpclass::inference::Method;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::{Gaussian, Likelihood};
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, Predictions, TrainingData};

pub fn inputs(rows: &[Vec<f64>]) -> Inputs {
    let cols = rows.first().map_or(0, Vec::len);
    Inputs::continuous(Mat::from_fn(rows.len(), cols, |i, j| rows[i][j]))
}

pub fn training(problem: &Problem) -> TrainingData {
    let label = |&y: &i8| if y > 0 { Sign::Positive } else { Sign::Negative };
    TrainingData::new(inputs(&problem.x), problem.y.iter().map(label).collect::<Vec<_>>())
        .expect("reference data are valid")
}

pub fn model(case: &Case, inputs: &Inputs, method: Method) -> Model {
    let cov = &case.cov;
    let main = match cov.kernel {
        KernelName::SquaredExponential => Kernel::squared_exponential(cov.v0, Scales::Ard(cov.l.clone())),
        KernelName::Linear => Kernel::linear(Scales::Single(cov.v0)),
    };
    let mut terms = vec![main];
    if cov.v1 > 0.0 {
        terms.push(Kernel::bias(cov.v1));
    }
    if cov.v2 > 0.0 {
        terms.push(Kernel::noise(cov.v2));
    }
    let mut kernel = Kernel::sum(terms);
    kernel.bind(inputs.features());
    let lik = &case.lik;
    let likelihood = match lik.name {
        LikelihoodName::Logistic => Likelihood::logistic(),
        // The robust member holds eps, b and sigma together, so every other one is a case of it.
        LikelihoodName::Probit | LikelihoodName::Step => {
            Likelihood::full(lik.eps, lik.b, lik.sigma).expect("valid parameters")
        }
    };
    Model { method, ..Model::new(kernel, likelihood) }
}

pub struct Expected<'a> {
    pub mean: &'a [f64],
    pub var: &'a [f64],
    pub prob: &'a [f64],
}

/// Tolerances of one problem and the misses so far.
pub struct Check {
    label: String,
    log_z: f64,
    gradient: f64,
    vector: f64,
    probability: f64,
    pub failures: Vec<String>,
}

impl Check {
    pub fn new(problem: &str, case: &str) -> Self {
        let hard = problem.starts_with("P6") || problem.starts_with("P7");
        let ill = problem.starts_with("P7") && case.ends_with("h1");
        Check {
            label: format!("{problem} {case}"),
            log_z: if hard { 1e-6 } else { 1e-8 },
            gradient: if ill { 1e-4 } else { 1e-6 },
            vector: 1e-6,
            probability: if ill { 1e-5 } else { 1e-7 },
            failures: Vec::new(),
        }
    }

    fn require(&mut self, what: &str, got: f64, want: f64, tolerance: f64) {
        let difference = (got - want).abs();
        if difference.is_nan() || difference > tolerance {
            self.failures.push(format!("{}: {what} {got:?}, reference {want:?}, off by {difference:.1e}", self.label));
        }
    }

    pub fn converged(&mut self, fit: &FittedModel) {
        let report = &fit.report();
        if !report.outcome.converged() {
            self.failures.push(format!("{}: not converged, {report:?}", self.label));
        }
    }

    /// For cases whose reference found no fixed point: honest failure with finite numbers, or a fixed point that stands
    /// up to a check from first principles (the reference's search started from the prior only).
    pub fn honest(&mut self, fit: &FittedModel) {
        let inferred = fit.binary().unwrap();
        let finite = inferred.log_z.is_finite()
            && inferred.posterior.sites().is_finite()
            && inferred.posterior.mean().iter().chain(inferred.posterior.var()).all(|v| v.is_finite());
        if !finite {
            self.failures.push(format!("{}: numbers that are not finite, {:?}", self.label, inferred.report));
        }
        let mismatch = moment_mismatch(fit);
        if inferred.report.outcome.converged() != (mismatch < 1e-5) {
            self.failures.push(format!("{}: moments are off by {mismatch:.1e}, {:?}", self.label, inferred.report));
        }
    }

    pub fn log_z(&mut self, got: f64, want: f64) {
        self.require("log Z", got, want, self.log_z);
    }

    pub fn relative(&mut self, what: &str, got: f64, want: f64) {
        self.require(what, got, want, self.vector * want.abs().max(1.0));
    }

    pub fn vector(&mut self, what: &str, got: &[f64], want: Option<&[f64]>) {
        let Some(want) = want else { return };
        let scale = want.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        self.each(what, got, want, (self.vector * scale).max(1e-12));
    }

    pub fn probabilities(&mut self, what: &str, got: &[f64], want: Option<&[f64]>) {
        let Some(want) = want else { return };
        self.each(what, got, want, self.probability);
    }

    fn each(&mut self, what: &str, got: &[f64], want: &[f64], tolerance: f64) {
        assert_eq!(got.len(), want.len(), "{} {what}", self.label);
        let worst = |i: &usize, j: &usize| (got[*i] - want[*i]).abs().total_cmp(&(got[*j] - want[*j]).abs());
        if let Some(i) = (0..got.len()).max_by(worst) {
            self.require(&format!("{what}[{i}]"), got[i], want[i], tolerance);
        }
    }

    pub fn sites(&mut self, fit: &FittedModel, tau: &[f64], nu: &[f64]) {
        let sites = fit.binary().unwrap().posterior.sites();
        self.vector("tau", &sites.tau, Some(tau));
        self.vector("nu", &sites.nu, Some(nu));
    }

    pub fn gradient(&mut self, fit: &FittedModel, want: &Gradient) {
        let gradient = fit.evidence_gradient().expect("a gradient");
        for (name, &want) in want {
            let got = derivative(fit, &gradient, name);
            self.require(name, got, want, self.gradient * (1.0 + want.abs()));
        }
    }

    pub fn predictions(&mut self, got: &Predictions, want: &Expected<'_>) {
        self.vector("test mean", got.mean.col(0), Some(want.mean));
        self.vector("test variance", got.var.col(0), Some(want.var));
        self.probabilities("test probability", got.probability.of_class(Class::POSITIVE), Some(want.prob));
    }
}

/// Our derivative under the reference's name for it.
fn derivative(fit: &FittedModel, gradient: &gpclass::model::Gradient, name: &str) -> f64 {
    let model = fit.model();
    let position = |params: Vec<gpclass::param::Param>, name: &str| params.iter().position(|p| p.name == name);
    let kernel = |name: &str| position(model.kernel.params(), name).map(|i| gradient.kernel[i]);
    let lik = |name: &str| position(model.likelihood.params(), name).map(|i| gradient.likelihood[i]);
    let found = match name {
        "lik_b" => lik("b"),
        "lik_eps" => lik("eps"),
        "lik_log_sigma" => lik("sigma").map(|d| d * model.likelihood.sigma()),
        _ => match name.strip_prefix("log_l") {
            Some(m) => kernel(&format!("l[x{m}]")),
            None => kernel(name.strip_prefix("log_").unwrap_or(name)),
        },
    };
    found.unwrap_or_else(|| panic!("no parameter for {name}"))
}

/// The largest relative difference between a site's precision and the one that its cavity asks for, with the posterior
/// computed by plain elimination from K and the sites.
fn moment_mismatch(fit: &FittedModel) -> f64 {
    let sites = fit.binary().unwrap().posterior.sites();
    let (prior, n) = (fit.prior(0), sites.len());
    let k = prior.covariance();
    // Sigma = (I + K T)⁻¹ K, mu = (I + K T)⁻¹ K nu.
    let a = Mat::from_fn(n, n, |i, j| f64::from(i == j) + k[(i, j)] * sites.tau[j]);
    let sigma = eliminate(a, k.into_owned());
    let mu = sigma.mul_vec(&sites.nu);
    let mut worst = 0.0_f64;
    for i in 0..n {
        let s = 1.0 / (1.0 / sigma[(i, i)] - sites.tau[i]);
        if s.is_nan() || s <= 0.0 {
            return f64::INFINITY;
        }
        let cavity = Gaussian { mean: s * (mu[i] / sigma[(i, i)] - sites.nu[i]), var: s };
        let m = fit.model().likelihood.moments(fit.data().signs()[i], cavity, 1.0);
        let tau = -m.d2 / (1.0 + m.d2 * s);
        worst = worst.max((tau - sites.tau[i]).abs() / sites.tau[i].abs().max(1.0));
    }
    worst
}

/// `A⁻¹ B` by Gauss-Jordan elimination with row pivoting.
fn eliminate(mut a: Mat, mut b: Mat) -> Mat {
    let n = a.rows();
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| a[(i, c)].abs().total_cmp(&a[(j, c)].abs())).unwrap_or(c);
        for m in [&mut a, &mut b] {
            for j in 0..n {
                let held = m[(c, j)];
                m[(c, j)] = m[(pivot, j)];
                m[(pivot, j)] = held;
            }
        }
        for i in (0..n).filter(|&i| i != c) {
            let factor = a[(i, c)] / a[(c, c)];
            for j in 0..n {
                a[(i, j)] -= factor * a[(c, j)];
                b[(i, j)] -= factor * b[(c, j)];
            }
        }
    }
    Mat::from_fn(n, n, |i, j| b[(i, j)] / a[(i, i)])
}
