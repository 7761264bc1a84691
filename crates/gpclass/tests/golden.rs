//! Every reference case (tests/reference) for EP and Laplace, to the tolerances its README gives.

#[path = "support/golden.rs"]
mod golden;
#[path = "support/reference.rs"]
mod reference;

use golden::{Check, Expected, model, training};
use gpclass::inference::ep::{EpOptions, Schedule};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::model::FittedModel;
use reference::{Case, Ep, Gradient, Problem};
use std::sync::Arc;

fn ep(schedule: Schedule) -> Method {
    Method::Ep(EpOptions { schedule, tolerance: 1e-10, ..EpOptions::default() })
}

fn fitted(problem: &Problem, case: &Case, method: Method) -> FittedModel {
    let data = Arc::new(training(problem));
    model(case, data.inputs(), method)
        .infer(&data, None)
        .unwrap_or_else(|e| panic!("{} {}: {e}", problem.name, case.id))
}

fn check_ep(check: &mut Check, problem: &Problem, case: &Case, schedule: Schedule) {
    let fit = fitted(problem, case, ep(schedule));
    match case.ep.as_ref() {
        None => (),
        Some(Ep::NoFixedPoint) => check.honest(&fit),
        Some(Ep::Converged(want)) => {
            check.converged(&fit);
            check.log_z(fit.log_evidence(), want.log_z);
            check.sites(&fit, &want.tau, &want.nu);
            let sum = fit.leave_one_out_log_probability().iter().sum::<f64>();
            check.relative("sum of leave-one-out log p", sum, want.loo_logp_sum);
            check.vector("posterior mean", fit.binary().unwrap().posterior.mean(), want.post_mean.as_deref());
            check.vector("posterior variance", fit.binary().unwrap().posterior.var(), want.post_var.as_deref());
            let cavities = &fit.binary().unwrap().cavities;
            let (means, vars): (Vec<f64>, Vec<f64>) = cavities.iter().map(|c| (c.mean, c.var)).unzip();
            check.vector("cavity mean", &means, want.cav_mean.as_deref());
            check.vector("cavity variance", &vars, want.cav_var.as_deref());
            let loo: Vec<f64> = fit.leave_one_out_log_probability().iter().map(|log| log.exp()).collect();
            check.probabilities("leave-one-out probability", &loo, want.loo_prob_y.as_deref());
            gradient_and_test(check, problem, &fit, &want.grad, [&want.test_mean, &want.test_var, &want.test_prob]);
        }
    }
}

fn gradient_and_test(check: &mut Check, problem: &Problem, fit: &FittedModel, grad: &Gradient, test: [&Vec<f64>; 3]) {
    check.gradient(fit, grad);
    let predicted = fit.predict(&golden::inputs(&problem.test)).expect("finite test rows");
    let expected = Expected { mean: test[0], var: test[1], prob: test[2] };
    check.predictions(&predicted, &expected);
}

fn walk(name: &str, mut each: impl FnMut(&mut Check, &Problem, &Case)) {
    let mut failures = Vec::new();
    let mut cases = 0;
    for problem in reference::load_all() {
        for case in &problem.cases {
            let mut check = Check::new(&problem.name, &case.id);
            each(&mut check, &problem, case);
            cases += 1;
            failures.extend(check.failures);
        }
    }
    assert!(cases > 50, "only {cases} reference cases were found");
    assert!(failures.is_empty(), "{name}: {} misses\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn ep_two_level() {
    walk("two-level EP", |check, problem, case| {
        if case.ep.is_some() {
            check_ep(check, problem, case, Schedule::TwoLevel);
        }
    });
}

#[test]
fn ep_sequential_reaches_the_same_fixed_points() {
    walk("sequential EP", |check, problem, case| {
        if case.ep.is_some() && problem.y.len() <= 60 {
            check_ep(check, problem, case, Schedule::Sequential);
        }
    });
}

#[test]
fn laplace() {
    walk("Laplace", |check, problem, case| {
        let Some(want) = &case.laplace else { return };
        let fit = fitted(problem, case, Method::Laplace(LaplaceOptions::default()));
        check.converged(&fit);
        check.log_z(fit.log_evidence(), want.log_z);
        check.vector("mode", fit.binary().unwrap().posterior.mean(), Some(&want.mode));
        check.vector("W", &fit.binary().unwrap().posterior.sites().tau, want.w.as_deref());
        check.vector("posterior variance", fit.binary().unwrap().posterior.var(), want.post_var.as_deref());
        gradient_and_test(check, problem, &fit, &want.grad, [&want.test_mean, &want.test_var, &want.test_prob]);
    });
}
