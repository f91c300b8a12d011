//! What happened: an event row for those who must be told, and an audit entry for who did what.
//!
//! Both are written in the transaction of the change (decisions 45 and 47).

pub mod audit;
mod event;
mod outbox;
mod post;
mod repository;

pub use audit::record;
pub use event::{Event, InvitationFacts, PersonFacts, ProjectFacts, TeamFacts};
pub use outbox::{emit, emit_all};
pub use post::{CommentFacts, DiscussionFacts};
pub use repository::{RepoChange, RepoFacts};
