//! Choices by name: one list of names and sentences per enum, for options, files, error messages and help texts alike.
//!
//! An enum without parameters gets its list from the macro `named!`, the others implement [`Named`] and `Parametrised`. The
//! list is a match without a wildcard, so that a new variant does not compile without its name.
//!
//! In files a choice is its name, or its name with parameters: `"evidence"`, `{ "loo-f": { "zeta": 0.3 } }`. Spellings
//! of former versions are read and never written.

use crate::text::nearest_name;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// How a choice is called and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name, as it is typed.
    pub name: &'static str,
    /// What it means, in one line.
    pub about: &'static str,
    /// Further spellings that are read: those of former versions.
    pub also: &'static [&'static str],
}

/// A choice that is made by name.
pub trait Named: Clone + Sized + 'static {
    /// What is chosen: the name of the option.
    const OPTION: &'static str;

    /// Every choice, with its parameters at their defaults.
    fn all() -> Vec<Self>;

    /// Name and meaning of this one.
    fn word(&self) -> Word;

    /// Name and meaning of every choice.
    fn words() -> Vec<Word> {
        Self::all().iter().map(Self::word).collect()
    }

    /// The choice of that name, with its parameters at their defaults.
    fn named(name: &str) -> Result<Self, UnknownName> {
        let called = |choice: &Self| {
            let word = choice.word();
            word.name == name || word.also.contains(&name)
        };
        Self::all().into_iter().find(called).ok_or_else(|| UnknownName::new(Self::OPTION, name, &Self::words()))
    }
}

/// A name that is none of an option's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{option} is '{}'{}; it must be one of {}",
    .given.chars().take(SHOWN_CHARS).flat_map(char::escape_debug).collect::<String>(),
    .nearest.map_or_else(String::new, |name| format!(" (did you mean '{name}'?)")),
    .known.join(", ")
)]
pub struct UnknownName {
    /// What was to be chosen.
    pub option: &'static str,
    /// What was given.
    pub given: String,
    /// The name that was probably meant.
    pub nearest: Option<&'static str>,
    /// Every name.
    pub known: Vec<&'static str>,
}

/// Characters of a wrong name that are repeated in a message.
const SHOWN_CHARS: usize = 60;

impl UnknownName {
    fn new(option: &'static str, given: &str, words: &[Word]) -> Self {
        let known: Vec<&'static str> = words.iter().map(|word| word.name).collect();
        UnknownName { option, given: given.to_owned(), nearest: nearest_name(given, known.iter().copied()), known }
    }
}

/// A choice with parameters, which files give in a table below its name.
pub(crate) trait Parametrised: Named {
    /// This choice with the parameters that follow in the file.
    fn with_parameters<'de, A: MapAccess<'de>>(self, table: &mut A) -> Result<Self, A::Error>;

    /// Reads a name, or a table of a name with parameters.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrTable(PhantomData))
    }
}

struct NameOrTable<T>(PhantomData<T>);

impl<'de, T: Parametrised> Visitor<'de> for NameOrTable<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of an option '{}', or a table of one name with its parameters", T::OPTION)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        T::named(name).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<T, A::Error> {
        let name: String = table.next_key()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let made = T::named(&name).map_err(A::Error::custom)?.with_parameters(&mut table)?;
        match table.next_key::<String>()? {
            Some(_) => Err(A::Error::invalid_length(2, &self)),
            None => Ok(made),
        }
    }
}

/// The parameters of a choice that has none.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

/// `choice` itself, after an empty table.
pub(crate) fn without_parameters<'de, T, A: MapAccess<'de>>(choice: T, table: &mut A) -> Result<T, A::Error> {
    table.next_value::<NoParameters>().map(|_| choice)
}

/// The list of an enum without parameters, and with it `ALL`, `name`, `about`, `FromStr`, `Display` and the form in files.
macro_rules! named {
    ($type:ident, $option:literal, { $($variant:ident = $name:literal $(or $also:literal)*: $about:literal;)+ }) => {
        impl $type {
            /// Every choice.
            pub const ALL: [$type; [$($type::$variant),+].len()] = [$($type::$variant),+];

            /// The name, as it is typed.
            pub fn name(self) -> &'static str {
                $crate::named::Named::word(&self).name
            }

            /// What it means, in one line.
            pub fn about(self) -> &'static str {
                $crate::named::Named::word(&self).about
            }
        }

        impl $crate::named::Named for $type {
            const OPTION: &'static str = $option;

            fn all() -> Vec<Self> {
                $type::ALL.to_vec()
            }

            fn word(&self) -> $crate::named::Word {
                match self {
                    $($type::$variant => $crate::named::Word { name: $name, about: $about, also: &[$($also),*] },)+
                }
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }

        $crate::named::parsed_by_name!($type);
    };
}

/// `FromStr` by name, and `Display` as the name.
macro_rules! parsed_by_name {
    ($type:ident) => {
        impl std::str::FromStr for $type {
            type Err = $crate::named::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::named::Named::named(name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::named::Named::word(self).name)
            }
        }
    };
}

pub(crate) use {named, parsed_by_name};
