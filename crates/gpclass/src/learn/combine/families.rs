//! The models that are stacked where nobody names them.

use crate::data::InputView;
use crate::kernel::KernelFamily;
use crate::learn::choose::Family;
use crate::learn::search::Departure;
use crate::learn::{FitOptions, Lengthscales, Priors, Size};
use crate::likelihood::LikelihoodFamily;

use InputView::{Ranked, Standardised, Warped};
use KernelFamily::{L1Product, Linear, Matern32, SquaredExponential};
use LikelihoodFamily::{Probit, Robust};

/// All of them, as (kernel, one weight per feature, likelihood, inputs): the simple ones first, from whose values the others
/// start. Smooth, rough and step-like functions of the columns as they are, bent to be symmetric, or by rank.
///
/// The fewest that lose nothing, by leave-one-out alone: weights found on four fifths of the rows and judged by the corrected
/// left-out probabilities of the rest, over 25 tables of 140 to 450 rows. With linear warped, L1 and L1 ARD of the columns as
/// they are besides, the mean NLP is .2936; with these six .2931 (difference .0005, standard error .0003, a table loses .002 at
/// most). Without any one of them some table loses .004: thyroid without SE, abalone9-18 without linear, breast-cancer without
/// L1, bupa without the robust one, who also has to say which labels look wrong; vehicle1 loses .016 without Matérn ARD, splice
/// .027 without L1 ARD.
const STACKED: [Parts; 6] = [
    (SquaredExponential, false, Probit, Standardised),
    (Linear, false, Probit, Standardised),
    (L1Product, false, Probit, Ranked),
    (SquaredExponential, false, Robust, Warped),
    (Matern32, true, Probit, Standardised),
    (L1Product, true, Probit, Ranked),
];

/// A family by the names of its parts: kernel, one weight per feature, likelihood, inputs.
pub(in crate::learn) type Parts = (KernelFamily, bool, LikelihoodFamily, InputView);

/// The families that the options leave open for a table of this size.
pub(in crate::learn) fn families(options: &FitOptions, size: &Size) -> Vec<Family> {
    left_open(&STACKED, options, size)
}

/// Those of a list that the options leave open: what they name takes the place of what the list has.
pub(in crate::learn) fn left_open(list: &[Parts], options: &FitOptions, size: &Size) -> Vec<Family> {
    // With one feature the two are the same; with more features than rows there is nothing to tell them apart by.
    let may_differ = size.features > 1 && size.features <= size.rows;
    let mut families: Vec<Family> = Vec::new();
    for &(kernel, ard, likelihood, view) in list {
        let ard = match options.lengthscales {
            Lengthscales::Auto => ard && may_differ,
            Lengthscales::Single => false,
            Lengthscales::Ard => true,
        };
        let likelihood = match options.likelihood {
            Some(given) => given,
            None if options.method.allows_label_error() => likelihood,
            None => Probit,
        };
        // Without priors there is nothing to keep weights together.
        let shrunk = ard && options.lengthscales == Lengthscales::Auto && options.priors != Priors::None;
        let family = Family {
            kernel: options.kernel.unwrap_or(kernel),
            ard,
            departure: if shrunk { Departure::Shrunk } else { Departure::Free },
            likelihood,
            view: match (options.inputs, options.kernel) {
                (Some(given), _) => given,
                // Who names a kernel means it for the columns as they are.
                (None, Some(_)) => Standardised,
                (None, None) => view,
            },
        };
        if !families.contains(&family) {
            families.push(family);
        }
    }
    families
}

/// The one of `known` from whose values a search for `family` starts: the nearest that is simpler.
pub(super) fn simpler(family: &Family, known: &[Family]) -> Option<usize> {
    let plain = |other: &Family| !other.ard && other.likelihood != Robust;
    let same = |other: &Family| other.kernel == family.kernel;
    let stationary = |kernel| matches!(kernel, SquaredExponential | Matern32);
    let kin = |other: &Family| stationary(other.kernel) && stationary(family.kernel);
    let first = |good: &dyn Fn(&Family) -> bool| known.iter().position(|other| plain(other) && good(other));
    if plain(family) {
        return None;
    }
    first(&|other| same(other) && other.view == family.view).or_else(|| first(&same)).or_else(|| first(&kin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::{LaplaceOptions, Method};

    fn size(rows: usize, features: usize) -> Size {
        Size { rows, features, classes: 2 }
    }

    #[test]
    fn what_is_named_is_not_varied() {
        let count = |options: &FitOptions, size: &Size| families(options, size).len();
        let open = FitOptions::default();
        assert_eq!(count(&open, &size(200, 5)), STACKED.len());
        let single = families(&open, &size(200, 1));
        assert!(single.iter().all(|family| !family.ard) && single.len() < STACKED.len());
        assert_eq!(count(&open, &size(60, 2000)), single.len());
        let named = FitOptions {
            kernel: Some(Linear),
            likelihood: Some(Probit),
            lengthscales: Lengthscales::Single,
            ..FitOptions::default()
        };
        let ranked = FitOptions { inputs: Some(Ranked), ..named.clone() };
        for (options, view) in [(named, Standardised), (ranked, Ranked)] {
            let [only] = families(&options, &size(200, 5))[..] else { panic!("one for {options:?}") };
            assert_eq!((only.kernel, only.view), (Linear, view));
        }
        let kernel = families(&FitOptions { kernel: Some(SquaredExponential), ..open.clone() }, &size(200, 5));
        assert!(kernel.iter().any(|f| f.ard) && kernel.iter().any(|f| f.likelihood == Robust) && kernel.len() == 3);
        assert!(kernel.iter().all(|family| family.kernel == SquaredExponential));
        let laplace = FitOptions { method: Method::Laplace(LaplaceOptions::default()), ..open };
        assert!(families(&laplace, &size(200, 5)).iter().all(|family| family.likelihood == Probit));
    }

    #[test]
    fn the_larger_start_from_the_simpler() {
        let all = families(&FitOptions::default(), &size(200, 5));
        for (i, family) in all.iter().enumerate() {
            let Some(start) = simpler(family, &all) else { continue };
            assert!(start < i && (all[start].kernel == family.kernel || family.kernel == Matern32), "{family:?}");
        }
        assert_eq!(all.iter().filter(|family| simpler(family, &all).is_some()).count(), 3);
    }
}
