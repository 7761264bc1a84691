//! Two classes: the pieces of work that are measured, with the costs aimed at.

use crate::problem::{Problem, Table};
use crate::suite::{Case, Failure, Seen, Suite, TIGHT};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::Kernel;
use gpclass::learn::{Control, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, Priors, fit};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, Start, TrainingData};
use gpclass::objective::{Criterion, Objective};
use std::sync::Arc;

/// The size at which a whole fit is measured.
const FULL_FIT_ROWS: usize = 500;

/// One measured piece of work.
#[derive(Clone, Copy)]
pub enum Work {
    Gram,
    /// The L1 product's matrix and the gradient of all its parameters.
    Steps,
    /// The same of the additive kernel.
    Terms,
    ColdEp {
        tolerance: f64,
    },
    WarmEp {
        tolerance: f64,
    },
    ColdLaplace {
        tolerance: f64,
    },
    /// Every other row of weight one half, whose averages have no closed form.
    HalfWeights,
    /// The logistic likelihood, whose averages have none either.
    Logistic,
    Predict,
    /// The exact gradient of a leave-one-out criterion at a fitted model.
    LeaveOneOutGradient,
    /// All ARD hyperparameters learned by EP evidence, from cold.
    FullFit,
}

/// The peak memory aimed at, in n x n matrices.
const MEMORY_AIM: f64 = 5.0;

/// A problem with everything the cases share.
pub struct Bench {
    problem: Problem,
    fitted: FittedModel,
    b: Mat,
    exact: [f64; 3],
    table: Table,
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
        let (b, table) = (factorised_matrix(&fitted), Table::new(n));
        Ok(Bench { problem, fitted, b, exact, table })
    }

    /// Aims are at n = 1000 and n = 2000 (a whole fit: at the one size it is measured at), in Cholesky factorisations.
    fn case(&self, name: &str, work: Work, aims: [Option<f64>; 2]) -> Case<Work> {
        let aim = match self.problem.data.rows() {
            FULL_FIT_ROWS if matches!(work, Work::FullFit) => aims[0],
            1000 => aims[0],
            2000 => aims[1],
            _ => None,
        };
        Case { name: name.to_owned(), work, aim }
    }

    fn evidence_and_gradient(&self, model: &Model, start: Option<&Start>) -> Result<Seen, Failure> {
        self.evidence_and_gradient_of(model, &self.problem.data, start)
    }

    fn evidence_and_gradient_of(
        &self,
        model: &Model,
        data: &Arc<TrainingData>,
        start: Option<&Start>,
    ) -> Result<Seen, Failure> {
        let fit = model.infer(data, start)?;
        std::hint::black_box(fit.evidence_gradient()?);
        Ok(Seen { log_z: Some(fit.log_evidence()), sweeps: Some(fit.report().sweeps) })
    }
}

impl Suite for Bench {
    type Work = Work;

    fn title(&self) -> String {
        format!("n = {}", self.problem.data.rows())
    }

    /// `B = I + T^½ K T^½` of the fitted model.
    fn matrix(&self) -> &Mat {
        &self.b
    }

    fn unit(&self) -> f64 {
        1.0
    }

    fn memory_aim(&self) -> f64 {
        MEMORY_AIM
    }

    fn cases(&self) -> Result<Vec<Case<Work>>, Failure> {
        let case = |name: &str, work, aims| self.case(name, work, aims);
        let at = |name: &str, tolerance: f64, work, aims| {
            self.case(&format!("{name}, tolerance {tolerance:.0e}"), work, aims)
        };
        let cold = self.loosest(|tolerance| Work::ColdEp { tolerance })?;
        let warm = self.loosest(|tolerance| Work::WarmEp { tolerance })?;
        let mode = self.loosest(|tolerance| Work::ColdLaplace { tolerance })?;
        let (ep, laplace) = (EpOptions::default().tolerance, LaplaceOptions::default().tolerance);
        let mut cases = vec![
            case("kernel matrix", Work::Gram, [None; 2]),
            case("L1 matrix + gradient, 10 features", Work::Steps, [Some(2.0), Some(2.0)]),
            case("additive matrix + gradient, 10 features", Work::Terms, [None; 2]),
            at("EP + gradient, cold", cold, Work::ColdEp { tolerance: cold }, [None; 2]),
            at("EP + gradient, cold", ep, Work::ColdEp { tolerance: ep }, [Some(16.0), Some(13.0)]),
            at("EP + gradient, warm", warm, Work::WarmEp { tolerance: warm }, [None; 2]),
            at("EP + gradient, warm", ep, Work::WarmEp { tolerance: ep }, [Some(10.0), Some(8.0)]),
            case("EP + gradient, cold, rows of weight one half", Work::HalfWeights, [None; 2]),
            case("EP + gradient, cold, logistic", Work::Logistic, [None; 2]),
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

    fn exact(&self, work: Work) -> Option<f64> {
        match work {
            Work::ColdEp { .. } => Some(self.exact[0]),
            Work::WarmEp { .. } => Some(self.exact[1]),
            Work::ColdLaplace { .. } => Some(self.exact[2]),
            Work::HalfWeights | Work::Logistic => None,
            Work::Gram | Work::Steps | Work::Terms | Work::Predict | Work::LeaveOneOutGradient | Work::FullFit => None,
        }
    }

    fn run(&self, work: Work) -> Result<Seen, Failure> {
        let Problem { data, test, kernel, changed, .. } = &self.problem;
        match work {
            Work::Gram => {
                std::hint::black_box(kernel.gram(data.inputs()));
                Ok(Seen::default())
            }
            Work::Steps => {
                self.table.matrix_and_gradient(&self.table.steps);
                Ok(Seen::default())
            }
            Work::Terms => {
                self.table.matrix_and_gradient(&self.table.terms);
                Ok(Seen::default())
            }
            Work::ColdEp { tolerance } => self.evidence_and_gradient(&ep(kernel, tolerance), None),
            Work::WarmEp { tolerance } => {
                let start = &self.fitted.start();
                self.evidence_and_gradient(&ep(changed, tolerance), Some(start))
            }
            Work::HalfWeights => self.evidence_and_gradient_of(
                &Model::new(kernel.clone(), Likelihood::probit()),
                &self.problem.halved,
                None,
            ),
            Work::Logistic => self.evidence_and_gradient(&Model::new(kernel.clone(), Likelihood::logistic()), None),
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
                Ok(Seen { log_z: None, sweeps: Some(learned.chosen().course.inferences) })
            }
            Work::Predict => {
                std::hint::black_box(self.fitted.predict(test)?);
                Ok(Seen::default())
            }
        }
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
