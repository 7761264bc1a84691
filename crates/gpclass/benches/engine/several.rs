//! Several classes at once: what evidence and gradient cost for each class.

use crate::problem::{self, FEATURES, LENGTHSCALE, VARIANCE};
use crate::suite::{Case, Failure, Seen, Suite, TIGHT};
use gpclass::data::{Class, Inputs};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred, JointStart};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Link;
use gpclass::linalg::Mat;
use gpclass::posterior::FunctionPriors;
use gpclass::prior::Prior;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

/// The warm start comes from hyperparameters whose logarithms are this far away.
const CHANGE: f64 = 0.1;
/// Standard deviation of the classes' centres; that of the rows about them is one.
const SPREAD: f64 = 1.5;
/// Features in which the centres differ.
const INFORMATIVE: usize = 3;
/// Aims of EP to eight digits of log Z, in Cholesky factorisations for each class, and in matrices beyond half a one for each class.
const COLD_AIM: f64 = 30.0;
const WARM_AIM: f64 = 20.0;
const MEMORY_AIM: f64 = 6.0;

/// One measured piece of work.
#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    ColdEp {
        tolerance: f64,
    },
    WarmEp {
        tolerance: f64,
    },
    ColdLaplace {
        tolerance: f64,
    },
    WarmLaplace {
        tolerance: f64,
    },
    /// Cavities of all training rows.
    LeaveOneOut,
    /// Means and covariances of as many test rows as there are training rows.
    Predict,
}

/// A problem of several classes with everything its cases share.
pub struct Bench {
    count: usize,
    inputs: Inputs,
    classes: Vec<Class>,
    test: Inputs,
    kernels: [Kernel; 2],
    fitted: JointInferred,
    mode: JointInferred,
    b: Mat,
    /// Log evidence of EP at both kernels, then of Laplace's method.
    exact: [f64; 4],
}

impl Bench {
    pub fn new(n: usize, count: usize) -> Result<Self, Failure> {
        let (inputs, classes, test) = draw(n, count);
        let kernels = [0.0, CHANGE].map(kernel);
        let problem = |kernel: &Kernel, method: Method, link: Link| {
            let observations = ClassObservations { classes: &classes, count, link, weights: None };
            infer(&inputs, kernel, &method, &observations, None)
        };
        let fitted = problem(&kernels[0], ep(TIGHT), PROBIT)?;
        let mode = problem(&kernels[0], laplace(TIGHT), SOFTMAX)?;
        let changed =
            [problem(&kernels[1], ep(TIGHT), PROBIT)?.log_z, problem(&kernels[1], laplace(TIGHT), SOFTMAX)?.log_z];
        let exact = [fitted.log_z, changed[0], mode.log_z, changed[1]];
        let b = factorised_matrix(&kernels[0], &inputs, &fitted);
        Ok(Bench { count, inputs, classes, test, kernels, fitted, mode, b, exact })
    }

    fn observations(&self, link: Link) -> ClassObservations<'_> {
        ClassObservations { classes: &self.classes, count: self.count, link, weights: None }
    }

    fn evidence_and_gradient(
        &self,
        kernel: &Kernel,
        method: &Method,
        link: Link,
        start: Option<&JointStart>,
    ) -> Result<Seen, Failure> {
        let observations = self.observations(link);
        let found = infer(&self.inputs, kernel, method, &observations, start)?;
        let adjoints = found.evidence_sensitivity(&observations).adjoints;
        let prior = found.factor.prior().of(0);
        for adjoint in &adjoints {
            std::hint::black_box(prior.pull_back(kernel, &self.inputs, adjoint));
        }
        Ok(Seen { log_z: Some(found.log_z), sweeps: Some(found.report.sweeps) })
    }
}

impl Suite for Bench {
    type Work = Work;

    fn title(&self) -> String {
        format!("n = {}, {} classes, chol for each class", self.classes.len(), self.count)
    }

    /// `B = I + D^½ K D^½` of the first class.
    fn matrix(&self) -> &Mat {
        &self.b
    }

    fn unit(&self) -> f64 {
        self.count as f64
    }

    fn memory_aim(&self) -> f64 {
        MEMORY_AIM + 0.5 * self.count as f64
    }

    fn cases(&self) -> Result<Vec<Case<Work>>, Failure> {
        let case = |name: &str, work: Work, aim| Case { name: format!("{} classes: {name}", self.count), work, aim };
        let at = |name: &str, tolerance: f64, work, aim| case(&format!("{name}, tolerance {tolerance:.0e}"), work, aim);
        let cold = self.loosest(|tolerance| Work::ColdEp { tolerance })?;
        let warm = self.loosest(|tolerance| Work::WarmEp { tolerance })?;
        let mode = self.loosest(|tolerance| Work::ColdLaplace { tolerance })?;
        let warm_mode = self.loosest(|tolerance| Work::WarmLaplace { tolerance })?;
        let tolerance = EpOptions::default().tolerance;
        Ok(vec![
            at("EP + gradient, cold", cold, Work::ColdEp { tolerance: cold }, Some(COLD_AIM)),
            at("EP + gradient, cold", tolerance, Work::ColdEp { tolerance }, None),
            at("EP + gradient, warm", warm, Work::WarmEp { tolerance: warm }, Some(WARM_AIM)),
            at("EP + gradient, warm", tolerance, Work::WarmEp { tolerance }, None),
            at("softmax + gradient, cold", mode, Work::ColdLaplace { tolerance: mode }, None),
            at("softmax + gradient, warm", warm_mode, Work::WarmLaplace { tolerance: warm_mode }, None),
            case("leave-one-out cavities", Work::LeaveOneOut, None),
            case("predict n rows with covariance", Work::Predict, None),
        ])
    }

    fn exact(&self, work: Work) -> Option<f64> {
        match work {
            Work::ColdEp { .. } => Some(self.exact[0]),
            Work::WarmEp { .. } => Some(self.exact[1]),
            Work::ColdLaplace { .. } => Some(self.exact[2]),
            Work::WarmLaplace { .. } => Some(self.exact[3]),
            Work::LeaveOneOut | Work::Predict => None,
        }
    }

    fn run(&self, work: Work) -> Result<Seen, Failure> {
        let [kernel, changed] = &self.kernels;
        match work {
            Work::ColdEp { tolerance } => self.evidence_and_gradient(kernel, &ep(tolerance), PROBIT, None),
            Work::WarmEp { tolerance } => {
                self.evidence_and_gradient(changed, &ep(tolerance), PROBIT, Some(&self.fitted.start))
            }
            Work::ColdLaplace { tolerance } => self.evidence_and_gradient(kernel, &laplace(tolerance), SOFTMAX, None),
            Work::WarmLaplace { tolerance } => {
                self.evidence_and_gradient(changed, &laplace(tolerance), SOFTMAX, Some(&self.mode.start))
            }
            Work::LeaveOneOut => {
                std::hint::black_box(self.fitted.cavities(&self.observations(PROBIT)));
                Ok(Seen::default())
            }
            Work::Predict => {
                let cross = [kernel.cross(&self.inputs, &self.test)];
                let prior = kernel.diag(&self.test);
                let prior = Mat::from_fn(prior.len(), self.count, |t, _| prior[t]);
                std::hint::black_box(self.fitted.factor.predict(&self.fitted.alpha, &cross, &prior));
                Ok(Seen::default())
            }
        }
    }
}

const PROBIT: Link = Link::Probit { label_error: 0.0 };
const SOFTMAX: Link = Link::Softmax { averaged: false };

fn infer(
    inputs: &Inputs,
    kernel: &Kernel,
    method: &Method,
    observations: &ClassObservations<'_>,
    start: Option<&JointStart>,
) -> Result<JointInferred, Failure> {
    let prior = Prior::new(kernel, inputs, Interrupt::default())?;
    let priors = FunctionPriors::shared(prior, observations.count);
    Ok(method.infer_jointly(priors, observations, start, Interrupt::default())?)
}

fn ep(tolerance: f64) -> Method {
    Method::Ep(EpOptions { tolerance, ..EpOptions::default() })
}

fn laplace(tolerance: f64) -> Method {
    Method::Laplace(LaplaceOptions { tolerance, ..LaplaceOptions::default() })
}

/// All parameters' logarithms moved by `change`.
fn kernel(change: f64) -> Kernel {
    let factor = change.exp();
    let l = factor / (LENGTHSCALE * LENGTHSCALE);
    Kernel::squared_exponential(factor * VARIANCE, Scales::Ard(vec![l; FEATURES]))
}

/// Training rows, their classes in turn, and as many test rows: N(centre of the class, 1).
fn draw(n: usize, count: usize) -> (Inputs, Vec<Class>, Inputs) {
    let mut rng = ChaCha12Rng::seed_from_u64((n * count) as u64);
    let centres = problem::normals(count, INFORMATIVE, &mut rng);
    let mut rows = || {
        let noise = problem::normals(n, FEATURES, &mut rng);
        let centre = |i: usize, j: usize| if j < INFORMATIVE { SPREAD * centres[(i % count, j)] } else { 0.0 };
        Inputs::continuous(Mat::from_fn(n, FEATURES, |i, j| centre(i, j) + noise[(i, j)]))
    };
    let (inputs, test) = (rows(), rows());
    let classes = (0..n).map(|i| Class::at(i % count).expect("few classes")).collect();
    (inputs, classes, test)
}

fn factorised_matrix(kernel: &Kernel, inputs: &Inputs, fitted: &JointInferred) -> Mat {
    let root: Vec<f64> = fitted.pi.col(0).iter().map(|pi| pi.sqrt()).collect();
    let k = kernel.gram(inputs);
    Mat::from_fn(k.rows(), k.cols(), |i, j| f64::from(i == j) + root[i] * k[(i, j)] * root[j])
}
