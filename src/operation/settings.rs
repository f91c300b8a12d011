//! Settings that clients write and read, most of which have no effect here (decision 52).
//!
//! All settings of one resource share a column. It contains, as JSON, those that differ from the defaults.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// Defines a struct with all settings of a resource, and `Given` with some of them: those in a request or in the column.
macro_rules! settings {
    ($(#[doc = $all_doc:literal])+ $all:ident { $($(#[doc = $doc:literal])+ $name:ident: $kind:ty = $default:expr;)+ }) => {
        $(#[doc = $all_doc])+
        #[derive(Debug, Clone, PartialEq, Eq, ::serde::Serialize, ::schemars::JsonSchema)]
        pub struct $all {
            $($(#[doc = $doc])+ pub $name: $kind,)+
        }

        impl Default for $all {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        /// Some of these settings.
        #[derive(Debug, Clone, Default, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        pub struct Given {
            $(
                $(#[doc = $doc])+
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<$kind>,
            )+
        }

        impl Given {
            /// The names of all settings.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($name)),+];
        }

        impl $all {
            /// These settings, with the given ones replaced.
            #[must_use]
            pub fn with(self, given: Given) -> Self {
                Self { $($name: given.$name.unwrap_or(self.$name),)+ }
            }

            /// The settings that differ from the defaults.
            #[must_use]
            pub fn unusual(&self) -> Given {
                let usual = Self::default();
                Given { $($name: (self.$name != usual.$name).then(|| self.$name.clone()),)+ }
            }

            /// The value to store in the column.
            #[must_use]
            pub fn stored(&self) -> Option<String> {
                $crate::operation::settings::stored(&self.unusual())
            }

            /// Reads the settings from the column.
            pub fn read(column: Option<String>) -> $crate::error::Result<Self> {
                $crate::operation::settings::read(column.as_deref()).map(|given| Self::default().with(given))
            }
        }
    };
}
pub(crate) use settings;

/// The value of the column for these settings, which differ from the defaults.
pub fn stored<G: Default + PartialEq + Serialize>(unusual: &G) -> Option<String> {
    if *unusual == G::default() { None } else { serde_json::to_string(unusual).ok() }
}

/// The settings in the column.
pub fn read<G: Default + DeserializeOwned>(column: Option<&str>) -> Result<G> {
    let Some(text) = column else { return Ok(G::default()) };
    serde_json::from_str(text).map_err(|e| Error::Bug(format!("stored settings: {e}")))
}

#[cfg(test)]
mod tests {
    settings! {
        /// Settings of a lamp.
        Lamp {
            /// True if it is on.
            on: bool = true;
            /// Its color.
            color: String = "white".to_owned();
            /// True if it blinks.
            blinks: bool = false;
        }
    }

    #[test]
    fn only_what_differs_from_the_defaults_is_stored() {
        assert_eq!(Lamp::default().stored(), None);
        let given = Given { on: Some(true), color: Some("red".to_owned()), ..Given::default() };
        let lamp = Lamp::default().with(given);
        let stored = lamp.stored().unwrap();
        assert_eq!(stored, r#"{"color":"red"}"#);
        assert_eq!(Lamp::read(Some(stored)).unwrap(), lamp);
        assert_eq!(Lamp::read(None).unwrap(), Lamp::default());
        assert!(Lamp::read(Some("[".to_owned())).is_err());
        assert_eq!(Given::KEYS, ["on", "color", "blinks"]);
    }
}
