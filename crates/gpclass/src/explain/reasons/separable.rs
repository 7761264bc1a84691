//! Kernels that are sums of products over features.

use crate::data::{Feature, FeatureKind};
use crate::kernel::{Kernel, Profile, Scales};

/// A rate at which the exponential of a difference of one is nothing.
const VANISHING: f64 = 1e3;

/// A part of a kernel whose coalitions have closed forms.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// `variance exp(-sum_m (square_m d_m² + step_m |d_m|))` with d_m the difference in a feature, or whether its levels differ.
    Product { variance: f64, square: Vec<f64>, step: Vec<f64> },
    /// `sum_m weight_m <x_m, x'_m>`.
    Linear { weight: Vec<f64> },
}

/// A kernel of some features as a sum of terms, noise of single rows left out; `None` if it is none.
pub(super) fn terms(kernel: &Kernel, features: &[Feature]) -> Option<Vec<Term>> {
    let each = |scales: Scales| match scales {
        Scales::Single(value) => vec![value; features.len()],
        Scales::Ard(values) => values,
    };
    let nothing = || vec![0.0; features.len()];
    match kernel {
        Kernel::Stationary(leaf) => match leaf.profile() {
            Profile::SquaredExponential => {
                let square = each(leaf.scales()).into_iter().map(|l| 0.5 * l).collect();
                Some(vec![Term::Product { variance: leaf.v0(), square, step: nothing() }])
            }
            Profile::Matern12 | Profile::Matern32 | Profile::Matern52 | Profile::RationalQuadratic { .. } => None,
        },
        Kernel::L1Product(leaf) => {
            Some(vec![Term::Product { variance: leaf.v0(), square: nothing(), step: each(leaf.scales()) }])
        }
        Kernel::Additive(leaf) => {
            // A product of one factor for every feature.
            let term = |(m, variance): (usize, f64)| {
                let (mut square, mut step) = (nothing(), nothing());
                match features[m].kind {
                    FeatureKind::Continuous => square[m] = 0.5 * leaf.l(),
                    FeatureKind::Discrete => step[m] = VANISHING,
                }
                Term::Product { variance, square, step }
            };
            Some(each(leaf.scales()).into_iter().enumerate().map(term).collect())
        }
        Kernel::Linear(leaf) => Some(vec![Term::Linear { weight: each(leaf.scales()) }]),
        Kernel::Bias(leaf) => Some(vec![Term::Product { variance: leaf.v1(), square: nothing(), step: nothing() }]),
        Kernel::Noise(_) => Some(Vec::new()),
        Kernel::Sum(parts) => {
            Some(parts.iter().map(|part| terms(part, features)).collect::<Option<Vec<_>>>()?.concat())
        }
        Kernel::Product(parts) => {
            let one = Term::Product { variance: 1.0, square: nothing(), step: nothing() };
            parts.iter().try_fold(vec![one], |product, part| {
                let part = terms(part, features)?;
                product.iter().flat_map(|a| part.iter().map(move |b| times(a, b))).collect()
            })
        }
        // Every class has its own.
        Kernel::PerClass(_) => None,
    }
}

fn times(a: &Term, b: &Term) -> Option<Term> {
    let constant = |square: &[f64], step: &[f64]| square.iter().chain(step).all(|rate| *rate == 0.0);
    let plus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
    match (a, b) {
        (
            Term::Product { variance, square, step },
            Term::Product { variance: v, square: other_square, step: other_step },
        ) => Some(Term::Product {
            variance: variance * v,
            square: plus(square, other_square),
            step: plus(step, other_step),
        }),
        (Term::Product { variance, square, step }, Term::Linear { weight })
        | (Term::Linear { weight }, Term::Product { variance, square, step })
            if constant(square, step) =>
        {
            Some(Term::Linear { weight: weight.iter().map(|w| variance * w).collect() })
        }
        _ => None,
    }
}
