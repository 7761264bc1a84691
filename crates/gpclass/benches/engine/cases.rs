//! The pieces of work that are measured, with the costs aimed at.

use crate::problem::Problem;
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::Kernel;
use gpclass::learn::{Control, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, Priors, fit};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, Start};
use gpclass::objective::{Criterion, Objective};

/// The accuracy asked of log Z, relative.
const EIGHT_DIGITS: f64 = 1e-8;
/// Tolerances tried for it, the loosest first.
const LADDER: [f64; 7] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-5, 1e-6, 1e-8];
/// Tolerances of the runs that log Z is compared with.
const TIGHT: f64 = 1e-10;

/// Whatever can go wrong in a run.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The size at which a whole fit is measured.
const FULL_FIT_ROWS: usize = 500;

/// One measured piece of work.
#[derive(Clone, Copy)]
pub enum Work {
    Gram,
    ColdEp {
        tolerance: f64,
    },
    WarmEp {
        tolerance: f64,
    },
    ColdLaplace {
        tolerance: f64,
    },
    Predict,
    /// The exact gradient of a leave-one-out criterion at a fitted model.
    LeaveOneOutGradient,
    /// All ARD hyperparameters learned by EP evidence, from cold.
    FullFit,
}

pub struct Case {
    pub name: String,
    pub work: Work,
    /// Aims at n = 1000 and n = 2000 (a whole fit: at the one size it is measured at), in Cholesky factorisations.
    aims: [Option<f64>; 2],
}

impl Case {
    /// The cost aimed at for `n` rows, where there is one.
    pub fn target(&self, n: usize) -> Option<f64> {
        match n {
            FULL_FIT_ROWS if matches!(self.work, Work::FullFit) => self.aims[0],
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
    pub fn new(n: usize) -> Result<Self, Failure> {
        let problem = Problem::new(n)?;
        let fitted = Model::new(problem.kernel.clone(), Likelihood::probit()).infer(&problem.data, None)?;
        let tight = |model: Model| model.infer(&problem.data, None).map(|fit| fit.log_evidence());
        let exact = [
            tight(ep(&problem.kernel, TIGHT))?,
            tight(ep(&problem.changed, TIGHT))?,
            tight(laplace(&problem.kernel, TIGHT))?,
        ];
        let b = factorised_matrix(&fitted);
        Ok(Bench { problem, fitted, b, exact })
    }

    pub fn cases(&self) -> Result<Vec<Case>, Failure> {
        let at = |name: &str, tolerance: f64, work, aims| Case {
            name: format!("{name}, tolerance {tolerance:.0e}"),
            work,
            aims,
        };
        let case = |name: &str, work, aims| Case { name: name.to_owned(), work, aims };
        let cold = self.loosest(|tolerance| Work::ColdEp { tolerance })?;
        let warm = self.loosest(|tolerance| Work::WarmEp { tolerance })?;
        let mode = self.loosest(|tolerance| Work::ColdLaplace { tolerance })?;
        let (ep, laplace) = (EpOptions::default().tolerance, LaplaceOptions::default().tolerance);
        let mut cases = vec![
            case("kernel matrix", Work::Gram, [None; 2]),
            at("EP + gradient, cold", cold, Work::ColdEp { tolerance: cold }, [Some(16.0), Some(13.0)]),
            at("EP + gradient, cold", ep, Work::ColdEp { tolerance: ep }, [None; 2]),
            at("EP + gradient, warm", warm, Work::WarmEp { tolerance: warm }, [Some(12.0), Some(10.0)]),
            at("EP + gradient, warm", ep, Work::WarmEp { tolerance: ep }, [None; 2]),
            at("Laplace + gradient", mode, Work::ColdLaplace { tolerance: mode }, [Some(15.0), Some(12.0)]),
            at("Laplace + gradient", laplace, Work::ColdLaplace { tolerance: laplace }, [None; 2]),
            case("exact leave-one-out gradient", Work::LeaveOneOutGradient, [Some(12.0), Some(12.0)]),
            case("predict 10,000 rows with variance", Work::Predict, [Some(35.0), None]),
        ];
        if self.problem.data.rows() == FULL_FIT_ROWS {
            cases.push(case("whole ARD fit by EP evidence (EP runs)", Work::FullFit, [Some(700.0), None]));
        }
        Ok(cases)
    }

    /// The loosest tolerance of the ladder with which log Z is right to eight digits.
    fn loosest(&self, work: impl Fn(f64) -> Work) -> Result<f64, Failure> {
        for tolerance in LADDER {
            let seen = self.run(work(tolerance))?;
            if self.error(work(tolerance), &seen).is_some_and(|error| error <= EIGHT_DIGITS) {
                return Ok(tolerance);
            }
        }
        Ok(TIGHT)
    }

    /// The relative error of the log evidence that a run found.
    pub fn error(&self, work: Work, seen: &Seen) -> Option<f64> {
        let exact = match work {
            Work::ColdEp { .. } => self.exact[0],
            Work::WarmEp { .. } => self.exact[1],
            Work::ColdLaplace { .. } => self.exact[2],
            Work::Gram | Work::Predict | Work::LeaveOneOutGradient | Work::FullFit => return None,
        };
        seen.log_z.map(|z| ((z - exact) / exact).abs())
    }

    /// `B = I + T^½ K T^½` of the fitted model: the matrix whose factorisation is the unit.
    pub fn matrix(&self) -> &Mat {
        &self.b
    }

    pub fn run(&self, work: Work) -> Result<Seen, Failure> {
        let Problem { data, test, kernel, changed } = &self.problem;
        match work {
            Work::Gram => {
                std::hint::black_box(kernel.gram(data.inputs()));
                Ok(Seen::default())
            }
            Work::ColdEp { tolerance } => self.evidence_and_gradient(&ep(kernel, tolerance), None),
            Work::WarmEp { tolerance } => {
                let start = &self.fitted.start();
                self.evidence_and_gradient(&ep(changed, tolerance), Some(start))
            }
            Work::ColdLaplace { tolerance } => self.evidence_and_gradient(&laplace(kernel, tolerance), None),
            Work::LeaveOneOutGradient => {
                let objective = Objective::leave_one_out(Criterion::Nlp);
                std::hint::black_box(objective.gradient(&self.fitted)?);
                Ok(Seen::default())
            }
            Work::FullFit => {
                let options = FitOptions {
                    kernel: Some(KernelFamily::SquaredExponential),
                    likelihood: Some(LikelihoodFamily::Probit),
                    lengthscales: Lengthscales::Ard,
                    priors: Priors::None,
                    ..FitOptions::default()
                };
                let learned = fit(data, &options, &Control::default())?;
                Ok(Seen { log_z: None, sweeps: Some(learned.chosen().learned.inferences) })
            }
            Work::Predict => {
                std::hint::black_box(self.fitted.predict(test)?);
                Ok(Seen::default())
            }
        }
    }

    fn evidence_and_gradient(&self, model: &Model, start: Option<&Start>) -> Result<Seen, Failure> {
        let fit = model.infer(&self.problem.data, start)?;
        std::hint::black_box(fit.evidence_gradient()?);
        Ok(Seen { log_z: Some(fit.log_evidence()), sweeps: Some(fit.report().sweeps) })
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
    let root: Vec<f64> = fitted.binary().unwrap().posterior.sites().tau.iter().map(|tau| tau.sqrt()).collect();
    let prior = fitted.prior(0);
    let k = prior.covariance();
    Mat::from_fn(k.rows(), k.cols(), |i, j| f64::from(i == j) + root[i] * k[(i, j)] * root[j])
}
