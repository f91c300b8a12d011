//! Posts as events show them: author and place, never the text (decision 41).

use serde::Serialize;

use super::TeamFacts;

/// A discussion as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct DiscussionFacts {
    /// The team that it was posted to.
    pub team: TeamFacts,
    /// Identifier.
    pub id: i64,
    /// Number in the team.
    pub number: i64,
    /// Whether only the team's direct members and owners see it.
    pub private: bool,
    /// Identifier of the author, unless the account is gone.
    pub author: Option<i64>,
}

/// A comment as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct CommentFacts {
    /// The discussion that it belongs to.
    pub discussion: DiscussionFacts,
    /// Identifier.
    pub id: i64,
    /// Number in the discussion.
    pub number: i64,
    /// Identifier of the author, unless the account is gone.
    pub author: Option<i64>,
}
