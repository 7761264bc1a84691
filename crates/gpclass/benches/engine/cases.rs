//! The pieces of work that are measured, with the costs aimed at.

use crate::problem::Problem;
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::Kernel;
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, ModelError};
use gpclass::sites::Sites;

/// The tolerance with which EP's log Z is right to eight digits: the error is of the order of its square.
const EP_EIGHT_DIGITS: f64 = 3e-4;
/// The same for Laplace's method, where the error is of the order of the tolerance.
const LAPLACE_EIGHT_DIGITS: f64 = 1e-6;
/// Tolerances of the runs that log Z is compared with.
const TIGHT: f64 = 1e-10;

/// One measured piece of work.
#[derive(Clone, Copy)]
pub enum Work {
    Gram,
    ColdEp { tolerance: f64 },
    WarmEp { tolerance: f64 },
    ColdLaplace { tolerance: f64 },
    Predict,
}

pub struct Case {
    pub name: &'static str,
    pub work: Work,
    /// Aims at n = 1000 and n = 2000, in Cholesky factorisations.
    aims: [Option<f64>; 2],
}

impl Case {
    /// The cost aimed at for `n` rows, where there is one.
    pub fn target(&self, n: usize) -> Option<f64> {
        match n {
            1000 => self.aims[0],
            2000 => self.aims[1],
            _ => None,
        }
    }
}

/// What a run says about itself.
#[derive(Default)]
pub struct Seen {
    pub log_z: Option<f64>,
    pub sweeps: Option<usize>,
}

/// A problem with everything the cases share.
pub struct Bench {
    problem: Problem,
    fitted: FittedModel,
    b: Mat,
    exact: [f64; 3],
}

impl Bench {
    pub fn new(n: usize) -> Result<Self, ModelError> {
        let problem = Problem::new(n)?;
        let fitted = ep(&problem.kernel, EP_EIGHT_DIGITS).infer(&problem.data, None)?;
        let tight = |model: Model| model.infer(&problem.data, None).map(|fit| fit.log_evidence());
        let exact = [
            tight(ep(&problem.kernel, TIGHT))?,
            tight(ep(&problem.changed, TIGHT))?,
            tight(laplace(&problem.kernel, TIGHT))?,
        ];
        let b = factorised_matrix(&fitted);
        Ok(Bench { problem, fitted, b, exact })
    }

    pub fn cases(&self) -> Vec<Case> {
        let (ep, laplace) = (EpOptions::default().tolerance, LaplaceOptions::default().tolerance);
        let case = |name, work, aims| Case { name, work, aims };
        let cold = [Some(16.0), Some(13.0)];
        let warm = [Some(12.0), Some(10.0)];
        let mode = [Some(15.0), Some(12.0)];
        vec![
            case("kernel matrix", Work::Gram, [None; 2]),
            case("EP + gradient, cold, 8 digits", Work::ColdEp { tolerance: EP_EIGHT_DIGITS }, cold),
            case("EP + gradient, cold, default", Work::ColdEp { tolerance: ep }, [None; 2]),
            case("EP + gradient, warm, 8 digits", Work::WarmEp { tolerance: EP_EIGHT_DIGITS }, warm),
            case("EP + gradient, warm, default", Work::WarmEp { tolerance: ep }, [None; 2]),
            case("Laplace + gradient, 8 digits", Work::ColdLaplace { tolerance: LAPLACE_EIGHT_DIGITS }, mode),
            case("Laplace + gradient, default", Work::ColdLaplace { tolerance: laplace }, [None; 2]),
            case("predict 10,000 rows with variance", Work::Predict, [Some(35.0), None]),
        ]
    }

    /// `B = I + T^½ K T^½` of the fitted model: the matrix whose factorisation is the unit.
    pub fn matrix(&self) -> &Mat {
        &self.b
    }

    /// The log evidence that the work is on its way to.
    pub fn reference(&self, work: Work) -> Option<f64> {
        match work {
            Work::ColdEp { .. } => Some(self.exact[0]),
            Work::WarmEp { .. } => Some(self.exact[1]),
            Work::ColdLaplace { .. } => Some(self.exact[2]),
            Work::Gram | Work::Predict => None,
        }
    }

    pub fn run(&self, work: Work) -> Result<Seen, ModelError> {
        let Problem { data, test, kernel, changed } = &self.problem;
        match work {
            Work::Gram => {
                std::hint::black_box(kernel.gram(data.inputs()));
                Ok(Seen::default())
            }
            Work::ColdEp { tolerance } => self.evidence_and_gradient(&ep(kernel, tolerance), None),
            Work::WarmEp { tolerance } => {
                let start = self.fitted.inferred().posterior.sites();
                self.evidence_and_gradient(&ep(changed, tolerance), Some(start))
            }
            Work::ColdLaplace { tolerance } => self.evidence_and_gradient(&laplace(kernel, tolerance), None),
            Work::Predict => {
                std::hint::black_box(self.fitted.predict(test)?);
                Ok(Seen::default())
            }
        }
    }

    fn evidence_and_gradient(&self, model: &Model, start: Option<&Sites>) -> Result<Seen, ModelError> {
        let fit = model.infer(&self.problem.data, start)?;
        std::hint::black_box(fit.evidence_gradient()?);
        Ok(Seen { log_z: Some(fit.log_evidence()), sweeps: Some(fit.inferred().report.sweeps) })
    }
}

fn ep(kernel: &Kernel, tolerance: f64) -> Model {
    let method = Method::Ep(EpOptions { tolerance, ..EpOptions::default() });
    Model { method, ..Model::new(kernel.clone(), Likelihood::probit()) }
}

fn laplace(kernel: &Kernel, tolerance: f64) -> Model {
    let method = Method::Laplace(LaplaceOptions { tolerance, ..LaplaceOptions::default() });
    Model { method, ..Model::new(kernel.clone(), Likelihood::probit()) }
}

fn factorised_matrix(fitted: &FittedModel) -> Mat {
    let root: Vec<f64> = fitted.inferred().posterior.sites().tau.iter().map(|tau| tau.sqrt()).collect();
    let k = fitted.prior();
    Mat::from_fn(k.rows(), k.cols(), |i, j| f64::from(i == j) + root[i] * k[(i, j)] * root[j])
}
