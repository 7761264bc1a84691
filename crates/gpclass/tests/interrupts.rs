//! Long work ends soon after its flag is set, with what there is to give.

#[path = "support/fixtures.rs"]
mod fixtures;

use fixtures::{curved, ep, laplace, least_squares, normals, smooth_kernel, training};
use gpclass::inference::ep::{EpOptions, Schedule};
use gpclass::inference::{InferenceError, Method};
use gpclass::interrupt::Interrupt;
use gpclass::learn::{
    Control, FitOptions, KernelFamily, LabelErrorUpdate, LearnError, Lengthscales, LikelihoodFamily, Search, Stop, fit,
};
use gpclass::likelihood::Likelihood;
use gpclass::model::{FittedModel, Model, ModelError, TrainingData};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn data() -> Arc<TrainingData> {
    let x = normals(3, 300, 2);
    let y = curved(&x, 11);
    training(x, y)
}

fn infer(method: Method, flag: &AtomicBool) -> Result<FittedModel, ModelError> {
    let model = Model { method, ..Model::new(smooth_kernel(), Likelihood::probit()) };
    model.infer_with(&data(), None, Interrupt { flag: Some(flag), ..Interrupt::default() })
}

const INTERRUPTED: ModelError = ModelError::Inference(InferenceError::Interrupted);

#[test]
fn a_flag_that_is_set_ends_every_method() {
    let flag = AtomicBool::new(true);
    let eps = [Schedule::TwoLevel, Schedule::Sequential, Schedule::OnePass].map(ep);
    for method in eps.into_iter().chain([laplace(), least_squares()]) {
        assert_eq!(infer(method.clone(), &flag).err(), Some(INTERRUPTED), "{method:?}");
        flag.store(false, Ordering::Relaxed);
        assert!(infer(method, &flag).is_ok());
        flag.store(true, Ordering::Relaxed);
    }
}

/// EP that asks for more than rounding allows never ends by itself.
#[test]
fn a_flag_set_on_the_way_is_heard_between_sweeps() {
    for schedule in [Schedule::TwoLevel, Schedule::Sequential] {
        let endless = Method::Ep(EpOptions {
            schedule,
            tolerance: -1.0,
            max_sweeps: usize::MAX,
            patience: usize::MAX,
            ..EpOptions::default()
        });
        let flag = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            let work = scope.spawn(|| infer(endless, &flag).err());
            std::thread::sleep(Duration::from_millis(100));
            assert!(!work.is_finished(), "{schedule:?} ended by itself");
            flag.store(true, Ordering::Relaxed);
            work.join().expect("no panic")
        });
        assert_eq!(found, Some(INTERRUPTED));
    }
}

fn options(search: Search) -> FitOptions {
    FitOptions {
        kernel: Some(KernelFamily::SquaredExponential),
        likelihood: Some(LikelihoodFamily::Probit),
        lengthscales: Lengthscales::Single,
        search,
        ..FitOptions::default()
    }
}

const SEARCHES: [Search; 3] = [Search::Direct, Search::EmEp { label_error: LabelErrorUpdate::Posterior }, Search::EpCv];

#[test]
fn learning_that_is_interrupted_before_its_first_model_says_so() {
    for search in SEARCHES {
        let control = Control { interrupt: Some(Arc::new(AtomicBool::new(true))), ..Control::default() };
        let error = fit(&data(), &options(search), &control).err();
        assert_eq!(error, Some(LearnError::Interrupted), "{search:?}");
    }
    let control = Control { interrupt: Some(Arc::new(AtomicBool::new(true))), ..Control::default() };
    assert_eq!(fit(&data(), &FitOptions::default(), &control).err(), Some(LearnError::Interrupted));
}

#[test]
fn learning_that_is_interrupted_later_gives_the_best_so_far() {
    for search in SEARCHES {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        let watcher = move |_: &str, entry: &gpclass::learn::TraceEntry| {
            raised.store(entry.iteration >= 1, Ordering::Relaxed);
        };
        let control = Control { interrupt: Some(flag), watcher: Some(Arc::new(watcher)), ..Control::default() };
        let fit = fit(&data(), &options(search), &control).expect("a model all the same");
        let course = &fit.chosen().course;
        assert_eq!((course.stop, course.trace.entries.len()), (Stop::Interrupted, 2), "{search:?}");
        assert!(fit.fitted().report().outcome.converged());
        assert!(fit.notes.iter().any(|n| n.to_string().contains("interrupted")), "{:?}", fit.notes);
    }
}

/// A candidate of the automatic choice that had no time for a first point leaves the others as they are.
#[test]
fn candidates_that_found_a_model_in_time_are_kept() {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let watcher = move |_: &str, _: &gpclass::learn::TraceEntry| raised.store(true, Ordering::Relaxed);
    let control = Control { interrupt: Some(flag), watcher: Some(Arc::new(watcher)), ..Control::default() };
    let fit = gpclass::linalg::with_threads(1, || fit(&data(), &FitOptions::default(), &control)).expect("a model");
    assert_eq!((fit.contenders.len(), fit.chosen().course.stop), (1, Stop::Interrupted));
}
