//! Several classes at the edge: what converges, in how many sweeps, and what says that it did not (multiclass 9).

#[path = "support/class_problems.rs"]
mod class_problems;

use class_problems::{PROBIT, Problem, SOFTMAX, class, ep, numbers};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred};
use gpclass::inference::{LaplaceOptions, Method, Outcome};
use gpclass::interrupt::Interrupt;
use gpclass::likelihood::Link;
use gpclass::likelihood::multinomial::class_probabilities;

fn laplace() -> Method {
    Method::Laplace(LaplaceOptions::default())
}

/// A problem with the sweeps of the study: cold, warm from logarithms 0.1 away, and Newton steps of Laplace's method.
struct Setting {
    problem: Problem,
    sweeps: [usize; 3],
}

fn settings() -> Vec<Setting> {
    let setting = |problem: Problem, sweeps| Setting { problem, sweeps };
    let plain = |v0, l, sweeps| setting(Problem::drawn(1, 150, 3, 0.6, v0, l), sweeps);
    let half = |v0| Problem::drawn(2, 75, 3, 0.6, v0, 0.3).contradictory();
    let rare = |v0| Problem::drawn(3, 150, 3, 0.6, v0, 0.3);
    vec![
        plain(1.0, 1.0, [4, 3, 6]),
        plain(4.0, 0.3, [4, 3, 7]),
        plain(25.0, 0.1, [5, 3, 8]),
        plain(400.0, 0.06, [9, 4, 10]),
        plain(1e4, 0.03, [8, 4, 12]),
        plain(1e4, 0.01, [8, 4, 12]),
        plain(1e4, 0.1, [8, 5, 15]),
        plain(1e6, 0.03, [10, 8, 19]),
        setting(Problem::drawn(4, 150, 4, 0.0, 1e4, 0.3).renamed("separable"), [8, 5, 14]),
        setting(half(100.0), [5, 3, 8]),
        setting(half(1e4), [7, 4, 11]),
        setting(rare(100.0).with_rare_class(&[17]), [6, 4, 10]),
        setting(rare(1e4).with_rare_class(&[17]), [7, 7, 14]),
        setting(rare(25.0).with_rare_class(&[]), [6, 4, 9]),
        setting(Problem::drawn(5, 150, 10, 0.5, 100.0, 0.3), [6, 4, 9]),
        setting(Problem::drawn(5, 150, 10, 0.5, 1e4, 0.3), [7, 6, 18]),
        setting(Problem::drawn(6, 130, 26, 0.5, 100.0, 0.3), [6, 4, 11]),
    ]
}

/// Sweeps may exceed those of the study by this: its data were others, and its sweeps are all exact.
const ALLOWED: usize = 3;

#[test]
fn hard_settings_converge_in_the_sweeps_of_the_study() {
    println!("{:<64} {:>12} {:>12} {:>12}", "", "cold", "warm", "Newton");
    let mut late = Vec::new();
    for Setting { problem, sweeps } in settings() {
        let exact = problem.infer(&ep(1e-8), PROBIT, None);
        assert!(exact.report.outcome.converged(), "{}: {:?}", problem.name, exact.report);
        // The study stopped where its error fell below 1e-8 of log Z; the residual is the root of that error.
        let tolerance = 1e-4 * exact.log_z.abs().sqrt();
        let cold = problem.infer(&ep(tolerance), PROBIT, None);
        let gap = (cold.log_z - exact.log_z).abs() / exact.log_z.abs();
        assert!(gap < 1e-6, "{}: log Z off by {gap:e}", problem.name);
        let moved = problem.moved(0.1);
        let warm = moved.infer(&ep(tolerance), PROBIT, Some(&cold.start));
        let again = moved.infer(&ep(1e-8), PROBIT, None);
        let gap = (warm.log_z - again.log_z).abs() / again.log_z.abs();
        assert!(gap < 1e-6, "{}: log Z off by {gap:e} from a warm start", problem.name);
        let mode = problem.infer(&laplace(), SOFTMAX, None);
        let got = [cold.report.sweeps, warm.report.sweeps, mode.report.sweeps];
        let shown: Vec<String> = (0..3).map(|k| format!("{} ({})", got[k], sweeps[k])).collect();
        println!("{:<64} {:>12} {:>12} {:>12}", problem.name, shown[0], shown[1], shown[2]);
        for found in [&cold, &warm, &mode] {
            assert!(found.report.outcome.converged(), "{}: {:?}", problem.name, found.report);
            assert!(numbers(found).iter().all(|(_, v)| v.iter().all(|v| v.is_finite())), "{}", problem.name);
        }
        if (0..3).any(|k| got[k] > sweeps[k] + ALLOWED) {
            late.push(format!("{}: {got:?} sweeps, not {sweeps:?}", problem.name));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// No panic, no number that is none, probabilities that are probabilities, and no `converged` beside a large residual.
fn check_honest(name: &str, found: &JointInferred, observations: &ClassObservations<'_>) {
    for (what, values) in numbers(found) {
        assert!(values.iter().all(|v| v.is_finite()), "{name}: {what}");
    }
    for cavity in found.cavities(observations) {
        let p = class_probabilities(&cavity.mean, &cavity.cov);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}: {p:?}");
    }
    for adjoint in found.evidence_sensitivity(observations).adjoints {
        let gpclass::prior::Adjoint::Dense(lower) = adjoint else { panic!("classes together have no inducing rows") };
        assert!((0..lower.rows()).all(|j| lower.col(j)[j..].iter().all(|v| v.is_finite())), "{name}: adjoint");
    }
    let allowed = match found.report.outcome {
        Outcome::Converged => EpOptions::default().acceptable,
        Outcome::ConvergedToRounding => EpOptions::default().acceptable_rounded,
        _ => f64::INFINITY,
    };
    assert!(found.report.residual <= allowed, "{name}: {:?}", found.report);
    println!("{name}: {:?}", found.report);
}

fn extremes() -> Vec<Problem> {
    let drawn = |v0, l| Problem::drawn(7, 60, 3, 0.6, v0, l);
    let all_in_one = |mut problem: Problem| {
        problem.classes.fill(class(1));
        problem.renamed("one class only")
    };
    vec![
        drawn(1e-12, 1.0),
        drawn(1e8, 0.3),
        drawn(1e10, 0.3),
        drawn(1e12, 0.3),
        drawn(1e12, 1e-6),
        drawn(4.0, 1e-12),
        drawn(4.0, 1e12),
        drawn(1e12, 1e12),
        all_in_one(drawn(4.0, 0.3)),
        all_in_one(drawn(1e6, 0.3)),
        Problem::drawn(8, 1, 3, 0.6, 4.0, 0.3),
        Problem::drawn(8, 1, 3, 0.6, 1e12, 0.3),
        Problem::drawn(8, 2, 2, 0.6, 1e6, 0.3),
        Problem::drawn(9, 40, 3, 0.6, 1e12, 0.3).contradictory(),
    ]
}

#[test]
fn extremes_end_in_numbers_and_say_how() {
    for problem in extremes() {
        let found = problem.infer(&ep(1e-7), PROBIT, None);
        check_honest(&problem.name, &found, &problem.under(PROBIT));
        let mode = problem.infer(&laplace(), SOFTMAX, None);
        check_honest(&format!("softmax, {}", problem.name), &mode, &problem.under(SOFTMAX));
    }
}

#[test]
fn extreme_label_errors_end_in_numbers_and_say_how() {
    for v0 in [1.0, 1e4] {
        let problem = Problem::drawn(10, 60, 3, 0.6, v0, 0.3);
        for label_error in [1e-300, 1e-12, 1e-3, 0.3, 1.0 / 3.0 - 1e-9] {
            let link = Link::Probit { label_error };
            let found = problem.infer(&ep(1e-7), link, None);
            check_honest(&format!("label error {label_error}, {}", problem.name), &found, &problem.under(link));
        }
    }
}

#[test]
fn rows_of_no_weight_change_nothing() {
    let problem = Problem::drawn(11, 60, 3, 0.6, 25.0, 0.3);
    let weights: Vec<f64> = (0..60).map(|i| [1.0, 0.0, 2.0][i % 3]).collect();
    for (method, link) in [(ep(1e-7), PROBIT), (ep(1e-7), Link::Probit { label_error: 0.05 }), (laplace(), SOFTMAX)] {
        let observations = ClassObservations { weights: Some(&weights), ..problem.under(link) };
        let found = method.infer_jointly(problem.priors(), &observations, None, Interrupt::default()).unwrap();
        assert!(found.report.outcome.converged(), "{link:?}: {:?}", found.report);
        check_honest(&format!("{link:?}"), &found, &observations);
        let kept: Vec<usize> = (0..60).filter(|&i| weights[i] > 0.0).collect();
        let mut rest = Problem { x: problem.x.select_rows(&kept), ..problem.clone() };
        rest.classes = kept.iter().map(|&i| problem.classes[i]).collect();
        let weights: Vec<f64> = kept.iter().map(|&i| weights[i]).collect();
        let observations = ClassObservations { weights: Some(&weights), ..rest.under(link) };
        let without = method.infer_jointly(rest.priors(), &observations, None, Interrupt::default()).unwrap();
        assert!((found.log_z - without.log_z).abs() < 1e-9, "{link:?}: {} {}", found.log_z, without.log_z);
        for (row, &i) in kept.iter().enumerate() {
            (0..3).for_each(|c| assert!((found.mean[(i, c)] - without.mean[(row, c)]).abs() < 1e-6));
        }
    }
}
