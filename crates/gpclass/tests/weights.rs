//! Row weights: whole ones are repeated rows, zero is absence, fractions are powers of the likelihood.

#[path = "support/brute_force.rs"]
mod brute_force;
#[path = "support/fixtures.rs"]
mod fixtures;

use brute_force::integrate;
use fixtures::{
    allowed, curved, ep, everything, infer, label, laplace, likelihoods, normals, settling_methods, smooth_kernel,
    title, training, weighted,
};
use gpclass::data::{Class, Inputs};
use gpclass::inference::ep::Schedule;
use gpclass::kernel::Kernel;
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::FittedModel;

type Numbers = Vec<(&'static str, Vec<f64>)>;

fn test_rows() -> Inputs {
    Inputs::continuous(normals(42, 4, 2))
}

fn close(context: &str, what: &str, got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{context}: {what} is {got}, should be {want}, off by {:.1e}", got - want);
}

/// Compares what belongs to rows at `rows.0` of one model and `rows.1` of the other, and everything else as it is.
fn agree(context: &str, a: &Numbers, b: &Numbers, rows: (&[usize], &[usize]), skip: &[&str], tolerance: f64) {
    let n = |list: &Numbers| list.iter().find(|(name, _)| *name == "mean").expect("means").1.len();
    let (na, nb) = (n(a), n(b));
    for ((name, a), (_, b)) in a.iter().zip(b) {
        if *name == "residual" || skip.contains(name) {
            continue;
        }
        let pick = |values: &[f64], n: usize, rows: &[usize]| -> Vec<f64> {
            if values.len() == n { rows.iter().map(|&i| values[i]).collect() } else { values.to_vec() }
        };
        let (a, b) = (pick(a, na, rows.0), pick(b, nb, rows.1));
        let scale = b.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        for i in 0..a.len() {
            close(context, &format!("{name}[{i}]"), a[i], b[i], tolerance * scale);
        }
    }
}

/// Sites and alpha of a weighted row are sums over its copies, so they are compared by themselves.
const SUMMED: [&str; 3] = ["tau", "nu", "alpha"];

#[test]
fn whole_weights_are_repeated_rows() {
    let x = normals(41, 9, 2);
    let y = curved(&x, 4);
    let copies = [1, 3, 1, 2, 1, 1, 5, 1, 2];
    let repeated: Vec<usize> = (0..9).flat_map(|i| vec![i; copies[i]]).collect();
    let first: Vec<usize> = (0..9).map(|i| repeated.iter().position(|&r| r == i).expect("present")).collect();
    let one = weighted(x.clone(), y.clone(), copies.iter().map(|&c| c as f64).collect());
    let many = training(x.select_rows(&repeated), repeated.iter().map(|&i| y[i]).collect());
    let all: Vec<usize> = (0..9).collect();
    for likelihood in likelihoods().iter().filter(|l| l.name() != "step") {
        for method in settling_methods().iter().filter(|m| allowed(m, likelihood)) {
            let fits = [&one, &many].map(|data| infer(&smooth_kernel(), likelihood, method, data));
            let [here, there] = [&fits[0], &fits[1]].map(|fit| everything(fit, &test_rows()));
            let context = format!("{}, {}", title(method), likelihood.name());
            agree(&context, &here, &there, (&all, &first), &SUMMED, 1e-8);
            let sites = |fit: &FittedModel| fit.binary().unwrap().posterior.sites().clone();
            let (tied, single) = (sites(&fits[0]), sites(&fits[1]));
            for i in 0..9 {
                let scale = tied.tau[i].abs().max(1.0);
                close(&context, "tau", tied.tau[i], copies[i] as f64 * single.tau[first[i]], 1e-7 * scale);
                close(&context, "nu", tied.nu[i], copies[i] as f64 * single.nu[first[i]], 1e-7 * scale);
            }
        }
    }
}

#[test]
fn weight_zero_is_absence_and_its_cavity_the_plain_prediction() {
    let x = normals(43, 12, 2);
    let y = curved(&x, 4);
    let kept: Vec<usize> = (0..12).filter(|i| ![2, 7].contains(i)).collect();
    let weights = (0..12).map(|i| if kept.contains(&i) { 1.0 } else { 0.0 }).collect();
    let with = weighted(x.clone(), y.clone(), weights);
    let without = training(x.select_rows(&kept), kept.iter().map(|&i| y[i]).collect());
    let all: Vec<usize> = (0..kept.len()).collect();
    for likelihood in likelihoods() {
        let kernel = smooth_kernel() + Kernel::noise(0.3);
        for method in settling_methods().iter().filter(|m| allowed(m, &likelihood)) {
            let context = format!("{}, {}", title(method), likelihood.name());
            let fits = [&with, &without].map(|data| infer(&kernel, &likelihood, method, data));
            let [here, there] = [&fits[0], &fits[1]].map(|fit| everything(fit, &test_rows()));
            agree(&context, &here, &there, (&kept, &all), &[], 1e-8);
            let predicted = fits[1].predict(&Inputs::continuous(x.select_rows(&[2, 7]))).expect("finite");
            let left_out = fits[0].leave_one_out();
            for (new, row) in [2, 7].into_iter().enumerate() {
                let (cavity, plain) = (left_out.latent(row, 0), predicted.latent(new, 0));
                close(&context, "cavity mean", cavity.mean, plain.mean, 1e-8);
                close(&context, "cavity variance", cavity.var, plain.var, 1e-8);
                close(
                    &context,
                    "probability",
                    left_out.probability(row, Class::POSITIVE),
                    predicted.probability(new, Class::POSITIVE),
                    1e-8,
                );
            }
        }
    }
}

#[test]
fn all_weights_zero_give_the_prior() {
    let x = normals(44, 5, 2);
    let data = weighted(x.clone(), curved(&x, 0), vec![0.0; 5]);
    for method in settling_methods() {
        let fit = infer(&smooth_kernel(), &Likelihood::probit(), &method, &data);
        let context = title(&method);
        close(&context, "log Z", fit.log_evidence(), 0.0, 0.0);
        for (i, latent) in fit.binary().unwrap().cavities.iter().enumerate() {
            close(&context, "mean", latent.mean, 0.0, 0.0);
            close(&context, "variance", latent.var, fit.prior(0).diag()[i], 1e-14);
        }
    }
}

#[test]
fn fractions_are_powers_of_the_likelihood() {
    let x = Mat::from_fn(2, 2, |i, j| 0.4 + i as f64 - 0.7 * j as f64);
    for rows in 1..=2 {
        for weights in [[0.35, 0.8], [0.02, 0.5]] {
            let y: Vec<_> = (0..rows).map(|i| label(i == 0)).collect();
            let part: Vec<usize> = (0..rows).collect();
            let data = weighted(x.select_rows(&part), y.clone(), weights[..rows].to_vec());
            for likelihood in likelihoods().iter().filter(|l| l.name() != "step") {
                let k = smooth_kernel().gram(data.inputs());
                let exact = integrate(&k, |i, f| weights[i] * likelihood.log_p(y[i], f), |_| 0.0);
                let tolerance = if rows == 1 { 1e-9 } else { 0.02 };
                for method in [ep(Schedule::TwoLevel), ep(Schedule::Sequential)] {
                    let fit = infer(&smooth_kernel(), likelihood, &method, &data);
                    let context = format!("{rows} rows, {}, {}", title(&method), likelihood.name());
                    close(&context, "log Z", fit.log_evidence(), exact.log_z, tolerance);
                    for i in 0..rows {
                        close(&context, "mean", fit.binary().unwrap().posterior.mean()[i], exact.mean[i], tolerance);
                        close(&context, "variance", fit.binary().unwrap().posterior.var()[i], exact.var[i], tolerance);
                    }
                }
            }
        }
    }
}

#[test]
fn both_schedules_agree_for_huge_and_mixed_weights() {
    let x = normals(45, 12, 2);
    let y = curved(&x, 5);
    let mixed = (0..12).map(|i| [1.0, 1e3, 0.2, 7.5, 0.0, 1e-3][i % 6]).collect();
    for (weights, name) in [(vec![1e3; 12], "huge"), (mixed, "mixed")] {
        let data = weighted(x.clone(), y.clone(), weights);
        for likelihood in [Likelihood::probit(), Likelihood::logistic(), Likelihood::probit_bias(0.4).expect("valid")] {
            let mut fits = [ep(Schedule::TwoLevel), ep(Schedule::Sequential), laplace()]
                .map(|method| infer(&smooth_kernel(), &likelihood, &method, &data))
                .into_iter();
            let all: Vec<usize> = (0..12).collect();
            let mut next = || fits.next().expect("three");
            let (fast, slow, mode) = (next(), next(), next());
            for fit in [&fast, &slow, &mode] {
                let context = format!("{name}, {}, {}", title(&fit.model().method), likelihood.name());
                assert!(fit.report().outcome.converged(), "{context}: {:?}", fit.report());
                let finite = everything(fit, &test_rows()).iter().flat_map(|(_, v)| v).all(|v| v.is_finite());
                assert!(finite, "{context}: a number that is not finite");
            }
            let [here, there] = [&fast, &slow].map(|fit| everything(fit, &test_rows()));
            agree(&format!("{name}, {}", likelihood.name()), &here, &there, (&all, &all), &[], 1e-6);
        }
    }
}

#[test]
fn a_thousand_copies_leave_nothing_to_approximate() {
    // Two places, each with 700 positives and 300 negatives: Phi(f) = 0.7 there.
    let x = Mat::from_fn(4, 1, |i, _| (i / 2) as f64 * 3.0);
    let y = (0..4).map(|i| label(i % 2 == 0)).collect();
    let data = weighted(x, y, vec![700.0, 300.0, 700.0, 300.0]);
    let quantile = 0.524_400_512_708_040_7; // scipy.stats.norm.ppf(0.7)
    for method in [ep(Schedule::TwoLevel), ep(Schedule::Sequential), laplace()] {
        let fit = infer(&smooth_kernel(), &Likelihood::probit(), &method, &data);
        for i in 0..4 {
            close(&title(&method), "mean", fit.binary().unwrap().posterior.mean()[i], quantile, 2e-3);
            // The information of a thousand probit trials at probability p: n phi(f)^2 / (p (1 - p)).
            let information = 1000.0 * 0.347_692_614_200_073_3_f64.powi(2) / 0.21;
            close(&title(&method), "variance", fit.binary().unwrap().posterior.var()[i] * information, 1.0, 0.02);
        }
    }
}
