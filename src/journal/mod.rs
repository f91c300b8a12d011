//! The journal: one entry for each change, in the transaction of the change (decisions 45 and 47).
//!
//! An entry says in typed columns what memory is to know of the change, in an action with what was and what is who did
//! what, and in its facts what those will be told who must be told. Each organization has a journal, and so has the
//! site; the number of its newest entry is the organization's version (docs/decisions/0022).

pub mod chain;
mod change;
pub mod clock;
mod event;
mod heads;
mod post;
mod record;
mod repository;
pub mod retention;

pub use change::Change;
pub use event::{Event, InvitationFacts, PersonFacts, ProjectFacts, TeamFacts};
pub use heads::{lock, open, version, widen};
pub use post::{CommentFacts, DiscussionFacts};
pub use record::{Author, without_address};
pub use repository::{RepoChange, RepoFacts};

/// The journal of what belongs to the site and to no organization.
pub const SITE: i64 = 0;
