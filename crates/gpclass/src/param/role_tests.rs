//! The table of roles, over every parameter that there is.

use super::{Distance, Of, Param, Prior, Role, Spread, Transform, Whose};
use crate::data::{Inputs, Sign};
use crate::inference::Method;
use crate::learn::{Candidate, Initial, KernelFamily, LikelihoodFamily};
use crate::model::TrainingData;
use gpclass_linalg::Mat;

/// The parameters of every kernel family with every likelihood, with one weight for all features and one for each.
fn all_params() -> Vec<Param> {
    let inputs = Inputs::continuous(Mat::from_fn(6, 2, |i, j| ((i + 1) * (j + 2)) as f64 % 5.0));
    let labels: Vec<Sign> = (0..6).map(|i| if i % 2 == 0 { Sign::Positive } else { Sign::Negative }).collect();
    let data = TrainingData::new(inputs, labels).unwrap();
    let mut params = Vec::new();
    for kernel in KernelFamily::ALL {
        for likelihood in LikelihoodFamily::ALL {
            for ard in [false, true] {
                let (method, initial) = (Method::default(), Initial::Heuristic);
                let model = Candidate::new(kernel, ard, likelihood, &method, initial, &data).unwrap().model;
                params.extend(model.kernel.params().into_iter().chain(model.likelihood.params()));
            }
        }
    }
    params
}

/// Inputs of these mean squared differences.
fn spread(squares: [f64; 2]) -> Spread {
    Spread::new(squares.map(|squared| Distance { squared, absolute: 0.8 * squared.sqrt(), discrete: false }).to_vec())
}

/// Inputs of every size, a constant one among them.
fn spreads() -> [Spread; 3] {
    [spread([2.0, 2.0]), spread([1e-6, 3e6]), spread([0.0, 0.7])]
}

/// One number for each kind of role, without a wildcard: a new one needs a family that has it, or a case here.
fn kind(role: Role) -> usize {
    match role {
        Role::Signal => 0,
        Role::Scale(Of::All) => 1,
        Role::Scale(Of::Feature(_)) => 2,
        Role::Rate(Of::All) => 11,
        Role::Rate(Of::Feature(_)) => 12,
        Role::Term(Of::All) => 13,
        Role::Term(Of::Feature(_)) => 14,
        Role::TermScale => 15,
        Role::Slope(Of::All) => 3,
        Role::Slope(Of::Feature(_)) => 4,
        Role::Level => 5,
        Role::RowNoise => 6,
        Role::Shape => 7,
        Role::LabelError(Whose::All) => 8,
        Role::LabelError(Whose::Negatives) => 16,
        Role::LabelError(Whose::Positives) => 17,
        Role::Shift => 9,
        Role::Softness => 10,
    }
}

#[test]
fn families_have_parameters_of_every_role() {
    let found: std::collections::BTreeSet<usize> = all_params().iter().map(|p| kind(p.role)).collect();
    assert_eq!(found, (0..=17).collect());
}

#[test]
fn bounds_are_finite_and_hold_the_start() {
    for param in all_params() {
        let (lower, upper) = param.role.bounds();
        for coordinate in [lower, upper].map(|v| param.transform().forward(v)) {
            assert!(coordinate.is_finite(), "{param:?}");
        }
        for spread in spreads() {
            // Weights follow the units of the inputs, which need not be standardised; learning then widens its bounds.
            let weight = matches!(param.role, Role::Scale(_) | Role::Rate(_) | Role::TermScale | Role::Slope(_));
            let start = param.role.start(&spread);
            assert!(start.is_finite() && (weight || (lower < start && start < upper)), "{param:?}");
        }
        let start = param.role.start(&spreads()[0]);
        assert!(lower < start && start < upper, "{param:?}");
    }
}

#[test]
fn weak_priors_are_proper() {
    for param in all_params() {
        for spread in spreads() {
            let prior = param.role.weak_prior(&spread);
            assert!(prior.suits(&param), "{param:?}: {prior:?}");
            let (density, slope) = prior.log_density(param.transform(), param.transform().forward(param.value));
            assert!(density.is_finite() && slope.is_finite(), "{param:?}: {prior:?}");
        }
    }
}

#[test]
fn every_parameter_has_a_meaning() {
    for param in all_params() {
        let meaning = param.meaning();
        assert!(!meaning.is_empty(), "{param:?}");
        let names_its_feature = param.role.feature().is_some_and(|m| meaning.contains(&format!("x{}", m + 1)));
        assert_eq!(names_its_feature, param.role.feature().is_some(), "{meaning}");
    }
}

#[test]
fn the_table_says_what_the_notation_says() {
    let spread = spread([2.0, 6.0]);
    let (own, all) = (Of::Feature(1), Of::All);
    assert_eq!(Role::Scale(own).start(&spread), 1.0 / 6.0);
    assert_eq!(Role::Rate(own).start(&spread), 1.0 / (2.0 * 0.8 * 6.0_f64.sqrt()));
    assert_eq!(Role::Slope(all).weak_prior(&spread), Prior::LogNormal { median: 0.25, sd: 2.0 });
    assert_eq!(Role::Term(own).weak_prior(&spread), Prior::LogNormal { median: 1.0, sd: 1.5 }, "2/d");
    assert_eq!(Role::TermScale.start(&spread), 0.5);
    assert_eq!(Role::LabelError(Whose::All).transform(), Transform::LogitHalf);
    let (negatives, positives) = (Role::LabelError(Whose::Negatives), Role::LabelError(Whose::Positives));
    assert_eq!(negatives.meaning(0.12, None), "share of negatives labelled positive: 12.00 %");
    assert_eq!(positives.meaning(0.03, None), "share of positives labelled negative: 3.00 %");
    let amplitudes = [
        Role::Signal,
        Role::Term(all),
        Role::Term(own),
        Role::Slope(all),
        Role::Slope(own),
        Role::Level,
        Role::RowNoise,
    ];
    let weights = [Role::Scale(all), Role::Scale(own), Role::Rate(all), Role::Rate(own), Role::TermScale];
    let others: Vec<Role> = weights
        .into_iter()
        .chain([Role::Shape, Role::LabelError(Whose::All), negatives, positives, Role::Shift, Role::Softness])
        .collect();
    assert!(amplitudes.iter().all(|r| r.is_amplitude()) && !others.iter().any(|r| r.is_amplitude()));
    let joint = |role: &&Role| role.is_under_joint_prior();
    let under: Vec<&Role> = amplitudes.iter().chain(&others).filter(joint).collect();
    assert_eq!(under, [&Role::Slope(own), &Role::Scale(own), &Role::Rate(own)]);
    assert!(Role::Scale(own).is_like(Role::Scale(all)) && !Role::Scale(own).is_like(Role::Slope(own)));
    assert!(!Role::Rate(all).is_like(Role::Scale(all)), "an inverse lengthscale is not an inverse squared one");
}
