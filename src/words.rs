//! Enumerations whose values are words, in requests and in the database.

/// Declares enumerations that parameters can have as their type, with the word of each value.
macro_rules! words {
    ($(
        $(#[$about:meta])*
        $shown:vis enum $name:ident { $($(#[$on:meta])* $value:ident = $word:literal),+ $(,)? }
    )+) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
        $(#[$about])*
        $shown enum $name { $($(#[$on])* #[serde(rename = $word)] $value),+ }

        impl $name {
            /// All values.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            /// Their words.
            pub const WORDS: [&'static str; $name::ALL.len()] = [$($word),+];

            /// The value as it is sent and stored.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }

            /// The value with this word.
            #[must_use]
            pub fn of(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.word() == word)
            }
        }
    )+};
}
pub(crate) use words;
