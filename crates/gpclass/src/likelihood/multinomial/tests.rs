use super::*;
use crate::special::{normal_density, phi_cdf};

fn matrix(rows: &[&[f64]]) -> Mat {
    Mat::from_fn(rows.len(), rows.len(), |i, j| rows[i][j])
}

/// SciPy 1.17, adaptive quadrature over the other of the two differences, logarithms taken out of the integrand.
#[test]
fn three_classes_are_exact_in_both_tails() {
    let plain = matrix(&[&[1.0, 0.2, 0.1], &[0.2, 2.0, 0.3], &[0.1, 0.3, 0.5]]);
    let close = matrix(&[&[4.0, 1.0, 1.0], &[1.0, 3.0, 2.5], &[1.0, 2.5, 3.0]]);
    let common = Mat::from_fn(3, 3, |i, j| 1e6 + [[0.0, -1.0, -2.0], [-1.0, 1.0, -1.0], [-2.0, -1.0, 2.0]][i][j]);
    let steep = matrix(&[&[400.0, 0.0, 0.0], &[0.0, 1e-6, 0.0], &[0.0, 0.0, 90.0]]);
    let cases = [
        ([0.3, -0.5, 1.2], &plain, [-1.3251232624504414, -1.9633562879212307, -0.5211397142030566]),
        ([0.0, 30.0, -5.0], &plain, [-101.3882421113238, 0.0, -160.8482768187288]),
        ([-12.0, 14.0, 13.0], &close, [-56.98974884028718, -0.33107881048307275, -1.2663751879182583]),
        ([0.0, 200.0, -90.0], &plain, [-4353.280429671484, 0.0, -10787.95970031848]),
        ([1.0, -1.0, 0.0], &common, [-0.5593409370881912, -2.2909720774585347, -1.1170422462349427]),
        ([2.0, 0.0, -3.0], &steep, [-0.7102486118137928, -1.2467813553087108, -1.5093682756670985]),
    ];
    for (mean, cov, want) in cases {
        for (got, want) in class_log_probabilities(&mean, cov).iter().zip(want) {
            assert!((got - want).abs() <= 1e-9 * want.abs().max(1e-3), "{mean:?}: {got} is not {want}");
        }
    }
}

/// With one rival in reach its scalar term is all there is, and EP is exact.
#[test]
fn more_classes_keep_their_digits_where_one_rival_matters() {
    for count in [4, 7, 26] {
        let cov = Mat::from_fn(count, count, |i, j| if i == j { 1.0 + 0.1 * i as f64 } else { 0.3 });
        for gap in [3.0, 40.0, 400.0] {
            let mean: Vec<f64> = (0..count).map(|c| [0.0, gap][..].get(c).copied().unwrap_or(-1e4)).collect();
            let z = -gap / (1.0 + 1.1 - 0.6 + 2.0_f64).sqrt();
            let got = class_log_probabilities(&mean, &cov);
            let want = log_phi(z);
            assert!((got[0] - want).abs() <= 1e-9 * want.abs(), "{count} classes: {} is not {want}", got[0]);
            assert!(got.iter().all(|log| log.is_finite() && *log <= 1e-15));
        }
    }
}

#[test]
fn any_number_of_classes_sums_to_one_in_any_order_whatever_is_common() {
    for count in [1, 2, 3, 4, 6, 10] {
        let mean: Vec<f64> = (0..count).map(|c| (3.0 * c as f64).sin() * 2.0).collect();
        let loading = |c: usize, k: usize| ((c * 5 + k * 3) as f64).cos();
        let cov = Mat::from_fn(count, count, |c, d| {
            (0..3).map(|k| loading(c, k) * loading(d, k)).sum::<f64>() + if c == d { 0.5 } else { 0.0 }
        });
        let p = class_probabilities(&mean, &cov);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-13, "{p:?}");
        let turned: Vec<f64> = (0..count).map(|c| mean[(c + 1) % count] + 7.0).collect();
        let turned_cov = Mat::from_fn(count, count, |c, d| cov[((c + 1) % count, (d + 1) % count)] + 11.0);
        let q = class_probabilities(&turned, &turned_cov);
        (0..count).for_each(|c| assert!((p[(c + 1) % count] - q[c]).abs() < 1e-10, "{count} classes: {p:?} {q:?}"));
    }
}

#[test]
fn extreme_functions_give_numbers() {
    for count in [2, 3, 4, 9] {
        for scale in [1e-12, 1.0, 1e6, 1e12] {
            for spread in [0.0, 1.0, 1e3, 1e8] {
                let mean: Vec<f64> = (0..count).map(|c| spread * (2.0 * c as f64).cos()).collect();
                let cov = Mat::from_fn(count, count, |c, d| scale * if c == d { 1.0 + c as f64 } else { 0.5 });
                let p = class_probabilities(&mean, &cov);
                let sum: f64 = p.iter().sum();
                assert!((sum - 1.0).abs() < 1e-9, "{count} classes, {scale}, {spread}: {p:?}");
            }
        }
    }
    assert!(class_probabilities(&[f64::NAN, 0.0, 0.0, 0.0], &Mat::identity(4)).iter().any(|p| p.is_nan()));
}

/// For functions that are independent the probabilities are integrals over one of them.
fn by_quadrature(mean: &[f64], sd: &[f64], k: usize) -> f64 {
    let deviation = |c: usize| (sd[c] * sd[c] + 1.0).sqrt();
    let others = |g: f64| -> f64 {
        (0..mean.len()).filter(|c| *c != k).map(|c| phi_cdf((g - mean[c]) / deviation(c))).product()
    };
    let step = 1e-3;
    let at = |i: i32| f64::from(i) * step;
    (-9000..=9000).map(|i| step * normal_density(at(i)) * others(mean[k] + deviation(k) * at(i))).sum()
}

#[test]
fn a_class_that_is_far_less_certain_keeps_its_probability() {
    let mean = [7.0, -10.0, 2.0, -1.0, 3.0, 12.0, -183.0, 24.0];
    let sd = [17.0, 17.0, 17.0, 17.0, 17.0, 17.0, 170.0, 17.0];
    let p = class_probabilities(&mean, &Mat::from_fn(8, 8, |c, d| if c == d { sd[c] * sd[c] } else { 0.0 }));
    for (k, p) in p.iter().enumerate() {
        let exact = by_quadrature(&mean, &sd, k);
        assert!((p - exact).abs() < 0.025, "class {k}: {p} for {exact}");
    }
    assert!(p[6] > 0.07, "{p:?}");
}
