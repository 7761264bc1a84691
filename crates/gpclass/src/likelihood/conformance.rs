//! What every likelihood must satisfy, run over every member of the enum. A new variant or member does not compile until
//! `examples` gives it a case.

use super::{Gaussian, Likelihood, LikelihoodError, LikelihoodFamily, Member};
use crate::data::Sign;
use crate::param::{Role, Transform};

const LABELS: [Sign; 2] = [Sign::Negative, Sign::Positive];
const POWERS: [f64; 2] = [1.0, 0.5];
const CAVITIES: [(f64, f64); 6] = [(0.3, 1.0), (-1.2, 0.4), (2.5, 3.0), (-4.0, 2.0), (0.9, 12.0), (5.0, 0.5)];

fn examples(member: Member) -> Vec<Likelihood> {
    let built = match member {
        Member::Step => vec![Likelihood::step(0.05), Likelihood::step(0.3), Likelihood::step(1e-6)],
        Member::Probit => vec![Ok(Likelihood::probit())],
        Member::ProbitBias => vec![Likelihood::probit_bias(-0.4), Likelihood::probit_bias(1.5)],
        Member::ProbitNoise => vec![Likelihood::probit_noise(0.3), Likelihood::probit_noise(2.5)],
        Member::Robust => vec![Likelihood::robust(0.1), Likelihood::robust(1e-5), Likelihood::robust(0.42)],
        Member::RobustPerClass => vec![
            Likelihood::robust_per_class(0.02, 0.2),
            Likelihood::robust_per_class(0.4, 1e-5),
            Likelihood::robust_per_class(0.0, 0.15),
        ],
        Member::Full => vec![
            Likelihood::full(0.1, 0.3, 0.7),
            Likelihood::full(1e-5, -0.2, 1.5),
            Likelihood::full(0.42, 0.0, 0.2),
            Likelihood::full(0.0, 0.5, 1.0),
        ],
    };
    built.into_iter().map(|likelihood| likelihood.expect("valid example")).collect()
}

fn every_likelihood() -> Vec<Likelihood> {
    let mut list: Vec<Likelihood> = Member::ALL.into_iter().flat_map(examples).collect();
    list.push(Likelihood::logistic());
    for family in LikelihoodFamily::ALL {
        assert!(list.iter().any(|likelihood| likelihood.family() == family), "{family} has no example");
        assert_eq!(family.likelihood().unwrap().family(), family);
    }
    for likelihood in &list {
        match likelihood {
            Likelihood::Probit(probit) => assert!(Member::ALL.contains(&probit.member())),
            Likelihood::Logistic => assert_eq!(likelihood.name(), "logistic"),
        }
    }
    list
}

/// Calls `check` on every likelihood, label, cavity and power.
fn for_each_case(mut check: impl FnMut(&Likelihood, Sign, Gaussian, f64)) {
    for likelihood in every_likelihood() {
        for y in LABELS {
            for (mean, var) in CAVITIES {
                for power in POWERS {
                    check(&likelihood, y, Gaussian { mean, var }, power);
                }
            }
        }
    }
}

fn assert_near(got: f64, want: f64, tolerance: f64, what: &str) {
    assert!((got - want).abs() <= tolerance, "{what}: {got}, not {want}");
}

/// Tanh-sinh integration on [a, b], written without anything from the library.
fn integrate(a: f64, b: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    let step = 1.0 / 32.0;
    let half = 0.5 * (b - a);
    let term = |k: i32| {
        let t = step * f64::from(k);
        let inner = std::f64::consts::FRAC_PI_2 * t.sinh();
        let weight = std::f64::consts::FRAC_PI_2 * t.cosh() / inner.cosh().powi(2);
        // The distance to the nearer end keeps its digits where tanh rounds to 1.
        let gap = half * 2.0 / (1.0 + (2.0 * inner.abs()).exp());
        weight * f(if t < 0.0 { a + gap } else { b - gap })
    };
    half * step * (-110..=110).map(term).sum::<f64>()
}

/// Raw moments of x = f - m of p(y|f)^power N(f; m, s), from the definition.
fn raw_moments(likelihood: &Likelihood, y: Sign, cavity: Gaussian, power: f64) -> [f64; 5] {
    let Gaussian { mean, var } = cavity;
    let reach = 13.0 * var.sqrt();
    let kink = -likelihood.b();
    let mut ends = vec![mean - reach, mean, mean + reach];
    ends.extend([-6.0, -1.0, 0.0, 1.0, 6.0].map(|k| kink + k * likelihood.sigma().max(0.2)));
    ends.retain(|end| (end - mean).abs() <= reach);
    ends.sort_by(f64::total_cmp);
    [0, 1, 2, 3, 4].map(|k| {
        let integrand = |f: f64| {
            let x = f - mean;
            let log = power * likelihood.log_p(y, f) - 0.5 * x * x / var;
            x.powi(k) * log.exp() / (std::f64::consts::TAU * var).sqrt()
        };
        ends.windows(2).map(|pair| integrate(pair[0], pair[1], &integrand)).sum()
    })
}

#[test]
fn moments_are_those_of_the_definition() {
    for_each_case(|likelihood, y, cavity, power| {
        let what = format!("{likelihood:?} {y:?} {cavity:?} power {power}");
        let s = cavity.var;
        let [z, x1, x2, x3, x4] = raw_moments(likelihood, y, cavity, power);
        let [x1, x2, x3, x4] = [x1 / z, x2 / z, x3 / z, x4 / z];
        let variance = x2 - x1 * x1;
        let moments = likelihood.moments(y, cavity, power);
        assert_near(moments.log_z, z.ln(), 1e-11 * z.ln().abs().max(1.0), &what);
        assert_near(moments.d1, x1 / s, 1e-10 / s.sqrt(), &what);
        assert_near(moments.d2, (variance / s - 1.0) / s, 1e-9 / s, &what);
        assert_near(moments.shrink, variance / s, 1e-9, &what);
        let third = x3 - 3.0 * x2 * x1 + 2.0 * x1.powi(3);
        let fourth = x4 - 4.0 * x3 * x1 - 3.0 * x2 * x2 + 12.0 * x2 * x1 * x1 - 6.0 * x1.powi(4);
        let curvature = likelihood.curvature(y, cavity, power);
        assert_near(curvature.d[2], third / s.powi(3), 1e-8 / s.powf(1.5), &what);
        assert_near(curvature.d[3], fourth / s.powi(4), 1e-7 / s.powi(2), &what);
    });
}

#[test]
fn each_derivative_is_the_slope_of_the_one_before() {
    for_each_case(|likelihood, y, cavity, power| {
        let h = 1e-4 * cavity.var.sqrt();
        let at = |mean: f64| likelihood.curvature(y, Gaussian { mean, ..cavity }, power);
        let [low, here, high] = [cavity.mean - h, cavity.mean, cavity.mean + h].map(at);
        let orders = |c: &super::Curvature| [c.log_z, c.d[0], c.d[1], c.d[2], c.d[3]];
        let unit = cavity.var.sqrt();
        for k in 1..5 {
            let slope = (orders(&high)[k - 1] - orders(&low)[k - 1]) / (2.0 * h);
            let what = format!("{likelihood:?} {y:?} {cavity:?} power {power}, order {k}");
            let scale = 1.0 + here.log_z.abs();
            assert_near(orders(&here)[k], slope, 1e-6 * scale / unit.powi(k as i32), &what);
        }
    });
}

#[test]
fn the_shrinkage_is_one_plus_the_curvature() {
    for_each_case(|likelihood, y, cavity, power| {
        let moments = likelihood.moments(y, cavity, power);
        let what = format!("{likelihood:?} {y:?} {cavity:?} power {power}");
        assert_near(moments.shrink, 1.0 + moments.d2 * cavity.var, 1e-12 * (1.0 + moments.shrink), &what);
    });
}

#[test]
fn parameter_derivatives_are_finite_differences() {
    for_each_case(|likelihood, y, cavity, power| {
        let values: Vec<f64> = likelihood.params().iter().map(|param| param.value).collect();
        let curvature = likelihood.curvature(y, cavity, power);
        let gradient = likelihood.gradient(y, cavity, power);
        assert_eq!((curvature.by_param.len(), gradient.len()), (values.len(), values.len()));
        for (index, param) in likelihood.params().iter().enumerate() {
            if param.fixed {
                continue; // on the edge of its domain, where only one side exists
            }
            let h = if param.role == Role::Shift { 1e-4 } else { 1e-4 * param.value };
            let at = |step: f64| {
                let mut moved = likelihood.clone();
                let mut values = values.clone();
                values[index] += step;
                moved.set_values(&values);
                let curvature = moved.curvature(y, cavity, power);
                [curvature.log_z, curvature.d[0], curvature.d[1]]
            };
            let (high, low) = (at(h), at(-h));
            let unit = cavity.var.sqrt();
            for k in 0..3 {
                let slope = (high[k] - low[k]) / (2.0 * h);
                let got = curvature.by_param[index][k];
                let what = format!("{likelihood:?} {y:?} {cavity:?} power {power}, {} order {k}", param.name);
                assert_near(got, slope, 1e-6 * (slope.abs() + (1.0 + high[0].abs()) / unit.powi(k as i32)), &what);
            }
            assert_near(gradient[index], curvature.by_param[index][0], 1e-12 * gradient[index].abs(), &param.name);
        }
    });
}

#[test]
fn the_two_labels_share_the_whole_probability() {
    for likelihood in every_likelihood() {
        for mean in [-60.0, -8.0, -0.7, 0.0, 0.2, 3.0, 9.0, 60.0] {
            for var in [0.0, 1e-10, 0.3, 4.0, 1e6, 1e12] {
                let f = Gaussian { mean, var };
                let [negative, positive] = LABELS.map(|y| likelihood.log_predict(y, f));
                let what = format!("{likelihood:?} {f:?}");
                assert_near(negative.exp() + positive.exp(), 1.0, 1e-14, &what);
                let both = likelihood.class_probabilities(f);
                assert_near(both.positive, positive.exp(), 1e-14, &what);
                assert_eq!(likelihood.predict(f), both.positive, "{what}");
                for (got, want) in both.logs.into_iter().zip([negative, positive]) {
                    assert_near(got, want, 1e-12 * want.abs() + 1e-300, &what);
                }
                // Where one of them is close to 1 its logarithm is the other's mass, to all digits.
                let (rare, common) = (negative.min(positive), negative.max(positive));
                let exact = (-rare.exp()).ln_1p();
                assert_near(common, exact, 1e-12 * exact.abs() + 1e-300, &what);
            }
        }
    }
}

#[test]
fn known_latent_values_are_the_limit_of_narrow_ones() {
    for likelihood in every_likelihood() {
        for y in LABELS {
            for mean in [-3.0, -0.31, 0.47, 2.0] {
                let narrow = likelihood.log_predict(y, Gaussian { mean, var: 1e-12 });
                assert_near(narrow, likelihood.log_p(y, mean), 1e-9, &format!("{likelihood:?} {mean}"));
                assert_near(
                    likelihood.predict(Gaussian { mean, var: 0.0 }),
                    likelihood.log_p(Sign::Positive, mean).exp(),
                    1e-15,
                    "predict",
                );
            }
        }
    }
}

#[test]
fn extremes_are_never_nan() {
    let mut list = every_likelihood();
    for (eps, sigma) in [(0.0, 0.0), (1e-12, 0.0), (0.0, 1e6), (1e-12, 1e6), (1e-300, 1e-9)] {
        list.push(Likelihood::full(eps, 0.0, sigma).unwrap());
    }
    list.push(Likelihood::step(0.0).unwrap());
    for likelihood in list {
        for y in LABELS {
            for mean in [0.0, 1e-9, 1.0, 1e3, 1e9, 1e100] {
                for var in [0.0, 1e-30, 1e-12, 1e-4, 1.0, 1e4, 1e12, 1e30] {
                    for power in POWERS {
                        let cavity = Gaussian { mean, var };
                        let what = format!("{likelihood:?} {y:?} {cavity:?} power {power}");
                        let moments = likelihood.moments(y, cavity, power);
                        let curvature = likelihood.curvature(y, cavity, power);
                        let gradient = likelihood.gradient(y, cavity, power);
                        let numbers =
                            [moments.log_z, moments.d1, moments.d2, moments.shrink, likelihood.predict(cavity)];
                        let rest = curvature.d.iter().chain(curvature.by_param.iter().flatten()).chain(&gradient);
                        assert!(numbers.iter().chain(rest).all(|v| !v.is_nan()), "{what}: {moments:?} {curvature:?}");
                        assert!(moments.log_z <= 0.0 && moments.shrink >= 0.0, "{what}: {moments:?}");
                        let flipped = likelihood.flip_probability(y, cavity);
                        assert!((0.0..=1.0).contains(&flipped), "{what}: {flipped}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_step_on_a_noisy_latent_is_a_noisy_probit() {
    let noise = 0.8_f64;
    for eps in [0.0, 1e-9, 0.07] {
        let step = Likelihood::step(eps).unwrap();
        let noisy = Likelihood::full(eps, 0.0, noise).unwrap();
        for (mean, var) in CAVITIES {
            for y in LABELS {
                let plain = step.moments(y, Gaussian { mean, var: var + noise * noise }, 1.0);
                let soft = noisy.moments(y, Gaussian { mean, var }, 1.0);
                for (a, b) in [(plain.log_z, soft.log_z), (plain.d1, soft.d1), (plain.d2, soft.d2)] {
                    assert_near(a, b, 1e-13 * (1.0 + b.abs()), &format!("{eps} {mean} {var}"));
                }
            }
        }
    }
}

#[test]
fn a_wrong_label_is_found_by_bayes() {
    let robust = Likelihood::full(0.1, 0.2, 0.5).unwrap();
    let clean = Likelihood::full(0.0, 0.2, 0.5).unwrap();
    for (mean, var) in CAVITIES {
        let f = Gaussian { mean, var };
        for y in LABELS {
            let wrong = 0.1 * clean.log_predict(y.flipped(), f).exp();
            let right = 0.9 * clean.log_predict(y, f).exp();
            assert_near(robust.flip_probability(y, f), wrong / (wrong + right), 1e-14, "flip");
            assert_eq!(clean.flip_probability(y, f), 0.0);
        }
    }
}

#[test]
fn equal_label_errors_of_the_classes_are_the_shared_one() {
    for eps in [1e-6, 0.05, 0.4] {
        let (one, each) = (Likelihood::robust(eps).unwrap(), Likelihood::robust_per_class(eps, eps).unwrap());
        for (mean, var) in CAVITIES {
            let f = Gaussian { mean, var };
            assert_eq!((one.predict(f), one.eps()), (each.predict(f), each.eps()));
            for y in LABELS {
                assert_eq!(one.flip_probability(y, f), each.flip_probability(y, f));
                for power in POWERS {
                    assert_eq!(one.moments(y, f, power), each.moments(y, f, power));
                    let (shared, own) = (one.curvature(y, f, power).by_param, each.curvature(y, f, power).by_param);
                    for k in 0..3 {
                        // Both move where the shared one does.
                        let both = own[0][k] + own[1][k];
                        let size = own[0][k].abs() + own[1][k].abs();
                        assert_near(both, shared[0][k], 1e-12 * size, &format!("{eps} {f:?} {y:?} {power} order {k}"));
                    }
                }
            }
        }
    }
}

#[test]
fn a_label_is_doubted_by_the_error_of_the_class_that_it_hides() {
    let [of_negatives, of_positives] = [0.03, 0.2];
    let each = Likelihood::robust_per_class(of_negatives, of_positives).unwrap();
    let clean = Likelihood::probit();
    for (mean, var) in CAVITIES {
        let f = Gaussian { mean, var };
        for (y, own, other) in
            [(Sign::Negative, of_negatives, of_positives), (Sign::Positive, of_positives, of_negatives)]
        {
            let wrong = other * clean.log_predict(y.flipped(), f).exp();
            let right = (1.0 - own) * clean.log_predict(y, f).exp();
            assert_near(each.flip_probability(y, f), wrong / (wrong + right), 1e-14, "flip");
            assert_near(each.log_predict(y, f).exp(), wrong + right, 1e-14, "label");
        }
    }
}

#[test]
fn laplace_gets_derivatives_or_a_reason() {
    assert_eq!(Likelihood::step(0.1).unwrap().smooth().err(), Some(LikelihoodError::NotSmooth));
    assert_eq!(Likelihood::robust(0.1).unwrap().smooth().err(), Some(LikelihoodError::NotLogConcave(0.1)));
    let h = 1e-4;
    for likelihood in every_likelihood() {
        let Ok(smooth) = likelihood.smooth() else {
            assert!(likelihood.sigma() == 0.0 || !likelihood.is_log_concave(), "{likelihood:?}");
            continue;
        };
        for y in LABELS {
            for f in [-20.0, -2.0, 0.1, 1.7] {
                let [low, here, high] = [f - h, f, f + h].map(|f| smooth.derivatives(y, f));
                assert_eq!(here[0], likelihood.log_p(y, f));
                for k in 1..4 {
                    let slope = (high[k - 1] - low[k - 1]) / (2.0 * h);
                    assert_near(here[k], slope, 1e-5 * (1.0 + here[1].abs()), &format!("{likelihood:?} {f} {k}"));
                }
                assert_eq!(smooth.param_derivatives(y, f).len(), likelihood.params().len());
            }
        }
    }
}

#[test]
fn parameters_are_those_of_the_member() {
    let full = Likelihood::full(0.1, -2.0, 3.0).unwrap();
    let listed: Vec<_> = full.params().into_iter().map(|p| (p.name.clone(), p.value, p.transform(), p.fixed)).collect();
    let expected =
        [("eps", 0.1, Transform::LogitHalf), ("b", -2.0, Transform::Identity), ("sigma", 3.0, Transform::Log)];
    assert_eq!(listed, expected.map(|(name, value, transform)| (name.to_string(), value, transform, false)));
    for likelihood in every_likelihood() {
        let mut copy = likelihood.clone();
        copy.set_values(&likelihood.params().iter().map(|param| param.value).collect::<Vec<_>>());
        assert_eq!(copy, likelihood);
        let text = serde_json::to_string(&likelihood).unwrap();
        assert_eq!(serde_json::from_str::<Likelihood>(&text).unwrap(), likelihood);
    }
    let text = serde_json::to_string(&full).unwrap();
    for (good, bad) in [("0.1", "0.7"), ("3.0", "-3.0"), ("[false,false,false]", "[false]")] {
        assert!(text.contains(good), "{text}");
        assert!(serde_json::from_str::<Likelihood>(&text.replace(good, bad)).is_err(), "{bad}");
    }
}

#[test]
fn robust_is_the_full_one_without_bias_and_noise_to_the_bit() {
    let (robust, full) = (Likelihood::robust(0.07).unwrap(), Likelihood::full(0.07, 0.0, 1.0).unwrap());
    assert_eq!(robust.params().len(), 1);
    for (mean, var) in CAVITIES {
        for (y, power) in LABELS.iter().flat_map(|&y| POWERS.map(|power| (y, power))) {
            let f = Gaussian { mean, var };
            assert_eq!(robust.moments(y, f, power), full.moments(y, f, power));
            assert_eq!(robust.gradient(y, f, power)[0], full.gradient(y, f, power)[0]);
            let (one, all) = (robust.curvature(y, f, power), full.curvature(y, f, power));
            assert_eq!((one.log_z, one.d, one.by_param[0]), (all.log_z, all.d, all.by_param[0]));
        }
    }
}

#[test]
fn former_spellings_are_read() {
    let read = |member: &str, fixed: &str, b: f64| {
        let text = format!(r#"{{"probit":{{"member":"{member}","eps":0.1,"b":{b:?},"sigma":1.0,"fixed":{fixed}}}}}"#);
        serde_json::from_str::<Likelihood>(&text).unwrap()
    };
    assert_eq!(read("robust", "[false,true,true]", 0.0), Likelihood::robust(0.1).unwrap());
    assert_eq!(read("robust", "[false,false,false]", 0.0), Likelihood::full(0.1, 0.0, 1.0).unwrap());
    assert_eq!(read("robust", "[false,true,true]", 0.5).name(), "full");
    assert_eq!(read("probit_bias", "[false]", 0.5).name(), "probit-bias");
    assert_eq!(read("probit_noise", "[false]", 0.0).name(), "probit-noise");
    let other = r#"{"probit":{"member":"logistic","eps":0.1,"b":0.0,"sigma":1.0,"fixed":[]}}"#;
    assert!(serde_json::from_str::<Likelihood>(other).is_err());
}

#[test]
fn bad_values_and_names_are_refused() {
    assert_eq!(Likelihood::step(0.5), Err(LikelihoodError::LabelError { name: "eps", value: 0.5 }));
    assert_eq!(Likelihood::step(-1e-9), Err(LikelihoodError::LabelError { name: "eps", value: -1e-9 }));
    let unlike = Likelihood::robust_per_class(0.1, 0.6).unwrap_err().to_string();
    assert_eq!(unlike, "the label error eps_positive is 0.6; it must be at least 0 and below 1/2");
    assert!(Likelihood::step(f64::NAN).is_err() && Likelihood::probit_noise(f64::NAN).is_err());
    assert_eq!(Likelihood::probit_bias(f64::INFINITY), Err(LikelihoodError::Bias(f64::INFINITY)));
    assert_eq!(Likelihood::probit_noise(-1.0), Err(LikelihoodError::Noise(-1.0)));
    let mut step = Likelihood::step(0.0).unwrap();
    assert!(step.params()[0].fixed, "a zero label error has no finite coordinate");
    assert_eq!(step.set_fixed("eps", false), Err(LikelihoodError::OnBoundary { name: "eps" }));
    let message = step.set_fixed("sigma", true).unwrap_err().to_string();
    assert_eq!(message, "the step likelihood has no parameter named \"sigma\"; it has eps");
    assert!(Likelihood::logistic().set_fixed("b", true).is_err());
    let mut full = Likelihood::full(0.1, 0.0, 1.0).unwrap();
    full.set_fixed("b", true).unwrap();
    assert_eq!(full.params().iter().map(|p| p.fixed).collect::<Vec<_>>(), [false, true, false]);
}
