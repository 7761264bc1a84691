//! Rules that every kernel obeys, run over at least one case of every kind.

use super::blocks::{Block, Pairs};
use super::metric::{DIRECT_COLUMNS, Distances};
use super::*;
use crate::data::FeatureKind;
use gpclass_linalg::{cholesky_in_place, with_threads};

/// Pseudo-random numbers in (-1, 1): enough for test points, and without a seed to carry around.
fn noise_at(k: usize) -> f64 {
    let mut h = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((h ^ (h >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Features "dose" and "age", continuous, around "site", discrete with three levels; rows 3 and 7 are identical.
fn mixed(rows: usize, salt: usize) -> Inputs {
    let feature = |name: &str, kind, columns| Feature { name: name.into(), kind, columns };
    let features = vec![
        feature("dose", FeatureKind::Continuous, 0..1),
        feature("site", FeatureKind::Discrete, 1..4),
        feature("age", FeatureKind::Continuous, 4..5),
    ];
    let value = |i: usize, c: usize| {
        let i = if i == 7 { 3 } else { i };
        match c {
            0 | 4 => 1.5 * noise_at(salt + 31 * i + c),
            _ if (i * i + salt) % 3 == c - 1 => 0.5f64.sqrt(),
            _ => 0.0,
        }
    };
    Inputs::new(features, Mat::from_fn(rows, 5, value))
}

fn ard() -> Scales {
    Scales::Ard(vec![0.7, 1.3, 0.2])
}

/// Every kind of kernel, alone and combined, for the inputs of [`mixed`].
fn cases() -> Vec<Kernel> {
    let cases = vec![
        Kernel::squared_exponential(1.7, Scales::Single(0.8)),
        Kernel::squared_exponential(0.4, ard()),
        Kernel::matern12(1.2, Scales::Single(0.5)),
        Kernel::matern12(2.2, ard()),
        Kernel::matern32(0.6, ard()),
        Kernel::matern32(0.9, Scales::Single(2.0)),
        Kernel::matern52(1.1, ard()),
        Kernel::matern52(0.3, Scales::Single(0.1)),
        Kernel::rational_quadratic(1.4, 0.7, Scales::Single(0.9)),
        Kernel::rational_quadratic(0.8, 3.0, ard()),
        Kernel::l1_product(1.6, Scales::Single(0.4)),
        Kernel::l1_product(0.7, ard()),
        Kernel::additive(Scales::Single(0.6), 0.9),
        Kernel::additive(ard(), 1.8),
        Kernel::linear(Scales::Single(0.6)),
        Kernel::linear(ard()),
        Kernel::bias(0.9),
        Kernel::noise(0.3),
        Kernel::squared_exponential(1.7, ard()) + Kernel::bias(0.5) + Kernel::noise(0.1),
        Kernel::squared_exponential(1.7, ard()) * Kernel::linear(Scales::Single(0.4)),
        Kernel::squared_exponential(1.0, ard()) + Kernel::squared_exponential(2.0, Scales::Single(3.0)),
        (Kernel::matern32(1.3, ard()) + Kernel::bias(0.2)) * (Kernel::linear(ard()) + Kernel::noise(0.5))
            + Kernel::noise(0.7),
        Kernel::matern32(1.0, ard()) * Kernel::matern32(2.0, ard()) * Kernel::bias(0.4) * Kernel::noise(0.6),
        Kernel::l1_product(1.0, ard()) * Kernel::linear(ard()) + Kernel::l1_product(0.4, Scales::Single(2.0)),
        Kernel::additive(ard(), 0.4) * Kernel::linear(ard())
            + Kernel::additive(Scales::Single(0.3), 2.0)
            + Kernel::bias(0.2),
        (Kernel::matern52(1.0, ard()) + Kernel::bias(0.3)).per_class(["a", "b", "c"]),
    ];
    cases.into_iter().map(bound).collect()
}

fn bound(mut kernel: Kernel) -> Kernel {
    kernel.bind(mixed(1, 0).features());
    kernel
}

/// The kinds of kernel. `Product` stays last, so that it knows their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    SquaredExponential,
    Matern12,
    Matern32,
    Matern52,
    RationalQuadratic,
    L1Product,
    Additive,
    Linear,
    Bias,
    Noise,
    Sum,
    PerClass,
    Product,
}

/// The kinds in a tree. Without a wildcard: a new variant does not compile without a kind, nor pass without a case.
fn kinds(kernel: &Kernel) -> Vec<Kind> {
    let with_parts = |own| kernel.parts().flat_map(kinds).chain([own]).collect();
    match kernel {
        Kernel::Stationary(leaf) => match leaf.profile() {
            Profile::SquaredExponential => vec![Kind::SquaredExponential],
            Profile::Matern12 => vec![Kind::Matern12],
            Profile::Matern32 => vec![Kind::Matern32],
            Profile::Matern52 => vec![Kind::Matern52],
            Profile::RationalQuadratic { .. } => vec![Kind::RationalQuadratic],
        },
        Kernel::L1Product(_) => vec![Kind::L1Product],
        Kernel::Additive(_) => vec![Kind::Additive],
        Kernel::Linear(_) => vec![Kind::Linear],
        Kernel::Bias(_) => vec![Kind::Bias],
        Kernel::Noise(_) => vec![Kind::Noise],
        Kernel::Sum(_) => with_parts(Kind::Sum),
        Kernel::PerClass(_) => with_parts(Kind::PerClass),
        Kernel::Product(_) => with_parts(Kind::Product),
    }
}

fn assert_close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}: {a:e} against {b:e}");
}

fn random_symmetric(n: usize) -> Mat {
    Mat::from_fn(n, n, |i, j| noise_at(1000 + i.max(j) * n + i.min(j)))
}

#[test]
fn every_kind_has_a_case() {
    let found: HashSet<Kind> = cases().iter().flat_map(kinds).collect();
    assert_eq!(found.len(), Kind::Product as usize + 1, "only these kinds have a case: {found:?}");
}

#[test]
fn gram_is_symmetric_and_positive_semidefinite() {
    let x = mixed(90, 0);
    for kernel in cases() {
        let gram = kernel.gram(&x);
        assert_eq!(gram, gram.transposed(), "{}", kernel.describe());
        let mut shifted = gram;
        for i in 0..x.rows() {
            shifted[(i, i)] += 1e-10;
        }
        assert!(cholesky_in_place(&mut shifted).is_ok(), "{} is not semi-definite", kernel.describe());
    }
}

#[test]
fn diag_is_the_diagonal_of_gram() {
    let x = mixed(70, 0);
    for kernel in cases() {
        for (a, b) in kernel.diag(&x).into_iter().zip(kernel.gram(&x).diag()) {
            assert_close(a, b, 1e-15, &kernel.describe());
        }
    }
}

/// The kernel with every noise switched off.
fn without_noise(kernel: &Kernel) -> Kernel {
    match kernel {
        Kernel::Noise(_) => Kernel::noise(0.0),
        Kernel::Sum(parts) => Kernel::Sum(parts.iter().map(without_noise).collect()),
        Kernel::Product(parts) => Kernel::Product(parts.iter().map(without_noise).collect()),
        Kernel::PerClass(own) => {
            let without = |own: &ClassKernel| ClassKernel { kernel: without_noise(&own.kernel), ..own.clone() };
            Kernel::PerClass(own.iter().map(without).collect())
        }
        leaf => leaf.clone(),
    }
}

#[test]
fn cross_is_gram_without_noise() {
    let (a, b) = (mixed(80, 0), mixed(67, 5));
    for kernel in cases() {
        let (cross, gram) = (kernel.cross(&a, &a), without_noise(&kernel).gram(&a));
        for (c, g) in cross.as_slice().iter().zip(gram.as_slice()) {
            assert_close(*c, *g, 1e-15, &kernel.describe());
        }
        let (ab, ba) = (kernel.cross(&a, &b), kernel.cross(&b, &a).transposed());
        assert_eq!((ab.rows(), ab.cols()), (80, 67));
        for (c, d) in ab.as_slice().iter().zip(ba.as_slice()) {
            assert_close(*c, *d, 1e-15, &kernel.describe());
        }
    }
}

/// Entries by the textbook formula, from rows 2 and 5 of [`mixed`]; rows 3 and 7 are the same point.
#[test]
fn entries_follow_their_formulas() {
    let x = mixed(9, 0);
    let v = x.values();
    let (d_dose, d_age) = ((v[(2, 0)] - v[(5, 0)]).powi(2), (v[(2, 4)] - v[(5, 4)]).powi(2));
    let equal_site = (1..4).all(|c| v[(2, c)] == v[(5, c)]);
    let r2 = 0.7 * d_dose + if equal_site { 0.0 } else { 1.3 } + 0.2 * d_age; // EMEP (10)
    let r = r2.sqrt();
    let s = 0.7 * d_dose.sqrt() + if equal_site { 0.0 } else { 1.3 } + 0.2 * d_age.sqrt();
    for (kernel, want) in [
        (Kernel::squared_exponential(2.0, ard()), 2.0 * (-0.5 * r2).exp()),
        (Kernel::matern12(2.0, ard()), 2.0 * (-r).exp()),
        (Kernel::matern32(2.0, ard()), 2.0 * (1.0 + 3f64.sqrt() * r) * (-(3f64.sqrt()) * r).exp()),
        (Kernel::matern52(2.0, ard()), 2.0 * (1.0 + 5f64.sqrt() * r + 5.0 / 3.0 * r2) * (-(5f64.sqrt()) * r).exp()),
        (Kernel::rational_quadratic(2.0, 0.7, ard()), 2.0 * (1.0 + r2 / 1.4).powf(-0.7)),
        (Kernel::l1_product(2.0, ard()), 2.0 * (-s).exp()),
        (
            Kernel::additive(ard(), 1.7),
            0.7 * (-0.85 * d_dose).exp() + if equal_site { 1.3 } else { 0.0 } + 0.2 * (-0.85 * d_age).exp(),
        ),
        (
            Kernel::linear(ard()),
            0.7 * v[(2, 0)] * v[(5, 0)] + if equal_site { 0.65 } else { 0.0 } + 0.2 * v[(2, 4)] * v[(5, 4)],
        ),
        (Kernel::bias(0.3), 0.3),
        (Kernel::noise(0.3), 0.0),
    ] {
        let gram = kernel.gram(&x);
        assert_close(gram[(5, 2)], want, 4e-16, &kernel.describe());
        if let Kernel::Stationary(_) | Kernel::L1Product(_) | Kernel::Additive(_) = kernel {
            let own = kernel.diag(&x)[0];
            assert_eq!((gram[(7, 3)], gram[(4, 4)]), (own, own), "identical rows must be at distance 0");
        }
    }
}

/// Checks the pull-back against central differences of sum_ij A_ij K_ij in the logarithm of each parameter.
fn check_pull_back(kernel: &Kernel, x: &Inputs) {
    let adjoint = random_symmetric(x.rows());
    let mut lower = adjoint.clone();
    for j in 0..x.rows() {
        lower.col_mut(j)[..j].fill(f64::NAN); // must not be read
    }
    let gradient = kernel.pull_back(x, &lower);
    let params = kernel.params();
    assert_eq!(gradient.len(), params.len());
    let objective = |values: &[f64]| {
        let mut moved = kernel.clone();
        moved.set_values(values);
        moved.gram(x).as_slice().iter().zip(adjoint.as_slice()).map(|(k, a)| k * a).sum::<f64>()
    };
    let values: Vec<f64> = params.iter().map(|p| p.value).collect();
    for (p, g) in gradient.iter().enumerate() {
        let at = |h: f64| {
            let mut moved = values.clone();
            moved[p] *= h.exp();
            objective(&moved)
        };
        // Fourth order: the error is far below what the assertion asks for.
        let h = 2e-3;
        let difference = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        assert_close(*g, difference, 2e-9, &format!("{} in {}", params[p].name, kernel.describe()));
    }
}

#[test]
fn pull_back_is_the_gradient() {
    let x = mixed(70, 0);
    for kernel in cases() {
        check_pull_back(&kernel, &x);
    }
}

/// Continuous inputs with more columns than differences are used for; the last rows nearly or exactly repeat others.
fn wide(rows: usize) -> Inputs {
    let columns = DIRECT_COLUMNS + 9;
    let value = |i: usize, c: usize| match rows - i {
        1 => 3.0 + noise_at(c),
        2 => 3.0 + noise_at(columns + c) + 1e-7 * noise_at(7 * c),
        _ => 3.0 + noise_at(columns * i + c),
    };
    Inputs::continuous(Mat::from_fn(rows, columns, value))
}

fn wide_scales(x: &Inputs) -> Scales {
    Scales::Ard((0..x.features().len()).map(|m| 0.02 * (1.5 + noise_at(99 + m))).collect())
}

#[test]
fn products_agree_with_differences() {
    let x = wide(75);
    let Scales::Ard(weights) = wide_scales(&x) else { unreachable!() };
    let block = Block { rows: 0..75, cols: 0..75, within: true };
    let by = |products| Distances::with_products(Pairs::Within(&x), weights.clone(), products);
    let (differences, products) = (by(false), by(true));
    let (exact, fast) = (differences.block(&block), products.block(&block));
    for (a, b) in fast.r2.as_slice().iter().zip(exact.r2.as_slice()) {
        assert!((a - b).abs() <= 1e-12 * b, "{a:e} against {b:e}");
    }
    assert!((0..75).all(|i| fast.r2[(i, i)] == 0.0));
    assert_eq!(fast.r2[(74, 0)], 0.0, "identical rows");
    // Weights like those of Matern 1/2 at small distances, where cancellation would be amplified.
    let weight = |i, j| if exact.r2[(i, j)] > 0.0 { noise_at(i * 80 + j) / exact.r2[(i, j)].sqrt() } else { 0.0 };
    let q = Mat::from_fn(75, 75, weight);
    let slow_sums = differences.pull_back(&block, &exact, &mut q.clone());
    let fast_sums = products.pull_back(&block, &fast, &mut q.clone());
    for (a, b) in fast_sums.iter().zip(&slow_sums) {
        assert_close(*a, *b, 1e-12, "pull-back");
    }
}

#[test]
fn wide_inputs_obey_the_same_rules() {
    let (x, other) = (wide(75), wide(70));
    for kernel in [
        Kernel::squared_exponential(1.3, wide_scales(&x)),
        Kernel::matern12(1.3, wide_scales(&x)),
        Kernel::rational_quadratic(1.3, 2.0, Scales::Single(0.03)),
        Kernel::l1_product(1.3, wide_scales(&x)),
        Kernel::additive(wide_scales(&x), 0.7),
        Kernel::linear(wide_scales(&x)),
    ] {
        check_pull_back(&kernel, &x);
        let gram = kernel.gram(&x);
        for (a, b) in kernel.cross(&x, &x).as_slice().iter().zip(gram.as_slice()) {
            assert_close(*a, *b, 1e-13, &kernel.describe());
        }
        let (ab, ba) = (kernel.cross(&x, &other), kernel.cross(&other, &x).transposed());
        for (a, b) in ab.as_slice().iter().zip(ba.as_slice()) {
            assert_close(*a, *b, 1e-13, &kernel.describe());
        }
    }
}

#[test]
fn extreme_parameters_stay_finite() {
    for x in [mixed(70, 0), wide(70)] {
        for l in [1e-6, 1e6] {
            for v0 in [1e-8, 1e8] {
                let l = || Scales::Ard(vec![l; x.features().len()]);
                for kernel in [
                    Kernel::squared_exponential(v0, l()),
                    Kernel::matern12(v0, l()),
                    Kernel::matern32(v0, l()),
                    Kernel::matern52(v0, l()),
                    Kernel::rational_quadratic(v0, 1e-3, l()),
                    Kernel::rational_quadratic(v0, 1e6, l()),
                    Kernel::l1_product(v0, l()),
                    Kernel::additive(l(), v0),
                    Kernel::linear(l()),
                ] {
                    let gradient = kernel.pull_back(&x, &random_symmetric(70));
                    let all = [kernel.gram(&x).as_slice(), &gradient].concat();
                    assert!(all.iter().all(|v| v.is_finite()), "{} at v0 {v0}", kernel.describe());
                }
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let x = Inputs::continuous(Mat::from_fn(1030, 3, |i, c| noise_at(3 * i + c)));
    let columns = Kernel::l1_product(0.7, ard()) + Kernel::additive(ard(), 0.6);
    let kernel = Kernel::squared_exponential(1.0, ard()) + columns + Kernel::bias(0.5);
    let adjoint = random_symmetric(1030);
    let run = |threads| with_threads(threads, || (kernel.gram(&x), kernel.pull_back(&x, &adjoint)));
    assert_eq!(run(1), run(2));
}

#[test]
fn values_and_fixed_marks_round_trip() {
    for mut kernel in cases() {
        let params = kernel.params();
        let names: HashSet<_> = params.iter().map(|p| p.name.clone()).collect();
        assert_eq!(names.len(), params.len(), "names of {} must be unique", kernel.describe());
        assert_eq!(kernel.check(&mixed(5, 0)), Ok(()));

        let last = params.len() - 1;
        kernel.set_fixed(&params[last].name, true).unwrap();
        let doubled: Vec<f64> = params.iter().map(|p| 2.0 * p.value).collect();
        kernel.set_values(&doubled);
        kernel.set_value(&params[0].name, 3.5).unwrap();
        for (i, (after, before)) in kernel.params().iter().zip(&params).enumerate() {
            assert_eq!(after.name, before.name);
            assert_eq!(after.value, if i == 0 { 3.5 } else { 2.0 * before.value });
            assert_eq!(after.fixed, i == last);
        }

        let json = serde_json::to_string(&kernel).unwrap();
        assert_eq!(serde_json::from_str::<Kernel>(&json).unwrap(), kernel, "{json}");
    }
}

fn names_of(kernel: Kernel) -> Vec<String> {
    bound(kernel).params().into_iter().map(|p| p.name).collect()
}

#[test]
fn names_are_qualified_only_where_they_clash() {
    let emep = Kernel::squared_exponential(1.0, ard()) + Kernel::bias(1.0) + Kernel::noise(1.0);
    assert_eq!(emep.describe(), "SE(ARD) + bias + noise");
    assert_eq!(names_of(emep), ["v0", "l[dose]", "l[site]", "l[age]", "v1", "v2"]);
    let se = || Kernel::squared_exponential(1.0, Scales::Single(1.0));
    let clash = se() * (Kernel::linear(Scales::Single(1.0)) + se()) + Kernel::linear(ard());
    assert_eq!(clash.describe(), "SE * (linear + SE) + linear(ARD)");
    assert_eq!(names_of(clash), ["se.v0", "se.l", "linear.v0", "se2.v0", "se2.l", "w[dose]", "w[site]", "w[age]"]);
    let terms = Kernel::additive(ard(), 1.0) + Kernel::additive(Scales::Single(1.0), 1.0);
    assert_eq!(terms.describe(), "additive(ARD) + additive");
    assert_eq!(names_of(terms), ["w[dose]", "w[site]", "w[age]", "additive.l", "v0", "additive2.l"]);
    let matern = || Kernel::matern32(1.0, Scales::Single(1.0));
    assert_eq!(names_of(matern() + matern()), ["matern32.v0", "matern32.l", "matern32_2.v0", "matern32_2.l"]);
}

#[test]
fn combinators_dissolve_their_own_kind() {
    let a = || Kernel::bias(1.0);
    assert_eq!(Kernel::sum([a(), a() + a()]), Kernel::Sum(vec![a(), a(), a()]));
    assert_eq!(a() * (a() * a()), Kernel::Product(vec![a(), a(), a()]));
    assert_eq!(a() * (a() + a()), Kernel::Product(vec![a(), Kernel::Sum(vec![a(), a()])]));
}

#[test]
fn scales_are_reported_per_leaf() {
    let kernel = Kernel::matern52(1.0, ard()) + Kernel::bias(1.0) + Kernel::linear(Scales::Single(0.5));
    let leaf = |leaf: &str, scales| LeafScales { leaf: leaf.into(), scales };
    assert_eq!(kernel.scales(), [leaf("matern52", ard()), leaf("linear", Scales::Single(0.5))]);
}

#[test]
fn check_refuses_what_cannot_be_used() {
    let x = mixed(4, 0);
    let short = Kernel::squared_exponential(1.0, Scales::Ard(vec![1.0; 5])) + Kernel::bias(1.0);
    assert_eq!(short.check(&x), Err(KernelError::FeatureCount { leaf: "se".into(), scales: 5, features: 3 }));
    for value in [0.0, -1.0, f64::INFINITY] {
        let name = "l".to_owned();
        let kernel = Kernel::squared_exponential(1.0, Scales::Single(value));
        assert_eq!(kernel.check(&x), Err(KernelError::Value { name, value }));
    }
    assert_eq!(Kernel::Sum(vec![]).check(&x), Err(KernelError::Empty { combinator: "sum" }));

    let mut off = Kernel::noise(0.0);
    assert_eq!(off.check(&x), Err(KernelError::Value { name: "v2".into(), value: 0.0 }));
    off.set_fixed("v2", true).unwrap();
    assert_eq!(off.check(&x), Ok(()));
    assert_eq!(off.pull_back(&x, &random_symmetric(4)), [0.0]);
    let unknown = off.set_fixed("v1", true);
    assert_eq!(unknown, Err(KernelError::UnknownName { name: "v1".into(), known: "v2".into() }));
}

#[test]
fn no_rows_give_empty_results() {
    let (none, some) = (mixed(0, 0), mixed(3, 0));
    for kernel in cases() {
        assert_eq!(kernel.gram(&none).rows(), 0);
        assert_eq!(kernel.cross(&none, &some).cols(), 3);
        assert_eq!(kernel.cross(&some, &none).rows(), 3);
        assert!(kernel.pull_back(&none, &Mat::zeros(0, 0)).iter().all(|g| *g == 0.0));
    }
}
