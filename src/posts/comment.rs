//! A comment in a discussion: its row, and the subject of its operations. A caller who sees the post sees its comments.

use serde_json::{Value, json};

use super::content::Content;
use super::discussion::Discussion;
use super::reactable::{Reactable, Statements, statements};
use crate::db::{Lock, Tx, row};
use crate::error::{Error, Result};
use crate::journal::CommentFacts;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::{Fact, Standing};
use crate::teams::team::forms;

row! {
    /// A comment with everything that its record shows.
    #[derive(Debug, Clone)]
    pub struct CommentRow from "p" {
        /// The columns that it shares with discussions.
        pub content: Content = Content::COLUMNS,
        /// ID.
        pub id: i64,
    }
}

/// A comment that a path names.
#[derive(Debug, Clone)]
pub struct Comment {
    /// The discussion that it belongs to.
    pub discussion: Discussion,
    /// ID.
    pub id: i64,
    /// Number in the discussion.
    pub number: i64,
    /// The author, unless the account is gone.
    pub author: Option<i64>,
}

impl Comment {
    /// The comment as an event shows it.
    #[must_use]
    pub fn facts(&self) -> CommentFacts {
        CommentFacts { discussion: self.discussion.facts(), id: self.id, number: self.number, author: self.author }
    }
}

impl Subject for Comment {
    const FORMS: &'static [&'static str] = forms!("/discussions/{discussion_number}/comments/{comment_number}");
    const LEGACY_FORMS: usize = 1;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (discussion, standing) = Discussion::find(cx, path)?;
        let number = path.id("comment_number")?.ok_or(Error::NotFound)?;
        let found: Option<(i64, Option<i64>)> = cx.tx.maybe(FIND, &[&discussion.id, &number])?;
        let (id, author) = found.ok_or(Error::NotFound)?;
        // The author of the discussion has no rights over the comments of others.
        let standing = standing.without(Fact::Author).with(Fact::Author, author == Some(cx.my_id()));
        Ok((Self { discussion, id, number, author }, standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Discussion::locks(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        self.discussion.organizations()
    }

    fn canonical(&self) -> String {
        format!("{}/comments/{}", self.discussion.canonical(), self.number)
    }
}

const FIND: &str = "SELECT id, author_id FROM comments WHERE discussion_id = $1 AND number = $2";

impl Reactable for Comment {
    const REACTION_FORMS: &'static [&'static str] =
        forms!("/discussions/{discussion_number}/comments/{comment_number}/reactions/{reaction_id}");
    const STATEMENTS: &'static Statements = &statements!("comments", "comment_id");

    fn id(&self) -> i64 {
        self.id
    }

    fn org(&self) -> i64 {
        self.discussion.team.org_id
    }

    fn facts(&self) -> Value {
        json!({
            "team": self.discussion.team.id,
            "discussion": self.discussion.number,
            "comment": self.number,
        })
    }
}
