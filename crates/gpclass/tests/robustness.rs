//! Hard data and extreme hyperparameters: never a panic, never a number that is not finite, always an honest outcome.

#[path = "support/fixtures.rs"]
mod fixtures;
#[path = "support/hard_cases.rs"]
mod hard_cases;

use fixtures::{allowed, ep, everything, least_squares, normals, title};
use gpclass::data::Inputs;
use gpclass::inference::Method;
use gpclass::inference::ep::Schedule;
use gpclass::kernel::Kernel;
use gpclass::model::{FittedModel, Model};
use hard_cases::{DataSet, Noisy, VARIANCES, data_sets, kernels, noisy_likelihoods, with_noise};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Numbers that are not finite, or variances and probabilities outside their range.
fn offences(fit: &FittedModel, test: &Inputs) -> Vec<String> {
    let bad = |name: &str, v: f64| {
        let probability = name.ends_with("probability") || name == "label error";
        !v.is_finite() || probability && !(0.0..=1.0).contains(&v) || name.ends_with("variance") && v < 0.0
    };
    let lists = everything(fit, test).into_iter();
    lists
        .filter_map(|(name, values)| {
            let i = values.iter().position(|&v| bad(name, v))?;
            Some(format!("{name}[{i}] = {}", values[i]))
        })
        .collect()
}

/// Above this ratio of prior variance to noise the covariance matrix, rounded as it is, leaves the posterior uncertain
/// by more than a thousandth of its width.
const DETERMINED: f64 = 1e11;

struct Grid {
    /// Every so many points are visited; coprime to the numbers of likelihoods with methods, kernels and variances.
    stride: usize,
    points: usize,
    offenders: Vec<String>,
    /// Searches that did not converge though the problem determines the answer.
    unsettled: Vec<String>,
}

impl Grid {
    fn walk(methods: &[Method], stride: usize, wanted: impl Fn(&Noisy) -> bool) -> Grid {
        let mut grid = Grid { stride, points: 0, offenders: Vec::new(), unsettled: Vec::new() };
        for set in data_sets() {
            for variance in VARIANCES {
                for kernel in kernels(variance) {
                    for noisy in noisy_likelihoods().iter().filter(|noisy| wanted(noisy)) {
                        for method in methods.iter().filter(|m| allowed(m, &noisy.likelihood)) {
                            grid.visit(&set, &kernel, noisy, method);
                        }
                    }
                }
            }
        }
        grid
    }

    fn visit(&mut self, set: &DataSet, kernel: &Kernel, noisy: &Noisy, method: &Method) {
        self.points += 1;
        if !self.points.is_multiple_of(self.stride) {
            return;
        }
        let test = Inputs::continuous(normals(77, 3, set.data.inputs().features().len()));
        let kernel = with_noise(kernel, noisy.v2);
        let largest = kernel.diag(set.data.inputs()).into_iter().fold(0.0, f64::max);
        let values: Vec<f64> = kernel.params().iter().map(|p| p.value).collect();
        let lik = &noisy.likelihood;
        let name = format!("{}, {} {values:?}, {lik:?}, {}", set.name, kernel.describe(), title(method));
        let model = Model { method: method.clone(), ..Model::new(kernel, lik.clone()) };
        let run = || model.infer(&set.data, None).map(|fit| (offences(&fit, &test), fit));
        match catch_unwind(AssertUnwindSafe(run)) {
            Err(_) => self.offenders.push(format!("{name}: panicked")),
            Ok(Err(error)) => self.offenders.push(format!("{name}: {error}")),
            Ok(Ok((offences, fit))) => {
                self.offenders.extend(offences.into_iter().map(|offence| format!("{name}: {offence}")));
                let report = &fit.report();
                if !report.outcome.converged() && largest / noisy.noise_var() < DETERMINED {
                    self.unsettled.push(format!("{name}: {report:?}"));
                }
            }
        }
    }
}

fn assert_none(what: &str, bad: &[String], grid: &Grid) {
    assert!(bad.is_empty(), "{what}: {} of {} points\n{}", bad.len(), grid.points / grid.stride, bad.join("\n"));
}

#[test]
fn log_concave_likelihoods_converge_wherever_the_answer_is_determined() {
    let methods = [Method::default(), Method::Laplace(Default::default())];
    let grid = Grid::walk(&methods, 3, |noisy| noisy.likelihood.is_log_concave());
    assert_none("offenders", &grid.offenders, &grid);
    assert_none("not converged", &grid.unsettled, &grid);
}

#[test]
fn label_errors_give_finite_numbers_and_mostly_converge() {
    let grid = Grid::walk(&[Method::default()], 4, |noisy| !noisy.likelihood.is_log_concave());
    assert_none("offenders", &grid.offenders, &grid);
    // Without log-concavity EP may have no fixed point; contradictions under a small label error are such cases.
    let share = grid.unsettled.len() as f64 / (grid.points / grid.stride) as f64;
    assert!(share < 0.05, "{share} not converged:\n{}", grid.unsettled.join("\n"));
}

/// EP's two slow schedules and the closed form on the same grid, more coarsely.
#[test]
fn every_other_method_gives_finite_numbers() {
    let others = [ep(Schedule::Sequential), ep(Schedule::OnePass), least_squares()];
    let grid = Grid::walk(&others, 31, |_| true);
    assert_none("offenders", &grid.offenders, &grid);
}
