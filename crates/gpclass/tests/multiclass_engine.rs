//! The engine under several classes: threads, interrupts, jitter, memory of earlier searches.

#[path = "support/class_problems.rs"]
mod class_problems;

use class_problems::{PROBIT, Problem, SOFTMAX, ep, numbers};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred, JointStart};
use gpclass::inference::{InferenceError, LaplaceOptions, Method};
use gpclass::interrupt::Interrupt;
use gpclass::likelihood::Link;
use gpclass::linalg::{Mat, with_threads};
use gpclass::posterior::{CoupledFactor, FunctionPriors};
use gpclass::prior::{Adjoint, Prior};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn methods() -> [(Method, Link); 3] {
    let laplace = Method::Laplace(LaplaceOptions::default());
    [(ep(1e-7), PROBIT), (ep(1e-7), Link::Probit { label_error: 0.03 }), (laplace, SOFTMAX)]
}

fn everything(problem: &Problem, method: &Method, link: Link) -> Vec<(&'static str, Vec<f64>)> {
    let n = problem.classes.len();
    let found = problem.infer(method, link, None);
    let mut all = numbers(&found);
    for adjoint in found.evidence_sensitivity(&problem.under(link)).adjoints {
        let Adjoint::Dense(adjoint) = adjoint else { panic!("classes together have no inducing rows") };
        all.push(("gradient", (0..n).flat_map(|j| adjoint.col(j)[j..].to_vec()).collect()));
    }
    let (test, variances) = (problem.covariance(), Mat::from_fn(n, problem.count, |_, _| 5.0));
    let (mean, covs) = found.factor.predict(&found.alpha, &[test], &variances);
    all.push(("predicted means", mean.as_slice().to_vec()));
    all.push(("predicted covariances", covs.iter().flat_map(|m| m.as_slice().to_vec()).collect()));
    all
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // The larger one is above the size from which single operations use threads; what it costs is the same code as the smaller one.
    let (small, large) = (Problem::drawn(21, 120, 6, 0.6, 4.0, 0.3), Problem::drawn(21, 1010, 3, 0.6, 4.0, 0.3));
    let cases = methods().into_iter().map(|(method, link)| (&small, method, link));
    for (problem, method, link) in cases.chain([(&large, ep(0.1), PROBIT)]) {
        let bits = |threads| -> Vec<(&'static str, Vec<u64>)> {
            let all = with_threads(threads, || everything(problem, &method, link));
            all.into_iter().map(|(name, v)| (name, v.into_iter().map(f64::to_bits).collect())).collect()
        };
        let first = bits(1);
        for threads in [2, 3] {
            for ((name, a), (_, b)) in first.iter().zip(bits(threads)) {
                assert!(*a == b, "{link:?}, {}: {name} differs with {threads} threads", problem.name);
            }
        }
    }
}

#[test]
fn a_warm_start_at_the_fixed_point_ends_at_once() {
    let problem = Problem::drawn(22, 80, 4, 0.6, 25.0, 0.3);
    for (method, link) in methods() {
        let found = problem.infer(&method, link, None);
        let again = problem.infer(&method, link, Some(&found.start));
        assert_eq!(again.report.sweeps, 1, "{link:?}");
        assert!((again.log_z - found.log_z).abs() < 1e-11 * found.log_z.abs(), "{link:?}");
    }
}

#[test]
fn a_flag_that_is_set_ends_every_search() {
    let problem = Problem::drawn(23, 40, 3, 0.6, 4.0, 0.3);
    let flag = AtomicBool::new(true);
    for (method, link) in methods() {
        let interrupt = Interrupt { flag: Some(&flag), ..Interrupt::default() };
        let found = method.infer_jointly(problem.priors(), &problem.under(link), None, interrupt);
        assert_eq!(found.err(), Some(InferenceError::Interrupted), "{link:?}");
    }
}

/// With twenty classes one sweep takes many times as long as one factorisation, and the flag is heard well within it.
#[test]
fn a_flag_is_heard_between_two_classes() {
    let problem = Problem::drawn(24, 700, 20, 0.6, 4.0, 0.3);
    let priors = problem.priors();
    let flag = AtomicBool::new(false);
    let heard = with_threads(1, || {
        let begin = Instant::now();
        let pi = Mat::from_fn(700, 20, |i, c| if c == problem.classes[i].position() { 1.0 } else { 0.2 });
        CoupledFactor::new(&priors, &pi, None).expect("a proper posterior");
        let sweep = begin.elapsed();
        std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let interrupt = Interrupt { flag: Some(&flag), ..Interrupt::default() };
                let found = ep(1e-7).infer_jointly(priors.clone(), &problem.under(PROBIT), None, interrupt);
                (found.err(), Instant::now())
            });
            std::thread::sleep(sweep / 4);
            flag.store(true, Ordering::Relaxed);
            let set = Instant::now();
            let (error, ended) = work.join().expect("no panic");
            assert_eq!(error, Some(InferenceError::Interrupted));
            (ended.saturating_duration_since(set), sweep)
        })
    });
    let (waited, sweep) = heard;
    assert!(waited < sweep / 2 + Duration::from_millis(20), "heard after {waited:?}; a sweep takes {sweep:?}");
}

fn slightly_indefinite(n: usize, share: f64) -> Mat {
    // Ones everywhere, less than one on the diagonal: eigenvalues -share and n - share.
    Mat::from_fn(n, n, |i, j| 1e8 * if i == j { 1.0 - share } else { 1.0 })
}

#[test]
fn jitter_is_reported_and_restored() {
    let classes: Vec<_> = (0..12).map(|i| class_problems::class(i % 3)).collect();
    for (method, link) in methods() {
        let observations = ClassObservations { classes: &classes, count: 3, link, weights: None };
        let k = slightly_indefinite(12, 1e-7);
        let priors = || FunctionPriors::shared(Prior::from_covariance(k.clone()), 3);
        let found = method.infer_jointly(priors(), &observations, None, Interrupt::default()).unwrap();
        assert!(found.report.jitter > 0.0 && found.report.jitter <= 1e-6 * 1e8, "{link:?}: {:?}", found.report);
        assert_eq!(found.factor.prior().jitter(), found.report.jitter);
        let restored = JointInferred::restore(priors(), &observations, found.keep()).unwrap();
        assert_eq!(restored.factor.marginals().var, found.factor.marginals().var, "{link:?}");
        let hopeless = FunctionPriors::shared(Prior::from_covariance(slightly_indefinite(12, 0.5)), 3);
        let error = method.infer_jointly(hopeless, &observations, None, Interrupt::default()).err();
        assert!(matches!(error, Some(InferenceError::NotPositiveDefinite { jitter }) if jitter > 0.0), "{error:?}");
    }
}

#[test]
fn a_start_that_does_not_fit_is_left_aside() {
    let problem = Problem::drawn(26, 40, 3, 0.6, 4.0, 0.3);
    let other = Problem::drawn(27, 30, 3, 0.6, 4.0, 0.3);
    for (method, link) in methods() {
        let cold = problem.infer(&method, link, None);
        for start in [other.infer(&method, link, None).start, JointStart::Weights(Mat::from_fn(40, 3, |_, _| f64::NAN))]
        {
            assert_eq!(problem.infer(&method, link, Some(&start)).log_z, cold.log_z, "{link:?}");
        }
    }
}

#[test]
fn fewer_sweeps_than_needed_are_said() {
    let problem = Problem::drawn(28, 60, 3, 0.6, 400.0, 0.3);
    for max_sweeps in [1, 2, 3] {
        let method = Method::Ep(EpOptions { max_sweeps, ..EpOptions::default() });
        let found = problem.infer(&method, PROBIT, None);
        assert!(!found.report.outcome.converged() && found.log_z.is_finite(), "{:?}", found.report);
    }
}

/// From four hundred rows on the first sweeps are made in single precision, unless a row is left out.
#[test]
fn sweeps_in_single_precision_leave_nothing_behind() {
    for (v0, count) in [(1.0, 3), (25.0, 4), (400.0, 3), (1e4, 3)] {
        let whole = Problem::drawn(29, 411, count, 0.6, v0, 0.3);
        let rows: Vec<usize> = (0..410).collect();
        let kept = Problem { x: whole.x.select_rows(&rows), classes: whole.classes[..410].to_vec(), ..whole.clone() };
        let weights: Vec<f64> = (0..411).map(|i| if i < 410 { 1.0 } else { 0.0 }).collect();
        let observations = ClassObservations { weights: Some(&weights), ..whole.under(PROBIT) };
        let double = ep(1e-8).infer_jointly(whole.priors(), &observations, None, Interrupt::default()).unwrap();
        let cold = kept.infer(&ep(1e-8), PROBIT, None);
        let near = kept.moved(0.1).infer(&ep(1e-8), PROBIT, None);
        let warm = kept.infer(&ep(1e-8), PROBIT, Some(&near.start));
        for found in [cold, warm] {
            assert!(found.report.outcome.converged(), "v0 = {v0}: {:?}", found.report);
            assert!((found.log_z - double.log_z).abs() < 1e-10 * double.log_z.abs(), "v0 = {v0}");
            for c in 0..count {
                for (i, (got, want)) in found.mean.col(c).iter().zip(double.mean.col(c)).enumerate() {
                    assert!((got - want).abs() < 1e-6 * v0.sqrt(), "v0 = {v0}, row {i}, class {c}: {got} {want}");
                }
            }
        }
    }
}
