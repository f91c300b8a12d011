//! A change as it is recorded: what memory folds, what the audit log shows, and the event.

use serde::Serialize;

use super::Event;
use crate::error::{Error, Result};
use crate::rows::{Fold, Folded};

/// One change. Each part is optional.
#[derive(Debug, Default)]
pub struct Change {
    pub(super) folded: Folded,
    pub(super) audited: Option<Audited>,
    pub(super) event: Option<serde_json::Result<EventFacts>>,
    /// True if it is known to concern only posts or webhooks.
    apart: bool,
    /// True if it concerns the end of a membership of a team.
    moves_ends: bool,
}

/// The part of a change that the audit log shows: the name of the action, and the values before and after.
#[derive(Debug)]
pub(super) struct Audited {
    pub action: &'static str,
    pub before: serde_json::Result<String>,
    pub after: serde_json::Result<String>,
}

/// An event as an entry records it.
#[derive(Debug)]
pub(super) struct EventFacts {
    pub name: &'static str,
    /// The facts, as JSON.
    pub facts: String,
    /// True if they are stored even if no webhook listens.
    pub wanted_always: bool,
}

impl Change {
    /// A change that the audit log shows. The values contain no e-mail addresses and no texts of posts.
    #[must_use]
    pub fn new(action: &'static str, before: &impl Serialize, after: &impl Serialize) -> Self {
        Self::default().showing(action, before, after)
    }

    /// A change that only memory needs.
    #[must_use]
    pub fn of_memory(change: &Fold) -> Self {
        Self::default().folded(change)
    }

    /// A change with an event, which the audit log does not show.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        Self::default().with_event(event)
    }

    /// Many changes at once. Memory reloads the organization.
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

    /// Adds what memory folds.
    #[must_use]
    pub fn folded(self, change: &Fold) -> Self {
        Self { folded: Folded::from(change), ..self }
    }

    /// Makes memory reload the organization.
    #[must_use]
    pub fn reloading(self) -> Self {
        Self { folded: Folded::reload(), ..self }
    }

    /// Adds the event.
    #[must_use]
    pub fn with_event(self, event: &Event) -> Self {
        let kind = event.kind();
        let wanted_always = kind.is_for_one_webhook() || event.notification().is_some_and(|people| people.is_wanted());
        let facts = serde_json::to_string(event);
        let event = facts.map(|facts| EventFacts { name: kind.name, facts, wanted_always });
        Self { event: Some(event), apart: self.apart || kind.is_of_posts(), ..self }
    }

    /// Declares that it only concerns webhooks.
    #[must_use]
    pub fn of_hooks(self) -> Self {
        Self { apart: true, ..self }
    }

    /// Declares that it concerns the end of a membership of a team.
    #[must_use]
    pub fn moving_ends(self) -> Self {
        Self { moves_ends: true, ..self }
    }

    /// True if the values that [`crate::db::Tx::found`] caches stay the same: callers, organizations, teams, roles in
    /// organizations, and the next end of a membership. They do if the change only concerns members of a team without an
    /// end, grants to a team, posts or webhooks.
    pub(super) fn leaves_found(&self) -> bool {
        !self.moves_ends && (self.apart || self.folded.is_of_teams_alone())
    }
}

/// The JSON text. A failure to serialize it is a bug.
pub(super) fn json<T>(text: serde_json::Result<T>) -> Result<T> {
    text.map_err(|e| Error::Bug(e.to_string()))
}
