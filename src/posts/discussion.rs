//! A post on the board of a team: its row, who sees it, and the subject of its operations.
//!
//! Implements decision 34: every caller who sees the team sees its public posts; its direct active members and the
//! owners see the private ones.

use serde_json::{Value, json};

use super::content::Content;
use super::reactable::{Reactable, Statements, statements};
use crate::db::{Lock, Tx, row};
use crate::error::{Error, Result};
use crate::journal::DiscussionFacts;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::{Fact, Standing, sees_private_posts};
use crate::teams::team::{Team, forms};

row! {
    /// A discussion with everything that its record shows.
    #[derive(Debug, Clone)]
    pub struct DiscussionRow from "p" {
        /// The columns that it shares with comments.
        pub content: Content = Content::COLUMNS,
        /// ID.
        pub id: i64,
        /// Title.
        pub title: String,
        /// True if only the team's members and owners can see it.
        pub private: bool,
        /// True if it is among the first on the page of its board.
        pub pinned: bool,
        /// Number of comments.
        pub comments_count: i64,
    }
}

/// A discussion that a path names.
#[derive(Debug, Clone)]
pub struct Discussion {
    /// The team that it belongs to.
    pub team: Team,
    /// ID.
    pub id: i64,
    /// Number in the team.
    pub number: i64,
    /// True if only the team's members and owners can see it.
    pub private: bool,
    /// The author, unless the account is gone.
    pub author: Option<i64>,
}

impl Discussion {
    /// The discussion as an event shows it.
    #[must_use]
    pub fn facts(&self) -> DiscussionFacts {
        DiscussionFacts {
            team: self.team.facts(),
            id: self.id,
            number: self.number,
            private: self.private,
            author: self.author,
        }
    }
}

impl Subject for Discussion {
    const FORMS: &'static [&'static str] = forms!("/discussions/{discussion_number}");
    const LEGACY_FORMS: usize = 1;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (team, standing) = Team::find(cx, path)?;
        let number = path.id("discussion_number")?.ok_or(Error::NotFound)?;
        let found: Option<(i64, bool, Option<i64>)> = cx.tx.maybe(FIND, &[&team.id, &number])?;
        let (id, private, author) = found.ok_or(Error::NotFound)?;
        if private && !sees_private_posts().holds(standing) {
            return Err(Error::NotFound);
        }
        let standing = standing.with(Fact::SeesPost, true).with(Fact::Author, author == Some(cx.my_id()));
        Ok((Self { team, id, number, private, author }, standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Team::locks(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.team.org_id]
    }

    fn canonical(&self) -> String {
        format!("{}/discussions/{}", self.team.canonical(), self.number)
    }
}

const FIND: &str = "SELECT id, private, author_id FROM discussions WHERE team_id = $1 AND number = $2";

impl Reactable for Discussion {
    const REACTION_FORMS: &'static [&'static str] = forms!("/discussions/{discussion_number}/reactions/{reaction_id}");
    const STATEMENTS: &'static Statements = &statements!("discussions", "discussion_id");

    fn id(&self) -> i64 {
        self.id
    }

    fn org(&self) -> i64 {
        self.team.org_id
    }

    fn facts(&self) -> Value {
        json!({ "team": self.team.id, "discussion": self.number })
    }
}
