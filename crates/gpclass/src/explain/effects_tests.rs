use super::*;
use crate::data::{Column, EncoderOptions, Table, Targets};
use crate::kernel::{Kernel, Scales};
use crate::likelihood::Likelihood;
use crate::model::{Model, TrainingData};
use std::sync::Arc;

fn fixture(likelihood: Likelihood) -> (FittedModel, Encoder) {
    let kernel = Kernel::squared_exponential(3.0, Scales::Ard(vec![0.7, 0.3, 0.2])) + Kernel::bias(0.5);
    fixture_of(Model::new(kernel, likelihood))
}

fn fixture_of(model: Model) -> (FittedModel, Encoder) {
    let colours = ["red", "green", "blue"];
    let table = Table::new(vec![
        Column::continuous("age", (0..24).map(|i| 40.0 + 9.0 * ((i * 5) as f64).sin()).collect()),
        Column::categories("colour", (0..24).map(|i| colours[(i * i) % 3])),
        Column::continuous("same", vec![2.0; 24]),
    ])
    .unwrap();
    let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
    let (inputs, _) = encoder.encode(&table).unwrap();
    let label = |i: usize| if inputs.values()[(i, 0)] > 0.2 { Class::POSITIVE } else { Class::NEGATIVE };
    let labels = (0..24).map(label).collect();
    let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, 2).unwrap()).unwrap());
    (model.infer(&data, None).unwrap(), encoder)
}

fn number(point: &EffectPoint) -> f64 {
    match point.value {
        FeatureValue::Number(value) => value,
        FeatureValue::Category(_) => panic!("a number was expected"),
    }
}

#[test]
fn the_averaged_latent_value_has_the_joint_posterior() {
    let (fit, encoder) = fixture(Likelihood::probit());
    let options = EffectOptions { grid: 3, rows: 5, ..EffectOptions::default() };
    let curve = &effect_curves(&fit, &encoder, &[0], &options).unwrap()[0];
    // From the definition: the covariance of the five rows given the sites, K** - K*' (K + T^-1)^-1 K*, and its mean entry.
    let data = fit.data().inputs();
    let mut rows = data.select_rows(&[0, 4, 9, 14, 19]).values().clone();
    let standardiser = *encoder.columns()[0].standardiser().unwrap();
    let point = &curve.points[1];
    rows.col_mut(0).fill(standardiser.apply(number(point)));
    let rows = Inputs::new(data.features().to_vec(), rows);
    let kernel = &fit.model().kernel;
    let (cross, within) = (kernel.cross(data, &rows), kernel.cross(&rows, &rows));
    let information = fit.binary().unwrap().posterior.information();
    let mut total = 0.0;
    for a in 0..5 {
        for b in 0..5 {
            total += within[(a, b)] - vector::dot(cross.col(a), &information.mul_vec(cross.col(b)));
        }
    }
    let predictions = fit.predict(&rows).unwrap();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / 5.0;
    assert!((point.latent.var - total / 25.0).abs() < 1e-10, "{} {}", point.latent.var, total / 25.0);
    assert!((point.latent.mean - mean(predictions.mean.col(0))).abs() < 1e-12);
    assert!((point.probability - mean(predictions.probability.of_class(Class::POSITIVE))).abs() < 1e-15);
    // The joint variance of an average is below the average variance.
    assert!(point.latent.var < mean(predictions.var.col(0)));
}

/// The curve of an additive model is the posterior mean of the feature's own function, sum_i w_m t_m(x, x_i) alpha_i, up to a
/// constant, whatever rows it is averaged over.
#[test]
fn an_additive_model_shows_its_terms() {
    let (w, l) = (vec![2.0, 0.8, 0.5], 0.6);
    let kernel = Kernel::additive(Scales::Ard(w.clone()), l) + Kernel::bias(0.5);
    let (fit, encoder) = fixture_of(Model::new(kernel, Likelihood::probit()));
    let alpha = fit.binary().unwrap().posterior.alpha().to_vec();
    let seen = fit.data().inputs().values();
    let standardiser = *encoder.columns()[0].standardiser().unwrap();
    let age = |x: f64| -> f64 {
        let term = |i: usize| w[0] * (-0.5 * l * (x - seen[(i, 0)]).powi(2)).exp();
        (0..24).map(|i| alpha[i] * term(i)).sum()
    };
    // Rows 0 and 1 are of the two colours that occur, red and green.
    let colour = |row: usize| -> f64 {
        let same = |i: usize| (1..4).all(|c| seen[(i, c)] == seen[(row, c)]);
        (0..24).filter(|&i| same(i)).map(|i| w[1] * alpha[i]).sum()
    };
    for rows in [1, 7] {
        let options = EffectOptions { grid: 5, rows, ..EffectOptions::default() };
        let curves = effect_curves(&fit, &encoder, &[0, 1], &options).unwrap();
        let points = &curves[0].points;
        let own = |point: &EffectPoint| age(standardiser.apply(number(point)));
        for pair in points.windows(2) {
            let (got, want) = (pair[1].latent.mean - pair[0].latent.mean, own(&pair[1]) - own(&pair[0]));
            assert!((got - want).abs() < 1e-10, "{got} {want}");
        }
        let [green, red] = &curves[1].points[..] else { panic!("two colours") };
        let (got, want) = (red.latent.mean - green.latent.mean, colour(0) - colour(1));
        assert!((got - want).abs() < 1e-10, "{got} {want}");
    }
}

#[test]
fn bands_hold_the_curve_and_the_effect_is_found() {
    for likelihood in [Likelihood::probit(), Likelihood::full(0.05, 0.1, 0.8).unwrap(), Likelihood::logistic()] {
        let (fit, encoder) = fixture(likelihood);
        let curves = effect_curves(&fit, &encoder, &[0, 1, 2], &EffectOptions::default()).unwrap();
        for p in curves.iter().flat_map(|c| &c.points) {
            assert!(0.0 <= p.low && p.low < p.probability && p.probability < p.high && p.high <= 1.0, "{p:?}");
            assert!(p.latent_low < p.latent.mean && p.latent.mean < p.latent_high);
        }
        let age = &curves[0].points;
        assert_eq!(age.len(), 41);
        assert!(age[0].probability < 0.4 && age[40].probability > 0.6);
        // The least and the largest of 40 + 9 sin(5 i), i = 0..23, by Python.
        assert!((number(&age[0]) - 31.0022034398).abs() < 1e-8 && (number(&age[40]) - 48.5089180062).abs() < 1e-8);
        let names: Vec<_> = curves[1].points.iter().map(|p| p.value.clone()).collect();
        assert_eq!(names, ["green", "red"].map(|n| FeatureValue::Category(n.to_owned())));
        assert_eq!(curves[2].points.len(), 1);
    }
}

#[test]
fn the_band_of_one_row_is_exact() {
    // One background row: Phi is monotone, so the quantiles of Phi(f) are Phi of the quantiles of f.
    let (fit, encoder) = fixture(Likelihood::probit());
    let options = EffectOptions { grid: 5, rows: 1, ..EffectOptions::default() };
    for point in &effect_curves(&fit, &encoder, &[0], &options).unwrap()[0].points {
        let phi = crate::special::phi_cdf;
        assert!((point.low - phi(point.latent_low)).abs() < 1e-10, "{point:?}");
        assert!((point.high - phi(point.latent_high)).abs() < 1e-10, "{point:?}");
    }
}

#[test]
fn the_band_of_many_rows_agrees_with_draws_from_the_joint_posterior() {
    use rand_distr::{Distribution, StandardNormal};
    let (fit, encoder) = fixture(Likelihood::probit());
    let options = EffectOptions { grid: 3, rows: 8, ..EffectOptions::default() };
    let curve = &effect_curves(&fit, &encoder, &[0], &options).unwrap()[0];
    let mut rng = <rand_chacha::ChaCha8Rng as rand::SeedableRng>::seed_from_u64(7);
    let background = background(fit.data().inputs(), 8);
    for (k, setting) in settings(fit.data().inputs(), &encoder, 0, 3, 1).iter().enumerate() {
        let rows = with_feature_set(&background, 0, &setting.encoded);
        let joint = JointPosterior::new(&fit, &rows);
        let unit = |j: usize| Mat::from_fn(8, 1, |i, _| f64::from(u8::from(i == j)));
        let column = |j: usize| joint.spread(&unit(j)).covariance.col(0).to_vec();
        let mut factor = Mat::from_columns(8, 8, (0..8).flat_map(column).collect());
        (0..8).for_each(|i| factor[(i, i)] += 1e-9);
        gpclass_linalg::cholesky_in_place(&mut factor).unwrap();
        let means = fit.predict(&rows).unwrap().mean.col(0).to_vec();
        let mut draws: Vec<f64> = (0..20_000)
            .map(|_| {
                let z: Vec<f64> = (0..8).map(|_| StandardNormal.sample(&mut rng)).collect();
                let f = |i: usize| means[i] + (0..=i).map(|j| factor[(i, j)] * z[j]).sum::<f64>();
                (0..8).map(|i| fit.model().likelihood.predict(Gaussian { mean: f(i), var: 0.0 })).sum::<f64>() / 8.0
            })
            .collect();
        draws.sort_by(f64::total_cmp);
        let point = &curve.points[k];
        assert!((point.low - draws[500]).abs() < 0.03, "{point:?} {}", draws[500]);
        assert!((point.high - draws[19_500]).abs() < 0.03, "{point:?} {}", draws[19_500]);
    }
}

#[test]
fn frequent_categories_come_first_and_bad_requests_are_named() {
    let (fit, encoder) = fixture(Likelihood::probit());
    let options = EffectOptions { max_levels: 1, ..EffectOptions::default() };
    let colour = &effect_curves(&fit, &encoder, &[1], &options).unwrap()[0];
    assert_eq!(colour.points.len(), 1);
    assert_eq!(colour.points[0].value, FeatureValue::Category("green".to_owned()));
    let error = effect_curves(&fit, &encoder, &[3], &options).unwrap_err();
    assert_eq!(error.to_string(), "there is no feature number 3: the model has 3, counted from 0");
    let other = Encoder::numeric(2).unwrap();
    assert!(matches!(effect_curves(&fit, &other, &[0], &options), Err(ExplainError::Encoder { encoder: 2, model: 3 })));
    let bad = EffectOptions { level: 1.0, ..EffectOptions::default() };
    assert!(effect_curves(&fit, &encoder, &[0], &bad).is_err());
}

#[test]
fn the_curves_of_all_classes_are_those_of_each_and_sum_to_one() {
    let table = Table::from_matrix(&Mat::from_fn(24, 2, |i, j| ((i * (2 * j + 3)) as f64).sin())).unwrap();
    let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
    let (inputs, _) = encoder.encode(&table).unwrap();
    for classes in [3, 5] {
        let labels = (0..24).map(|i| Class::from((i % classes) as u16)).collect();
        let data = Arc::new(TrainingData::new(inputs.clone(), Targets::new(labels, classes).unwrap()).unwrap());
        let model = Model::new(Kernel::squared_exponential(2.0, Scales::Single(0.8)), Likelihood::probit());
        let fit = model.infer(&data, None).unwrap();
        let options = EffectOptions { grid: 3, rows: 4, ..EffectOptions::default() };
        let all: Vec<Class> = Class::first(classes).collect();
        let curves = class_effect_curves(&fit, &encoder, &[1, 0], &all, &options).unwrap();
        assert_eq!((curves.len(), curves[0].len()), (2, classes));
        for (c, &class) in all.iter().enumerate() {
            let one = effect_curves(&fit, &encoder, &[1, 0], &EffectOptions { class, ..options.clone() }).unwrap();
            assert_eq!([&one[0], &one[1]], [&curves[0][c], &curves[1][c]]);
        }
        for k in 0..3 {
            let total: f64 = curves[0].iter().map(|curve| curve.points[k].probability).sum();
            assert!((total - 1.0).abs() < 1e-9, "{total}");
            assert!(curves[0].iter().all(|c| c.points[k].low <= c.points[k].probability));
        }
    }
}
