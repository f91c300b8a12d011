//! The journal: one entry for each change, in the transaction of the change. Implements decisions 45 and 47.
//!
//! An entry has typed columns that memory folds, an action with the values before and after for the audit log, and
//! facts for the event. Each organization has a journal, and so has the site. The number of the newest entry is the
//! organization's version (docs/decisions/0022-one-journal.md).

pub mod chain;
mod change;
pub mod clock;
pub mod cursors;
mod event;
mod event_entry;
mod event_kind;
mod event_part;
mod facts;
mod heads;
pub mod log;
mod record;
mod repository;
pub mod retention;

pub use change::Change;
pub use event::Event;
pub use event_entry::{EventEntry, Facts};
pub use event_kind::EventKind;
pub(crate) use event_part::{About, Changes, Notification, Parent, Part, Post};
pub use facts::{
    CommentFacts, DiscussionFacts, EmailChange, InvitationFacts, Mentions, PersonFacts, ProjectFacts, TeamFacts,
};
pub use heads::{lock, lock_and, newest, open, version, widen};
pub use record::{Author, without_address};
pub use repository::{OwnerFacts, RepoChange, RepoFacts};

/// The journal of everything that belongs to the site and not to an organization.
pub const SITE: i64 = 0;
