//! Problems of several classes, and the one place where inference for them is called.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use gpclass::data::Inputs;
use gpclass::exact::{CheckControl, CheckOptions, ClassLink, ClassPosterior, ClassProblem, check_classes};
use gpclass::inference::LaplaceOptions;
use gpclass::inference::ep::EpOptions;
use gpclass::inference::multinomial::{self, ClassObservations, CoupledInferred};
use gpclass::inference::softmax::{self, SoftmaxInferred};
use gpclass::kernel::{Kernel, Scales};
use gpclass::linalg::Mat;
use gpclass::posterior::{FunctionPriors, Sites};
use gpclass::prior::Prior;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Expectation propagation to the last digits.
pub fn nested_ep(covariances: &[Mat], observations: &ClassObservations) -> CoupledInferred {
    let options = EpOptions { tolerance: 1e-10, max_inner: 8, ..EpOptions::default() };
    let found = multinomial::infer(&priors(covariances, observations), observations, None, &options).unwrap();
    assert!(found.report.outcome.converged(), "{:?}", found.report);
    found
}

/// Laplace's method to the last digits.
pub fn laplace(covariances: &[Mat], observations: &ClassObservations) -> SoftmaxInferred {
    let options = LaplaceOptions { tolerance: 1e-10, ..LaplaceOptions::default() };
    let found = softmax::infer(&priors(covariances, observations), observations, None, &options).unwrap();
    assert!(found.report.outcome.converged(), "{:?}", found.report);
    found
}

/// Where the sampler should look: near the approximation that goes with the link.
pub fn guide(problem: &ClassProblem) -> Sites {
    match problem.link {
        ClassLink::MultinomialProbit => {
            let near = nested_ep(problem.covariances, problem.observations);
            problem.guide(&near.pi, &near.alpha, &near.mean)
        }
        ClassLink::Softmax => {
            let near = laplace(problem.covariances, problem.observations);
            problem.guide(&near.pi, &near.alpha, &near.mean)
        }
    }
}

fn priors(covariances: &[Mat], observations: &ClassObservations) -> FunctionPriors {
    match covariances {
        [shared] => FunctionPriors::shared(Prior::from_covariance(shared.clone()), observations.count),
        each => FunctionPriors::own(each.iter().cloned().map(Prior::from_covariance).collect()),
    }
}

/// Rows whose classes were drawn from the model itself, and further points.
pub struct Drawn {
    pub inputs: Inputs,
    pub classes: Vec<usize>,
    pub count: usize,
    pub test: Inputs,
    pub kernel: Kernel,
}

/// Points without a label.
const TEST_ROWS: usize = 10;

impl Drawn {
    /// Two features, a squared exponential of signal variance `v0` and inverse squared lengthscale `1 / l²`.
    pub fn new(seed: u64, n: usize, count: usize, v0: f64, l: f64) -> Drawn {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let x = Mat::from_fn(n, 2, |_, _| normal());
        let kernel = Kernel::squared_exponential(v0, Scales::Single(l.powi(-2))) + Kernel::bias(0.1);
        let inputs = Inputs::continuous(x);
        let mut factor = kernel.gram(&inputs);
        (0..n).for_each(|i| factor[(i, i)] += 1.0); // the noise of the probit
        gpclass::linalg::cholesky_in_place(&mut factor).unwrap();
        let functions: Vec<Vec<f64>> = (0..count)
            .map(|_| {
                let z: Vec<f64> = (0..n).map(|_| normal()).collect();
                (0..n).map(|i| (0..=i).map(|j| factor[(i, j)] * z[j]).sum()).collect()
            })
            .collect();
        let highest = |i: usize| (0..count).max_by(|&a, &b| functions[a][i].total_cmp(&functions[b][i])).unwrap();
        let test = Inputs::continuous(Mat::from_fn(TEST_ROWS, 2, |_, _| normal()));
        Drawn { classes: (0..n).map(highest).collect(), inputs, count, test, kernel }
    }

    /// Groups far apart, so that every label is plain to see.
    pub fn separated(n: usize, count: usize) -> Drawn {
        let mut drawn = Drawn::new(1, n, count, 9.0, 1.0);
        drawn.classes = (0..n).map(|i| i % count).collect();
        drawn.inputs =
            Inputs::continuous(Mat::from_fn(
                n,
                2,
                |i, d| {
                    if d == 0 { 4.0 * (i % count) as f64 } else { 0.05 * i as f64 }
                },
            ));
        drawn
    }

    pub fn covariance(&self) -> Mat {
        self.kernel.gram(&self.inputs)
    }

    pub fn cross(&self) -> Mat {
        self.kernel.cross(&self.inputs, &self.test)
    }

    pub fn observations(&self, label_error: f64) -> ClassObservations<'_> {
        ClassObservations { classes: &self.classes, count: self.count, label_error, weights: None }
    }

    /// The truth.
    pub fn sampled(&self, observations: &ClassObservations, link: ClassLink, options: &CheckOptions) -> ClassPosterior {
        let (covariances, cross, diag) = ([self.covariance()], [self.cross()], [self.kernel.diag(&self.test)]);
        let problem = ClassProblem { covariances: &covariances, observations, link, cross: &cross, diag: &diag };
        let control = CheckControl { guide: Some(&guide(&problem)), ..Default::default() };
        check_classes(&problem, options, control).unwrap()
    }
}
