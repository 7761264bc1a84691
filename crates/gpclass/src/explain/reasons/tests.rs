use super::*;
use crate::data::{Class, Column, Encoder, EncoderOptions, InputView, Table, Targets};
use crate::explain::Weighed;
use crate::kernel::{Kernel, Scales};
use crate::likelihood::Likelihood;
use crate::model::{FittedModel, Model, TrainingData};
use std::sync::Arc;

const ROWS: usize = 30;

/// Numbers, one of them often missing, and categories: five features made of four columns.
fn table() -> Table {
    let wave = |k: usize| (0..ROWS).map(move |i| ((i * k) as f64 * 0.61).sin());
    let gaps = wave(3).enumerate().map(|(i, x)| if i % 4 == 1 { f64::NAN } else { 3.0 + x }).collect();
    Table::new(vec![
        Column::continuous("age", wave(5).map(|x| 40.0 + 9.0 * x).collect()),
        Column::continuous("dose", gaps),
        Column::categories("colour", (0..ROWS).map(|i| ["red", "green", "blue"][(i * i) % 3])),
        Column::continuous("score", wave(7).map(|x| x * x).collect()),
    ])
    .unwrap()
}

struct Fixture {
    encoder: Encoder,
    data: Arc<TrainingData>,
    parts: Parts,
    background: Background,
}

fn fixture(classes: usize) -> Fixture {
    let (encoder, _) = Encoder::fit(&table(), &EncoderOptions::default()).unwrap();
    let (inputs, _) = encoder.encode(&table()).unwrap();
    assert_eq!(encoder.features().len(), 5, "dose has an indicator");
    let size = |i: usize| inputs.values()[(i, 0)] + 0.5 * inputs.values()[(i, 1)] * inputs.values()[(i, 2)];
    let class = |i: usize| if classes == 2 { usize::from(size(i) > 0.0) } else { (2.0 + size(i)) as usize % classes };
    let labels = (0..ROWS).map(|i| Class::first(classes).nth(class(i)).unwrap()).collect();
    let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, classes).unwrap()).unwrap());
    let (parts, background) = (Parts::new(&encoder), Background::new(&data, 7));
    Fixture { encoder, data, parts, background }
}

fn l() -> Scales {
    Scales::Ard(vec![0.7, 0.4, 0.3, 0.5, 0.9])
}

fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::squared_exponential(3.0, l()),
        Kernel::squared_exponential(2.0, Scales::Single(0.2)) + Kernel::linear(l()) + Kernel::bias(0.5),
        Kernel::matern12(2.0, l()),
        Kernel::matern32(2.0, l()),
        Kernel::matern52(2.0, l()) + Kernel::noise(0.1),
        Kernel::rational_quadratic(2.0, 0.8, l()),
        Kernel::l1_product(3.0, l()),
        Kernel::additive(l(), 0.6) + Kernel::bias(0.3),
        Kernel::linear(l()) + Kernel::bias(1.0),
        Kernel::squared_exponential(2.0, l()) * Kernel::l1_product(1.5, Scales::Single(0.2)) + Kernel::noise(0.2),
        Kernel::linear(l()) * (Kernel::bias(2.0) + Kernel::noise(0.1)),
        Kernel::linear(l()) * Kernel::squared_exponential(1.0, l()),
    ]
}

fn has_closed_form(kernel: &Kernel) -> bool {
    let text = kernel.describe();
    !(text.contains("Matern") || text.contains("RQ") || text == "linear(ARD) * SE(ARD)")
}

/// From the definition: `v(S)` is the mean over the background of f with the columns of S taken from the row, and the value of a
/// column the mean over all orders of what it adds to those before it.
fn by_all_orders(fixture: &Fixture, rows: &Inputs, row: usize, f: &dyn Fn(&Inputs) -> Mat, output: usize) -> Vec<f64> {
    let features: Vec<Vec<usize>> = vec![vec![0], vec![1, 4], vec![2], vec![3]];
    let v = |taken: &[usize]| {
        let mut values = fixture.background.rows().values().clone();
        for &feature in taken.iter().flat_map(|&column| &features[column]) {
            for c in rows.features()[feature].columns.clone() {
                values.col_mut(c).fill(rows.values()[(row, c)]);
            }
        }
        let all = f(&Inputs::new(rows.features().to_vec(), values));
        all.col(output).iter().sum::<f64>() / all.rows() as f64
    };
    let mut orders = vec![vec![]];
    for _ in 0..4 {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..4).filter(|c| !order.contains(c)).map(|c| [order.clone(), vec![c]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let mut values = vec![0.0; 4];
    for order in &orders {
        for k in 0..4 {
            values[order[k]] += (v(&order[..=k]) - v(&order[..k])) / orders.len() as f64;
        }
    }
    values
}

fn log_odds(fit: &FittedModel) -> impl Fn(&Inputs) -> Mat + Sync {
    |rows| fit.predict(rows).unwrap().log_odds()
}

fn of(fixture: &Fixture, rows: &Inputs, options: &ReasonOptions, f: &(impl Fn(&Inputs) -> Mat + Sync)) -> Reasons {
    let evaluate = |rows: &Inputs| Ok::<_, ExplainError>(f(rows));
    reasons(&fixture.parts, &fixture.background, rows, options, Interrupt::default(), evaluate).unwrap()
}

fn check_sums(found: &Reasons) {
    for (output, values) in found.values.iter().enumerate() {
        for row in 0..values.rows() {
            let sum: f64 = values.columns().map(|column| column[row]).sum();
            let moved = found.predicted[(row, output)] - found.base[output];
            assert!((sum - moved).abs() < 1e-11, "{sum} and {moved}");
        }
    }
}

fn check_values(fixture: &Fixture, rows: &Inputs, found: &Reasons, f: &dyn Fn(&Inputs) -> Mat, what: &str) {
    check_sums(found);
    for output in 0..found.values.len() {
        for row in 0..rows.rows() {
            let want = by_all_orders(fixture, rows, row, f, output);
            for (column, want) in want.into_iter().enumerate() {
                let got = found.values[output][(row, column)];
                assert!((got - want).abs() < 1e-9 * (1.0 + want.abs()), "{what}, column {column}: {got} and {want}");
                assert_eq!(found.errors[output][(row, column)], 0.0);
            }
        }
    }
}

#[test]
fn log_odds_agree_with_all_orders_under_every_kernel() {
    for (classes, kernels) in [(2, kernels()), (3, kernels().into_iter().step_by(4).collect())] {
        let fixture = fixture(classes);
        let rows = fixture.data.given().select_rows(&[1, 9]);
        for kernel in kernels {
            let fit = Model::new(kernel.clone(), Likelihood::probit()).infer(&fixture.data, None).unwrap();
            let f = log_odds(&fit);
            let found = of(&fixture, &rows, &ReasonOptions::default(), &f);
            assert_eq!(found.columns, ["age", "dose", "colour", "score"]);
            assert_eq!(found.values.len(), if classes == 2 { 1 } else { 3 });
            check_values(&fixture, &rows, &found, &f, &kernel.describe());
        }
    }
}

#[test]
fn latent_means_agree_with_all_orders_under_every_kernel() {
    let fixture = fixture(2);
    let rows = fixture.data.given().select_rows(&[1, 9, 13]);
    for kernel in kernels() {
        for view in [InputView::Standardised, InputView::Ranked] {
            let data = fixture.data.viewed(view);
            let fit = Model::new(kernel.clone(), Likelihood::probit()).infer(&data, None).unwrap();
            let mean = |rows: &Inputs| fit.predict(rows).unwrap().mean;
            // Nothing but closed forms is exact where no coalition may be looked at.
            let exact = if has_closed_form(&kernel) { 0 } else { 6 };
            let found = latent_reasons(
                &[Weighed { weight: 1.0, fit: &fit }],
                &fixture.parts,
                &fixture.background,
                &rows,
                &ReasonOptions { exact, ..ReasonOptions::default() },
                Interrupt::default(),
            );
            check_values(&fixture, &rows, &found.unwrap(), &mean, &kernel.describe());
        }
    }
}

#[test]
fn latent_means_of_models_together_and_of_several_classes_are_sums() {
    let fixture = fixture(3);
    let rows = fixture.data.given().select_rows(&[2, 17]);
    let fits: Vec<FittedModel> = [Kernel::l1_product(2.0, l()), Kernel::matern32(2.0, l())]
        .into_iter()
        .map(|kernel| Model::new(kernel, Likelihood::probit()).infer(&fixture.data, None).unwrap())
        .collect();
    let models = [Weighed { weight: 0.3, fit: &fits[0] }, Weighed { weight: 0.7, fit: &fits[1] }];
    let mean = |rows: &Inputs| {
        let each: Vec<Mat> = fits.iter().map(|fit| fit.predict(rows).unwrap().mean).collect();
        Mat::from_fn(rows.rows(), 3, |i, c| 0.3 * each[0][(i, c)] + 0.7 * each[1][(i, c)])
    };
    let (options, never) = (ReasonOptions::default(), Interrupt::default());
    let found = latent_reasons(&models, &fixture.parts, &fixture.background, &rows, &options, never).unwrap();
    check_values(&fixture, &rows, &found, &mean, "two models");
}

/// Eight columns, as brute force by coalitions: `sum_S |S|! (7 - |S|)! / 8! (v(S + p) - v(S))`.
#[test]
fn eight_columns_agree_with_the_sum_over_coalitions() {
    let x = Mat::from_fn(24, 8, |i, j| ((i * (2 * j + 3)) as f64 * 0.37).sin());
    let (encoder, inputs) = (Encoder::numeric(8).unwrap(), Inputs::continuous(x));
    let labels = (0..24).map(|i| if i % 3 == 0 { Class::POSITIVE } else { Class::NEGATIVE }).collect();
    let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, 2).unwrap()).unwrap());
    let background = Background::new(&data, 3);
    let row = data.given().select_rows(&[5]);
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    for kernel in [Kernel::squared_exponential(3.0, Scales::Single(0.2)), Kernel::l1_product(3.0, Scales::Single(0.1))]
    {
        let fit = Model::new(kernel, Likelihood::probit()).infer(&data, None).unwrap();
        let state = |mask: usize| {
            let value = |b: usize, j: usize| {
                if mask >> j & 1 == 1 { row.values()[(0, j)] } else { background.rows().values()[(b, j)] }
            };
            Inputs::continuous(Mat::from_fn(3, 8, value))
        };
        let v: Vec<(f64, f64)> = (0..256)
            .map(|mask| {
                let found = fit.predict(&state(mask)).unwrap();
                let mean = |values: &Mat| values.as_slice().iter().sum::<f64>() / 3.0;
                (mean(&found.mean), mean(&found.log_odds()))
            })
            .collect();
        let weight = |mask: usize| {
            factorial(mask.count_ones() as usize) * factorial(7 - mask.count_ones() as usize) / factorial(8)
        };
        let sum = |p: usize, of: &dyn Fn(&(f64, f64)) -> f64| {
            let without = (0..256).filter(|mask| mask >> p & 1 == 0);
            without.map(|mask| weight(mask) * (of(&v[mask | 1 << p]) - of(&v[mask]))).sum::<f64>()
        };
        let (parts, never) = (Parts::new(&encoder), Interrupt::default());
        let options = ReasonOptions { exact: 8, ..ReasonOptions::default() };
        let evaluate = |rows: &Inputs| Ok::<_, ExplainError>(fit.predict(rows)?.log_odds());
        let odds = reasons(&parts, &background, &row, &options, never, evaluate).unwrap();
        let models = [Weighed { weight: 1.0, fit: &fit }];
        let latent = latent_reasons(&models, &parts, &background, &row, &options, never).unwrap();
        for p in 0..8 {
            assert!((odds.values[0][(0, p)] - sum(p, &|v| v.1)).abs() < 1e-10);
            assert!((latent.values[0][(0, p)] - sum(p, &|v| v.0)).abs() < 1e-10);
        }
    }
}

#[test]
fn drawn_orders_are_right_within_their_standard_errors() {
    let fixture = fixture(2);
    let kernel = Kernel::squared_exponential(9.0, l());
    let fit = Model::new(kernel, Likelihood::probit()).infer(&fixture.data, None).unwrap();
    let (rows, f) = (fixture.data.given().select_rows(&[1, 9, 13, 22]), log_odds(&fit));
    let truth = of(&fixture, &rows, &ReasonOptions::default(), &f);
    let drawn =
        |seed: u64| of(&fixture, &rows, &ReasonOptions { exact: 0, orders: 4, seed, ..ReasonOptions::default() }, &f);
    assert_eq!(drawn(1), drawn(1));
    // A standard error from few orders is uncertain, but its square must be right on average.
    let (mut told, mut seen) = (0.0, 0.0);
    for found in (0..30).map(drawn) {
        check_sums(&found);
        for (k, (got, want)) in found.values[0].as_slice().iter().zip(truth.values[0].as_slice()).enumerate() {
            told += found.errors[0].as_slice()[k].powi(2);
            seen += (got - want).powi(2);
        }
    }
    let ratio = (seen / told).sqrt();
    assert!((0.75..1.33).contains(&ratio), "{ratio}");
}

#[test]
fn weights_count_like_copies_and_equal_columns_say_nothing() {
    let fixture = fixture(2);
    let data = &fixture.data;
    let weighted = TrainingData::weighted(
        data.given().clone(),
        data.targets().clone(),
        Some((0..ROWS).map(|i| [1.0, 0.0, 2.0][i % 3]).collect()),
    );
    let copies: Vec<usize> = (0..ROWS).flat_map(|i| std::iter::repeat_n(i, [1, 0, 2][i % 3])).collect();
    let (weighted, copied) =
        (Background::new(&weighted.unwrap(), ROWS), Background::new(&data.with_rows(&copies), ROWS));
    let row = data.given().select_rows(&[3]);
    let linear =
        |rows: &Inputs| Mat::from_fn(rows.rows(), 1, |i, _| rows.values()[(i, 0)] * (1.0 + rows.values()[(i, 1)]));
    let found = |background: &Background| {
        let evaluate = |rows: &Inputs| Ok::<_, ExplainError>(linear(rows));
        let options = ReasonOptions { background: ROWS, ..ReasonOptions::default() };
        reasons(&fixture.parts, background, &row, &options, Interrupt::default(), evaluate).unwrap()
    };
    let (one, other) = (found(&weighted), found(&copied));
    for part in 0..4 {
        assert!((one.values[0][(0, part)] - other.values[0][(0, part)]).abs() < 1e-12);
    }
    assert_eq!((one.values[0][(0, 2)], one.values[0][(0, 3)]), (0.0, 0.0), "columns that are not used");
    assert_eq!(one.leading(0, 0, 4).len(), 2);
}

#[test]
fn options_out_of_range_and_interrupts_end_it() {
    let fixture = fixture(2);
    let row = fixture.data.given().select_rows(&[3]);
    let found = |options: ReasonOptions, interrupt: Interrupt<'_>| {
        let evaluate = |rows: &Inputs| Ok::<_, ExplainError>(Mat::zeros(rows.rows(), 1));
        reasons(&fixture.parts, &fixture.background, &row, &options, interrupt, evaluate)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let plain = ReasonOptions::default();
    let never = Interrupt::default();
    assert_eq!(
        found(ReasonOptions { background: 0, ..plain.clone() }, never),
        "background is 0; it must be at least 1"
    );
    assert_eq!(found(ReasonOptions { orders: 1, ..plain.clone() }, never), "orders is 1; it must be at least 2");
    assert_eq!(found(ReasonOptions { exact: 17, ..plain.clone() }, never), "exact is 17; it must be at most 16");
    let set = std::sync::atomic::AtomicBool::new(true);
    assert_eq!(found(plain, Interrupt { flag: Some(&set), ..never }), "the work was interrupted");
    assert_eq!(fixture.encoder.columns()[4].source(), "dose");
}
