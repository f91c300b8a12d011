//! Posts as events show them: who and where, and never what was written (decision 41).

use serde::Serialize;

use super::TeamFacts;

/// A discussion as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct DiscussionFacts {
    /// The team on whose board it stands.
    pub team: TeamFacts,
    /// Identifier.
    pub id: i64,
    /// Its number in the team.
    pub number: i64,
    /// Whether only the team's direct members and owners see it.
    pub private: bool,
    /// Identifier of who wrote it, unless the account is gone.
    pub author: Option<i64>,
}

/// A comment as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct CommentFacts {
    /// The discussion under which it stands.
    pub discussion: DiscussionFacts,
    /// Identifier.
    pub id: i64,
    /// Its number in the discussion.
    pub number: i64,
    /// Identifier of who wrote it, unless the account is gone.
    pub author: Option<i64>,
}
