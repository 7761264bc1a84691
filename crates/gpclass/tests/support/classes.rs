//! Problems of several classes, and the one place where inference for them is called.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use gpclass::data::{Class, Inputs};
use gpclass::exact::{CheckControl, CheckOptions, ClassPosterior, ClassProblem, check_classes};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Link;
use gpclass::linalg::Mat;
use gpclass::posterior::FunctionPriors;
use gpclass::prior::Prior;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// The approximation that goes with the link, to the last digits: expectation propagation or Laplace's method.
pub fn infer(covariances: &[Mat], observations: &ClassObservations) -> JointInferred {
    let tolerance = 1e-10;
    let method = match observations.link {
        Link::Probit { .. } => Method::Ep(EpOptions { tolerance, max_inner: 8, ..EpOptions::default() }),
        Link::Softmax { .. } => Method::Laplace(LaplaceOptions { tolerance, ..LaplaceOptions::default() }),
    };
    let priors = priors(covariances, observations);
    let found = method.infer_jointly(priors, observations, None, Interrupt::default()).unwrap();
    assert!(found.report.outcome.converged(), "{:?}", found.report);
    found
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
    pub classes: Vec<Class>,
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
        let at = |class: Class, i: usize| functions[class.position()][i];
        let highest = |i: usize| Class::first(count).max_by(|&a, &b| at(a, i).total_cmp(&at(b, i))).unwrap();
        let test = Inputs::continuous(Mat::from_fn(TEST_ROWS, 2, |_, _| normal()));
        Drawn { classes: (0..n).map(highest).collect(), inputs, count, test, kernel }
    }

    /// Groups far apart, so that every label is plain to see.
    pub fn separated(n: usize, count: usize) -> Drawn {
        let mut drawn = Drawn::new(1, n, count, 9.0, 1.0);
        drawn.classes = Class::first(count).cycle().take(n).collect();
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

    pub fn observations(&self, link: Link) -> ClassObservations<'_> {
        ClassObservations { classes: &self.classes, count: self.count, link, weights: None }
    }

    /// The truth, sought where the approximation is.
    pub fn sampled(&self, link: Link, options: &CheckOptions) -> ClassPosterior {
        let observations = self.observations(link);
        let (covariances, cross, diag) = ([self.covariance()], [self.cross()], [self.kernel.diag(&self.test)]);
        let problem =
            ClassProblem { covariances: &covariances, observations: &observations, cross: &cross, diag: &diag };
        let guide = problem.guide(&infer(&covariances, &observations));
        check_classes(&problem, options, CheckControl { guide: Some(&guide), ..Default::default() }).unwrap()
    }
}
