//! The kinds of repositories that the members of an organization may create.
//!
//! Implements decision 52. One column says whether they may create any. The others say which kinds, and at least one of
//! them is always on, so that a client that knows only the first column switches all of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kinds of repositories that members may create.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CreationType {
    /// Public and private ones.
    All,
    /// Private ones.
    Private,
    /// None.
    None,
}

/// The kinds of repositories that members may create, as far as a request sets them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The kinds, in one word.
    pub kind: Option<CreationType>,
    /// True if they may create any.
    pub any: Option<bool>,
    /// True if they may create public ones.
    pub public: Option<bool>,
    /// True if they may create private ones.
    pub private: Option<bool>,
}

/// The kinds of repositories that members may create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Creation {
    /// True if they may create public ones.
    pub public: bool,
    /// True if they may create private ones.
    pub private: bool,
}

impl Creation {
    /// The kinds, from the columns.
    #[must_use]
    pub fn of_columns(any: bool, public: bool, private: bool) -> Self {
        Self { public: any && public, private: any && private }
    }

    /// True if they may create any.
    #[must_use]
    pub fn any(self) -> bool {
        self.public || self.private
    }

    /// The values of the columns: whether any, public ones, private ones.
    #[must_use]
    pub fn columns(self) -> (bool, bool, bool) {
        if self.any() { (true, self.public, self.private) } else { (false, true, true) }
    }

    /// The kinds in one word. There is none for public ones alone, which are shown as `all`.
    #[must_use]
    pub fn kind(self) -> CreationType {
        match (self.public, self.private) {
            (true, _) => CreationType::All,
            (false, true) => CreationType::Private,
            (false, false) => CreationType::None,
        }
    }

    /// The kinds after a request. The word counts more than the switches, and "none" counts more than a kind.
    #[must_use]
    pub fn after(self, wanted: Wanted) -> Self {
        let (all, none) = (Self { public: true, private: true }, Self { public: false, private: false });
        let switched = match wanted {
            Wanted { kind: Some(CreationType::All), .. } => return all,
            Wanted { kind: Some(CreationType::Private), .. } => return Self { public: false, private: true },
            Wanted { kind: Some(CreationType::None), .. } | Wanted { any: Some(false), .. } => return none,
            Wanted { any: Some(true), .. } if !self.any() => all,
            Wanted { .. } => self,
        };
        Self { public: wanted.public.unwrap_or(switched.public), private: wanted.private.unwrap_or(switched.private) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Creation, CreationType, Wanted};

    const ALL: Creation = Creation { public: true, private: true };
    const NONE: Creation = Creation { public: false, private: false };

    #[test]
    fn the_narrower_of_two_wishes_counts() {
        let off = Wanted { any: Some(false), public: Some(true), ..Wanted::default() };
        assert_eq!(ALL.after(off), NONE);
        let word = Wanted { kind: Some(CreationType::Private), public: Some(true), ..Wanted::default() };
        assert_eq!(ALL.after(word), Creation { public: false, private: true });
        let on = Wanted { any: Some(true), public: Some(false), ..Wanted::default() };
        assert_eq!(NONE.after(on), Creation { public: false, private: true });
        assert_eq!(NONE.after(Wanted { public: Some(true), ..Wanted::default() }).kind(), CreationType::All);
        assert_eq!(NONE.after(Wanted::default()), NONE);
    }

    #[test]
    fn the_columns_of_a_kind_say_the_same() {
        for creation in [ALL, NONE, Creation { public: true, private: false }] {
            let (any, public, private) = creation.columns();
            assert_eq!(Creation::of_columns(any, public, private), creation);
        }
    }
}
