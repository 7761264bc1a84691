//! Models that see the encoded rows warped or by rank: learned, stored, explained in the units of the table.

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Class, Column, EncoderOptions, InputView, Inputs, LabelValues, Sign, Standardise, Table, View};
use gpclass::explain::{EffectOptions, FeatureValue, SurfaceOptions, class_effects, decision_surface, effect_curves};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{
    Candidate, Control, FeatureChoice, FitOptions, Initial, KernelFamily, LearnError, Lengthscales, LikelihoodFamily,
    fit, refit_on_relevant,
};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{Model, TrainingData};
use std::sync::Arc;

const BENT: [InputView; 2] = [InputView::Warped, InputView::Ranked];

/// A skewed and a long-tailed column, whose class is a band of the first.
fn columns(n: usize) -> (Vec<f64>, Vec<f64>) {
    let at = |i: usize, k: f64| ((i as f64 + 0.5) * k).sin();
    ((0..n).map(|i| (2.0 * at(i, 12.9898)).exp()).collect(), (0..n).map(|i| (3.0 * at(i, 78.233)).sinh()).collect())
}

fn table(n: usize) -> Table {
    let (a, b) = columns(n);
    Table::new(vec![Column::continuous("a", a), Column::continuous("b", b)]).unwrap()
}

fn labels(n: usize) -> LabelValues {
    let (a, b) = columns(n);
    LabelValues::text((0..n).map(|i| if (0.4..3.0).contains(&a[i]) != (b[i] > 5.0) { "in" } else { "out" }))
}

fn options(inputs: Option<InputView>) -> FitOptions {
    let (kernel, likelihood) = (Some(KernelFamily::SquaredExponential), Some(LikelihoodFamily::Probit));
    FitOptions { kernel, likelihood, inputs, lengthscales: Lengthscales::Single, ..FitOptions::default() }
}

fn fitted(inputs: InputView) -> Classifier {
    let spec = Spec { fit: options(Some(inputs)), ..Spec::default() };
    Classifier::fit(table(50), labels(50), None, &spec, &Control::default()).unwrap()
}

/// Predictions at training rows, between them and far away, as bits.
fn bits(classifier: &Classifier) -> Vec<u64> {
    let far = Table::new(vec![
        Column::continuous("a", vec![1e90, -5.0, 0.7]),
        Column::continuous("b", vec![0.0, -1e90, 1e4]),
    ]);
    let of = |table: &Table| {
        let rows = classifier.predict(table).unwrap().0;
        let numbers = [rows.probability.as_mat().clone(), rows.mean, rows.var, rows.log_probability];
        numbers.iter().flat_map(|mat| mat.as_slice().to_vec()).collect::<Vec<f64>>()
    };
    let all = [of(&table(50)), of(&far.unwrap())].concat();
    assert!(all.iter().all(|v| v.is_finite()));
    all.into_iter().map(f64::to_bits).collect()
}

#[test]
fn saying_nothing_is_standardised_to_the_last_bit() {
    let spec = Spec { fit: options(None), ..Spec::default() };
    let silent = Classifier::fit(table(50), labels(50), None, &spec, &Control::default()).unwrap();
    let asked = fitted(InputView::Standardised);
    assert_eq!(bits(&silent), bits(&asked));
    // All but the clock.
    let told = |classifier: &Classifier| {
        let mut summary = classifier.summary().clone();
        summary.trace.entries.iter_mut().for_each(|entry| entry.seconds = 0.0);
        summary
    };
    assert_eq!(told(&silent), told(&asked));
    assert_eq!(silent.summary().candidates[0].name, "se, probit");
    let data = silent.training();
    assert!(std::ptr::eq(data.inputs(), data.given()));
}

#[test]
fn a_model_in_a_view_is_the_model_of_the_moved_rows() {
    for kind in BENT {
        let classifier = fitted(kind);
        assert_eq!(classifier.summary().inputs, kind);
        assert_eq!(classifier.summary().candidates[0].name, format!("se {kind}, probit"));
        let data = classifier.training();
        assert_eq!(data.view().kind(), kind);
        let seen = data.inputs().values();
        assert_eq!(data.view().apply(data.given()).values(), seen);

        // Moved by hand, and taken as it is.
        let moved = Table::new(vec![
            Column::continuous("a", seen.col(0).to_vec()),
            Column::continuous("b", seen.col(1).to_vec()),
        ]);
        let encoder = EncoderOptions { standardise: Standardise::No, ..EncoderOptions::default() };
        let spec = Spec { fit: options(None), encoder, ..Spec::default() };
        let plain = Classifier::fit(moved.unwrap(), labels(50), None, &spec, &Control::default()).unwrap();
        assert_eq!(plain.fitted().log_evidence(), classifier.fitted().log_evidence());
        assert_eq!(plain.summary().loo_probability, classifier.summary().loo_probability);
        assert_eq!(plain.summary().relevances, classifier.summary().relevances);
        let (new, _) = classifier.encoder().encode(&table(7)).unwrap();
        let by_hand = plain.fitted().predict(&data.view().apply(&new)).unwrap();
        assert_eq!(by_hand, classifier.predict_inputs(&new).unwrap());
        assert!(classifier.fitted().log_evidence() > fitted(InputView::Standardised).fitted().log_evidence() + 1.0);
    }
}

#[test]
fn files_keep_views_to_the_last_bit() {
    for kind in BENT {
        let classifier = fitted(kind);
        let reread = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
        assert_eq!(reread.training().view(), classifier.training().view());
        assert_eq!(bits(&reread), bits(&classifier));
        assert_eq!(reread.to_bytes(), classifier.to_bytes());
        assert_eq!(reread.summary(), classifier.summary());
    }
}

/// Members that see the same rows differently, one of each kind and two of one.
fn mixture() -> Classifier {
    let candidates = |data: &TrainingData| -> Result<Vec<Candidate>, LearnError> {
        let data = Arc::new(data.clone());
        let of = |(family, view): (KernelFamily, InputView)| {
            let method = FitOptions::default().method;
            Ok(Candidate::new(
                family,
                false,
                LikelihoodFamily::Probit,
                &method,
                Initial::Heuristic,
                &data.viewed(view),
            )?)
        };
        let matern = KernelFamily::Matern32;
        let (standardised, [warped, ranked]) = (InputView::Standardised, BENT);
        [(matern, standardised), (matern, warped), (matern, ranked), (KernelFamily::SquaredExponential, ranked)]
            .into_iter()
            .map(of)
            .collect()
    };
    let spec = Spec {
        fit: FitOptions { combine: gpclass::learn::Combine::Evidence, ..FitOptions::default() },
        ..Spec::default()
    };
    // One weak class boundary, so that no candidate is left out of the average.
    let labels = LabelValues::text((0..50).map(|i| if i % 3 == 0 { "in" } else { "out" }));
    Classifier::fit_models(table(50), &labels, None, candidates, &spec, &Control::default()).unwrap()
}

#[test]
fn members_may_see_the_rows_differently() {
    let classifier = mixture();
    let views: Vec<InputView> = classifier.members().iter().map(|m| m.fitted().data().view().kind()).collect();
    assert!(InputView::ALL.iter().all(|kind| views.contains(kind)), "{views:?}");
    let names: Vec<&str> = classifier.summary().candidates.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["matern32, probit", "matern32 warped, probit", "matern32 ranked, probit", "se ranked, probit"]);
    let given = classifier.members()[0].fitted().data().given();
    assert!(classifier.members().iter().all(|m| m.fitted().data().given() == given));
    let predicted = classifier.predict_inputs(given).unwrap();
    let share = |row: usize| -> f64 {
        let of = |m: &gpclass::classifier::Member| {
            m.weight() * m.fitted().predict(given).unwrap().probability(row, Class::POSITIVE)
        };
        classifier.members().iter().map(of).sum()
    };
    assert!((0..5).all(|row| (predicted.probability(row, Class::POSITIVE) - share(row)).abs() < 1e-12));
    let reread = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
    assert_eq!(bits(&reread), bits(&classifier));
    assert_eq!(reread.to_bytes(), classifier.to_bytes());
}

#[test]
fn predictions_at_training_rows_are_the_posterior_there() {
    for kind in BENT {
        let (a, b) = columns(30);
        let inputs = Inputs::continuous(Mat::from_columns(30, 2, [a, b].concat()));
        let labels: Vec<Sign> = (0..30).map(|i| if i % 3 == 0 { Sign::Positive } else { Sign::Negative }).collect();
        let data = Arc::new(TrainingData::new(inputs.clone(), labels).unwrap()).viewed(kind);
        let model = Model::new(Kernel::squared_exponential(2.0, Scales::Single(0.7)), Likelihood::probit());
        let fitted = model.infer(&data, None).unwrap();
        let mean = fitted.binary().unwrap().posterior.mean().to_vec();
        let predicted = fitted.predict(&inputs).unwrap();
        assert!((0..30).all(|i| (predicted.mean[(i, 0)] - mean[i]).abs() < 1e-6), "{kind}");
    }
}

#[test]
fn only_the_order_of_the_training_values_matters_by_rank() {
    let (a, b) = columns(50);
    let logs = Table::new(vec![
        Column::continuous("a", a.iter().map(|x| x.ln()).collect()),
        Column::continuous("b", b.iter().map(|x| 1e3 * x.asinh()).collect()),
    ]);
    let spec = Spec { fit: options(Some(InputView::Ranked)), ..Spec::default() };
    let other = Classifier::fit(logs.unwrap(), labels(50), None, &spec, &Control::default()).unwrap();
    let ranked = fitted(InputView::Ranked);
    assert_eq!(other.training().inputs(), ranked.training().inputs());
    assert_eq!(other.summary().loo_probability, ranked.summary().loo_probability);
}

#[test]
fn curves_and_surfaces_are_in_the_units_of_the_table() {
    for kind in BENT {
        let classifier = fitted(kind);
        let (fit, encoder) = (classifier.fitted(), classifier.encoder());
        let (a, b) = columns(50);
        let options = EffectOptions { grid: 5, rows: 6, ..EffectOptions::default() };
        let curve = &effect_curves(fit, encoder, &[0], &options).unwrap()[0];
        let averaged = &class_effects(fit, encoder, &[0], &options).unwrap()[0];
        let background: Vec<usize> = (0..6).map(|k| k * 50 / 6).collect();
        let (least, most) = a.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (low.min(v), high.max(v)));
        for (k, (point, class)) in curve.points.iter().zip(&averaged.points).enumerate() {
            let FeatureValue::Number(value) = point.value else { panic!("no number") };
            assert!((value - (least + (most - least) * k as f64 / 4.0)).abs() < 1e-9, "{value}");
            let rows = Table::new(vec![
                Column::continuous("a", vec![value; 6]),
                Column::continuous("b", background.iter().map(|&i| b[i]).collect()),
            ]);
            let predicted = classifier.predict(&rows.unwrap()).unwrap().0;
            let mean = |of: &dyn Fn(usize) -> f64| (0..6).map(of).sum::<f64>() / 6.0;
            let want = mean(&|i| predicted.probability(i, Class::POSITIVE));
            assert!((point.probability - want).abs() < 1e-9, "{kind}: {} {want}", point.probability);
            assert!((class.probability[1] - want).abs() < 1e-9);
            assert!((point.latent.mean - mean(&|i| predicted.mean[(i, 0)])).abs() < 1e-9);
            // The variance of an average is at most the average of the variances.
            assert!(point.latent.var <= mean(&|i| predicted.var[(i, 0)]) + 1e-9);
            assert!(point.low <= point.probability && point.probability <= point.high);
        }
        let small = SurfaceOptions { resolution: 4, margin: 0.0, ..SurfaceOptions::default() };
        let surface = decision_surface(fit, encoder, &small).unwrap().unwrap();
        assert!((surface.x.low - least).abs() < 1e-9 && (surface.x.high - most).abs() < 1e-9);
        assert!((surface.points[3].x - a[3]).abs() < 1e-9 && (surface.points[3].y - b[3]).abs() < 1e-9);
        let corner = Table::new(vec![
            Column::continuous("a", vec![surface.x.high]),
            Column::continuous("b", vec![surface.y.low]),
        ]);
        let want = classifier.predict(&corner.unwrap()).unwrap().0.probability(0, Class::POSITIVE);
        assert!((surface.probability[3] - want).abs() < 1e-9);
    }
}

#[test]
fn features_are_selected_in_the_same_view() {
    let (a, b) = columns(40);
    let inputs = Inputs::continuous(Mat::from_columns(40, 2, [a.clone(), b].concat()));
    let labels: Vec<Sign> =
        a.iter().map(|x| if (0.4..3.0).contains(x) { Sign::Positive } else { Sign::Negative }).collect();
    let data = Arc::new(TrainingData::new(inputs, labels).unwrap());
    let options = FitOptions { lengthscales: Lengthscales::Ard, ..options(Some(InputView::Ranked)) };
    let first = fit(&data, &options, &Control::default()).unwrap();
    let (kept, second) = refit_on_relevant(&first, FeatureChoice::Top(1), &options, &Control::default()).unwrap();
    assert_eq!(kept, [0]);
    let (before, after) = (first.fitted().data(), second.fitted().data());
    assert_eq!(after.view().kind(), InputView::Ranked);
    assert_eq!(after.view().columns()[0], before.view().columns()[0]);
}

#[test]
fn a_view_of_other_columns_is_refused() {
    let inputs = |cols: usize| Inputs::continuous(Mat::from_fn(9, cols, |i, j| (i * (j + 2)) as f64));
    let view = View::fit(InputView::Ranked, &inputs(3), None);
    let data = TrainingData::new(inputs(2), vec![Sign::Positive; 9]).unwrap();
    assert!(data.with_view(view).unwrap_err().to_string().contains("other columns"));
}
