//! The record of a reaction, and the subject of its operations (decision 36).

use super::reactable::{Reactable, ReactionRow};
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::links::{Links, node_id};
use crate::operation::{Caller, Cx, Path, Subject};
use crate::people::user::SimpleUser;
use crate::policy::{Fact, Standing};
use crate::record::record;

record! {
    /// A reaction to a discussion or a comment.
    #[schemars(rename = "reaction")]
    pub struct ReactionRecord {
        /// ID.
        pub id: i64 = row.id,
        /// GraphQL node ID.
        pub node_id: String = node_id("Reaction", row.id),
        /// The person who reacted; null if the account was deleted.
        pub user: Option<SimpleUser> = row.user.map(|user| SimpleUser::new(links, &user)),
        /// The reaction.
        pub content: String = row.content,
        /// Creation time.
        pub created_at: Time = row.created_at,
    }

    /// The record of a reaction.
    pub fn new(links: &Links, row: ReactionRow) {}
}

/// A reaction that a path names, below the post or comment that it belongs to.
pub struct Reaction<P> {
    /// The post or comment that it belongs to.
    pub of: P,
    /// ID.
    pub id: i64,
    /// The reaction.
    pub content: String,
}

impl<P: Reactable> Subject for Reaction<P> {
    const FORMS: &'static [&'static str] = P::REACTION_FORMS;
    const LEGACY_FORMS: usize = 1;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (of, standing) = P::find(cx, path)?;
        let id = path.id("reaction_id")?.ok_or(Error::NotFound)?;
        let found: Option<ReactionRow> = cx.tx.maybe(P::STATEMENTS.get, &[&of.id(), &id])?;
        let row = found.ok_or(Error::NotFound)?;
        let mine = row.user.is_some_and(|user| user.id == cx.my_id());
        Ok((Self { of, id, content: row.content }, standing.with(Fact::Reactor, mine)))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        P::locks(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        self.of.organizations()
    }

    fn canonical(&self) -> String {
        format!("{}/reactions/{}", self.of.canonical(), self.id)
    }
}
