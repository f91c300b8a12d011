//! Why a person is notified of a post.

/// Why a person is notified of a post, named as in the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// They started the discussion.
    Author,
    /// They commented on it.
    Comment,
    /// They requested notifications of the discussion.
    Manual,
    /// They are mentioned in the post.
    Mention,
    /// They are in the team, or in one below it.
    Subscribed,
}

impl Reason {
    /// The word that is stored and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Comment => "comment",
            Self::Manual => "manual",
            Self::Mention => "mention",
            Self::Subscribed => "subscribed",
        }
    }
}
