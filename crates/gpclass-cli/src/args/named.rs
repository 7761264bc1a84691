//! Options whose values are the names of a library's enum.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gpclass::named::{Named, Word};

/// A parser of the library's names, each with its sentence in the help; former spellings are understood.
pub fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let value = |Word { name, about, also }| PossibleValue::new(name).help(about).aliases(also.iter().copied());
    PossibleValuesParser::new(T::words().into_iter().map(value)).try_map(|name| T::named(&name))
}
