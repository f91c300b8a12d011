//! A change as it is recorded: what the in-memory tables fold, what the audit log shows, and the event.

use serde::Serialize;

use super::Event;
use crate::derived;
use crate::error::{Error, Result};

/// One change. Each part is optional.
#[derive(Debug, Default)]
pub struct Change {
    pub(super) folded: Folded,
    pub(super) audited: Option<Audited>,
    pub(super) told: Option<Told>,
    of_posts: bool,
}

/// What the audit log shows: the action in the interface's words, and the values before and after.
#[derive(Debug)]
pub(super) struct Audited {
    pub action: &'static str,
    pub before: serde_json::Result<String>,
    pub after: serde_json::Result<String>,
}

/// The event.
#[derive(Debug)]
pub(super) struct Told {
    pub event: &'static str,
    pub facts: serde_json::Result<String>,
}

/// The typed columns. The in-memory tables fold them without reading any others.
#[derive(Debug, Clone)]
pub struct Folded {
    pub(super) kind: String,
    pub(super) team: Option<i64>,
    pub(super) user: Option<i64>,
    pub(super) parent: Option<i64>,
    pub(super) name_key: Option<String>,
    pub(super) flag: Option<bool>,
    pub(super) other_flag: Option<bool>,
}

impl Default for Folded {
    fn default() -> Self {
        let (kind, name_key, number, flag) = (derived::NOT_HELD.to_owned(), None, None, None);
        Self { kind, team: number, user: number, parent: number, name_key, flag, other_flag: flag }
    }
}

impl Change {
    /// A change that the audit log shows. The values contain no e-mail addresses and no texts of posts.
    #[must_use]
    pub fn new(action: &'static str, before: &impl Serialize, after: &impl Serialize) -> Self {
        Self::default().showing(action, before, after)
    }

    /// A change for the in-memory tables only.
    #[must_use]
    pub fn of_memory(change: &derived::Fold) -> Self {
        Self::default().folded(change)
    }

    /// A change with an event, which the audit log does not show.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        Self::default().telling(event)
    }

    /// Many changes at once: memory reloads the organization.
    #[must_use]
    pub fn reload() -> Self {
        Self::default().reloading()
    }

    /// Adds what the audit log shows.
    #[must_use]
    pub fn showing(self, action: &'static str, before: &impl Serialize, after: &impl Serialize) -> Self {
        let (before, after) = (serde_json::to_string(before), serde_json::to_string(after));
        Self { audited: Some(Audited { action, before, after }), ..self }
    }

    /// Adds what the in-memory tables fold.
    #[must_use]
    pub fn folded(self, change: &derived::Fold) -> Self {
        Self { folded: Folded::from(change), ..self }
    }

    /// Makes memory reload the organization.
    #[must_use]
    pub fn reloading(self) -> Self {
        Self { folded: Folded { kind: derived::RELOAD.to_owned(), ..Folded::default() }, ..self }
    }

    /// Adds the event.
    #[must_use]
    pub fn telling(self, event: &Event) -> Self {
        let told = Told { event: event.name(), facts: serde_json::to_string(event) };
        Self { told: Some(told), of_posts: event.is_of_posts(), ..self }
    }

    /// Whether the rows that [`crate::db::Tx::found`] keeps stay the same: callers, organizations, teams and roles in
    /// organizations. They do if the change is only about members of a team, grants to a team, or posts.
    pub(super) fn leaves_found(&self) -> bool {
        self.of_posts || derived::Fold::OF_TEAMS_ALONE.contains(&self.folded.kind.as_str())
    }
}

/// The JSON text. A failure to serialize it is a bug.
pub(super) fn json(text: serde_json::Result<String>) -> Result<String> {
    text.map_err(|e| Error::Bug(e.to_string()))
}

impl From<&derived::Fold> for Folded {
    fn from(change: &derived::Fold) -> Self {
        use derived::Fold as C;
        let kind = change.kind().to_owned();
        let of = Self { kind, ..Self::default() };
        match change {
            C::Member { team, user, maintainer } => {
                Self { team: Some(*team), user: Some(*user), flag: Some(*maintainer), ..of }
            }
            C::MemberGone { team, user } => Self { team: Some(*team), user: Some(*user), ..of },
            C::Team { team, parent, name_key, secret } => {
                Self { team: Some(*team), parent: *parent, name_key: Some(name_key.clone()), flag: Some(*secret), ..of }
            }
            C::Grants { team } | C::TeamGone { team } => Self { team: Some(*team), ..of },
            C::Person { user, owner, public } => {
                Self { user: Some(*user), flag: Some(*owner), other_flag: Some(*public), ..of }
            }
            C::PersonGone { user } => Self { user: Some(*user), ..of },
        }
    }
}
