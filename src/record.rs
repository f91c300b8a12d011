//! Records, as responses show them.

/// Declares a record with the function that makes it: each field with its type and its value. The function has the
/// parameters of the record and what the values have in common.
macro_rules! record {
    (
        $(#[$about:meta])*
        $shown:vis struct $name:ident {
            $($(#[$on:meta])* $see:vis $field:ident: $type:ty = $value:expr),+ $(,)?
        }

        $(#[$does:meta])*
        $seen:vis fn $new:ident($($given:ident: $of:ty),* $(,)?) { $($common:tt)* }
    ) => {
        #[derive(Debug, serde::Serialize, schemars::JsonSchema)]
        $(#[$about])*
        $shown struct $name {
            $($(#[$on])* $see $field: $type),+
        }

        impl $name {
            $(#[$does])*
            #[must_use]
            $seen fn $new($($given: $of),*) -> Self {
                $($common)*
                Self { $($field: $value),+ }
            }
        }
    };
}
pub(crate) use record;
