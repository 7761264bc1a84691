use super::*;
use crate::data::{Column, Encoder, EncoderOptions, Table};
use proptest::prelude::*;

const BENT: [InputView; 2] = [InputView::Warped, InputView::Ranked];

fn column(values: &[f64]) -> Inputs {
    Inputs::continuous(Mat::from_columns(values.len(), 1, values.to_vec()))
}

fn fit(kind: InputView, values: &[f64]) -> View {
    View::fit(kind, &column(values), None)
}

fn seen(view: &View, values: &[f64]) -> Vec<f64> {
    view.apply(&column(values)).values().as_slice().to_vec()
}

/// Normal scores of evenly spread ranks.
fn normal(n: usize) -> Vec<f64> {
    (0..n).map(|i| crate::special::normal_quantile((i as f64 + 0.5) / n as f64)).collect()
}

fn moments(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let centred = |power: i32| values.iter().map(|v| (v - mean).powi(power)).sum::<f64>() / n;
    (mean, centred(2).sqrt(), centred(3) / centred(2).powf(1.5))
}

/// Two images in order, up to the rounding of powers.
fn in_order(a: f64, b: f64) -> bool {
    b - a >= -1e-12 * (1.0 + a.abs() + b.abs())
}

#[test]
fn standardised_rows_are_the_same_rows() {
    let rows = column(&[3.0, -1.0, 7.5]);
    let view = View::fit(InputView::Standardised, &rows, None);
    assert!(matches!(view.apply(&rows), Cow::Borrowed(_)));
    assert_eq!(view, View::default());
}

#[test]
fn categories_and_columns_of_two_values_are_never_moved() {
    let table = Table::new(vec![
        Column::categories("c", ["a", "b", "c", "a", "b"]),
        Column::continuous("flag", vec![0.0, 1.0, 1.0, 0.0, 1.0]),
        Column::continuous("same", vec![4.0; 5]),
        Column::continuous("x", vec![1.0, 2.0, 4.0, 8.0, 16.0]),
    ]);
    let table = table.unwrap();
    let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
    let (inputs, _) = encoder.encode(&table).unwrap();
    for kind in BENT {
        let view = View::fit(kind, &inputs, None);
        let moved: Vec<usize> = (0..inputs.values().cols()).filter(|&c| view.columns()[c].is_some()).collect();
        assert_eq!(moved, [inputs.values().cols() - 1], "{kind}");
        let seen = view.apply(&inputs);
        for c in 0..moved[0] {
            assert_eq!(seen.values().col(c), inputs.values().col(c));
        }
        assert!(view.suits(inputs.features()));
        assert!(!view.suits(Inputs::continuous(Mat::zeros(1, 2)).features()));
    }
}

#[test]
fn ranks_are_mid_ranks_of_unit_variance() {
    // Mid-ranks 1, 3, 3, 3, 5 of five: less 3, over sqrt(8/5).
    let values = [-10.0, 0.0, 0.0, 0.0, 1e6];
    let got = seen(&fit(InputView::Ranked, &values), &values);
    for (got, want) in got.iter().zip([-2.0, 0.0, 0.0, 0.0, 2.0]) {
        assert!((got - want / 1.6_f64.sqrt()).abs() < 1e-14, "{got} {want}");
    }
    // Between two training values by a straight line.
    let view = fit(InputView::Ranked, &[0.0, 1.0, 3.0]);
    let at = |x: f64| seen(&view, &[x])[0];
    assert!((at(2.5) - (0.25 * at(1.0) + 0.75 * at(3.0))).abs() < 1e-14);
}

#[test]
fn many_values_keep_their_ranks_nearly() {
    let values: Vec<f64> = (0..3000).map(|i| ((i * 7919 % 3000) as f64 / 300.0).exp()).collect();
    let view = fit(InputView::Ranked, &values);
    let Some(Curve { shape: Shape::Ranks(ranks), .. }) = &view.columns()[0] else { panic!("no ranks") };
    assert!(ranks.at.len() <= 256 && ranks.at.len() > 200);
    let uniform = 12.0_f64.sqrt();
    for (i, got) in seen(&view, &values).iter().enumerate() {
        let want = uniform * (((i * 7919 % 3000) as f64 + 0.5) / 3000.0 - 0.5);
        assert!((got - want).abs() < uniform / 500.0, "{got} {want}");
    }
}

#[test]
fn a_normal_column_is_hardly_bent_and_a_skewed_or_long_tailed_one_becomes_normal() {
    let normal = normal(400);
    let (mean, deviation, _) = moments(&normal);
    let straight = seen(&fit(InputView::Warped, &normal), &normal);
    for (bent, z) in straight.iter().zip(&normal) {
        assert!((bent - (z - mean) / deviation).abs() < 0.08, "{bent} {z}");
    }
    let shapes: [fn(f64) -> f64; 4] = [|z| z.exp(), |z| -(0.7 * z).exp(), |z| z.powi(3), |z| (3.0 * z).sinh()];
    for (number, shape) in shapes.iter().enumerate() {
        let values: Vec<f64> = normal.iter().map(|&z| shape(z)).collect();
        let bent = seen(&fit(InputView::Warped, &values), &values);
        let (mean, deviation, skew) = moments(&bent);
        assert!(mean.abs() < 1e-12 && (deviation - 1.0).abs() < 1e-12);
        assert!(skew.abs() < 0.35, "shape {number}: {skew}");
        let furthest = bent.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(furthest < 4.0, "shape {number}: {furthest}");
    }
}

/// A quarter of the likelihood surface by brute force: the chosen powers beat all others on the list.
#[test]
fn powers_are_those_of_greatest_likelihood() {
    let values: Vec<f64> = normal(60).iter().map(|z| (1.3 * z).exp()).collect();
    let view = fit(InputView::Warped, &values);
    let Some(Curve { shape: Shape::Warp(found), .. }) = &view.columns()[0] else { panic!("no warp") };
    let score = |below: f64, above: f64| {
        let z = |x: &f64| (x - found.centre) / found.scale;
        let power = |z: f64| if z < 0.0 { below } else { above };
        let bend = |z: f64| {
            let p = power(z);
            let size = if p == 0.0 { (1.0 + z.abs()).ln() } else { ((1.0 + z.abs()).powf(p) - 1.0) / p };
            size.copysign(z)
        };
        let bent: Vec<f64> = values.iter().map(|x| bend(z(x))).collect();
        let jacobian: f64 = values.iter().map(|x| (power(z(x)) - 1.0) * (1.0 + z(x).abs()).ln()).sum();
        let prior = 0.5 * ((below - 1.0).powi(2) + (above - 1.0).powi(2));
        jacobian - 60.0 * moments(&bent).1.ln() - prior
    };
    let best = score(found.below, found.above);
    for i in -16..=24 {
        for j in -16..=24 {
            assert!(score(f64::from(i) / 8.0, f64::from(j) / 8.0) <= best + 1e-9);
        }
    }
    assert!(found.above < 0.5, "{found:?}");
}

#[test]
fn an_outlier_a_hundred_deviations_away_neither_squeezes_the_others_nor_stays_there() {
    for outliers in [vec![100.0], vec![-100.0, 100.0], vec![1e12]] {
        let mut values = normal(200);
        values.extend(&outliers);
        for kind in BENT {
            let bent = seen(&fit(kind, &values), &values);
            let bulk = moments(&bent[..200]).1;
            assert!(bulk > 0.6, "{kind} {outliers:?}: {bulk}");
            assert!(bent[200..].iter().all(|v| v.abs() < 9.0), "{kind} {outliers:?}: {:?}", &bent[200..]);
        }
    }
}

#[test]
fn tiny_and_constant_columns_are_left_as_they_are() {
    for kind in BENT {
        for values in [vec![2.0], vec![1.0, 2.0], vec![5.0; 9], vec![0.0, -0.0, 1.0]] {
            assert_eq!(seen(&fit(kind, &values), &values), values, "{kind}");
        }
        let three = seen(&fit(kind, &[1.0, 2.0, 4.0]), &[1.0, 2.0, 4.0]);
        assert!(three.windows(2).all(|pair| pair[0] < pair[1]));
        let unweighed = View::fit(kind, &column(&[1.0, 2.0, 3.0]), Some(&[0.0; 3]));
        assert_eq!(unweighed.columns(), [None]);
    }
}

#[test]
fn a_weight_counts_like_copies() {
    let (values, copies) = (vec![0.3, 9.0, -1.7, 0.4, 2.2], vec![0.3, 0.3, -1.7, -1.7, -1.7, 0.4, 2.2]);
    let at = [-5.0, -1.0, 0.35, 1.0, 4.0];
    for kind in BENT {
        let weighted = View::fit(kind, &column(&values), Some(&[2.0, 0.0, 3.0, 1.0, 1.0]));
        let (got, want) = (seen(&weighted, &at), seen(&fit(kind, &copies), &at));
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-12), "{kind}: {got:?} {want:?}");
    }
}

#[test]
fn beyond_the_ends_it_goes_on_and_slows_down() {
    for kind in BENT {
        let view = fit(kind, &normal(100));
        let at = |x: f64| seen(&view, &[x])[0];
        let rise = |a: f64, b: f64| (at(b) - at(a)) / (b - a);
        let end = normal(100)[99];
        assert!(at(end + 1.0) > at(end) + 0.02, "{kind}");
        assert!(rise(end, end + 1.0) > rise(end + 20.0, end + 21.0));
        assert!(rise(end + 20.0, end + 21.0) > rise(end + 500.0, end + 501.0));
        assert!(at(100.0) - at(end) > 2.0 && at(100.0) < 50.0, "{kind}: {}", at(100.0));
        assert!(at(1e300) < 1e4 && at(-1e300) > -1e4);
        assert!((at(-50.0) + at(50.0)).abs() < 0.5, "{kind}: symmetric columns have symmetric tails");
    }
}

#[test]
fn columns_near_the_limits_of_numbers_give_finite_views() {
    let huge = [1.7e308, -1.7e308, 0.0, 1.0, 2.0];
    let tiny = [5e-324, 1e-320, 3e-320, 1e-310];
    let mixed = [1e-300, 2e-300, 3e-300, 1e300];
    for kind in BENT {
        for values in [&huge[..], &tiny[..], &mixed[..]] {
            let view = fit(kind, values);
            let everywhere = [-f64::MAX, -1e300, -1.0, -5e-324, 0.0, 1e-310, 1.0, 1e300, f64::MAX];
            let bent = seen(&view, &everywhere);
            assert!(bent.iter().all(|v| v.is_finite()), "{kind} {values:?}: {bent:?}");
            assert!(bent.windows(2).all(|pair| in_order(pair[0], pair[1])), "{kind} {values:?}: {bent:?}");
        }
    }
}

#[test]
fn a_view_reads_back_as_itself_and_damage_is_refused() {
    let values: Vec<f64> = normal(30).iter().map(|z| z.exp()).collect();
    for kind in BENT {
        let view = fit(kind, &values);
        let mut cbor = Vec::new();
        ciborium::into_writer(&view, &mut cbor).unwrap();
        assert_eq!(ciborium::from_reader::<View, _>(&cbor[..]).unwrap(), view);
        let text = serde_json::to_string(&view).unwrap();
        let mut damaged = vec![
            text.replacen("\"reach\":", "\"reach\":-", 1),
            text.replacen("\"height\":", "\"height\":-", 1),
            text.replacen("\"end\":", "\"end\":1e9", 1),
            text.replacen("warped", "ranks", 1).replacen("ranked", "warped", 1).replacen("\"ranks\"", "\"ranked\"", 1),
        ];
        match kind {
            InputView::Warped => damaged.extend([
                text.replacen("\"scale\":", "\"scale\":-", 1),
                text.replacen("\"above\":", "\"above\":7", 1),
                text.replacen("\"deviation\":", "\"deviation\":-", 1),
            ]),
            InputView::Ranked => damaged.extend([
                text.replacen("\"at\":[", "\"at\":[1e9,", 1),
                text.replacen("\"to\":[", "\"to\":[5.0,", 1),
                text.replacen("\"at\":[", "\"at\":[],\"was\":[", 1),
            ]),
            InputView::Standardised => unreachable!("it is not bent"),
        }
        for broken in damaged {
            assert_ne!(broken, text);
            assert!(serde_json::from_str::<View>(&broken).is_err(), "{kind}: {broken}");
        }
    }
    let maps = r#"{"kind":"standardised","columns":[null]}"#;
    let message = serde_json::from_str::<View>(maps).unwrap_err().to_string();
    assert!(message.contains("standardised inputs have no maps"), "{message}");
}

fn any_column() -> impl Strategy<Value = Vec<f64>> {
    let number = prop_oneof![
        4 => -5.0..5.0_f64,
        2 => (-3i32..4).prop_map(f64::from),
        1 => (-30.0..30.0_f64).prop_map(|e| e.exp()),
        1 => (-300i32..300).prop_map(|e| -(10.0_f64.powi(e))),
    ];
    proptest::collection::vec(number, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn views_are_finite_and_monotone(
        values in any_column(),
        mut at in proptest::collection::vec(prop_oneof![-10.0..10.0_f64, -1e300..1e300_f64], 2..30),
    ) {
        at.extend(&values);
        at.sort_by(f64::total_cmp);
        for kind in BENT {
            let bent = seen(&fit(kind, &values), &at);
            prop_assert!(bent.iter().all(|v| v.is_finite()), "{kind}: {bent:?}");
            prop_assert!(bent.windows(2).all(|pair| in_order(pair[0], pair[1])), "{kind}: {bent:?}");
        }
    }

    #[test]
    fn units_do_not_matter(values in proptest::collection::vec(-5.0..5.0_f64, 3..60), at in -20.0..20.0_f64) {
        for kind in BENT {
            let want = seen(&fit(kind, &values), &[&values[..], &[at]].concat());
            for (unit, zero) in [(1000.0, 0.0), (1e-9, 0.0), (3.0, 50.0)] {
                let moved = |x: &f64| unit * x + zero;
                let values: Vec<f64> = values.iter().map(moved).collect();
                let got = seen(&fit(kind, &values), &[&values[..], &[moved(&at)]].concat());
                for (got, want) in got.iter().zip(&want) {
                    prop_assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "{kind}: {got} and {want}");
                }
            }
        }
    }
}
