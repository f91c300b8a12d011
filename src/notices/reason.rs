//! The reasons why a person is notified of a post.

use crate::words::words;

words! {
    /// The reason why a person is notified of a post, named as in the API.
    pub enum Reason {
        /// They started the discussion.
        Author = "author",
        /// They commented on it.
        Comment = "comment",
        /// They requested notifications of the discussion.
        Manual = "manual",
        /// They are mentioned in the post.
        Mention = "mention",
        /// They are in the team, or in one below it.
        Subscribed = "subscribed",
    }
}
