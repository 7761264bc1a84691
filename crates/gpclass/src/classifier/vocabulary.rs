//! Every option that is chosen by name, with its names: what the faces of the library offer.

use crate::data::{InputView, MissingChoice, Standardise};
use crate::inference::Method;
use crate::kernel::KernelFamily;
use crate::learn::{ClassKernels, Combine, Initial, Lengthscales, PathChoice, Priors, Search, Sharpen};
use crate::likelihood::LikelihoodFamily;
use crate::model::Multiclass;
use crate::named::{Named, Word};
use crate::objective::Objective;

/// An option and what can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedOption {
    /// The name of the option.
    pub option: &'static str,
    /// Its choices.
    pub words: Vec<Word>,
}

/// Every option that is chosen by name.
pub fn vocabulary() -> Vec<NamedOption> {
    fn list<T: Named>() -> NamedOption {
        NamedOption { option: T::OPTION, words: T::words() }
    }
    vec![
        list::<KernelFamily>(),
        list::<LikelihoodFamily>(),
        list::<InputView>(),
        list::<Lengthscales>(),
        list::<Method>(),
        list::<Objective>(),
        list::<Search>(),
        list::<Initial>(),
        list::<PathChoice>(),
        list::<Priors>(),
        list::<Multiclass>(),
        list::<ClassKernels>(),
        list::<Combine>(),
        list::<Sharpen>(),
        list::<MissingChoice>(),
        list::<Standardise>(),
    ]
}
