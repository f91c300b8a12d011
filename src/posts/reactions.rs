//! Reactions to discussions and comments: list, create, delete (decision 36).
//!
//! There is one definition for both. A caller who sees the post may react. The user who gave a reaction may delete it,
//! and so may those who may delete the post.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::reactable::{Reactable, ReactionRow};
use super::reaction::{Reaction, ReactionRecord};
use super::sums::{Content, Sums};
use crate::error::Result;
use crate::journal::Change;
use crate::operation::{Cx, Done, Either, List, Record};
use crate::policy::Granted;

/// List the reactions to a discussion or a comment, by id.
pub fn list<P: Reactable>(cx: &mut Cx, of: &Granted<P>, content: Option<Content>) -> Result<List<ReactionRecord>> {
    let sums: Sums = cx.tx.one(P::STATEMENTS.sums, &[&of.id()])?;
    let (limit, offset) = cx.page.sql();
    let (rows, total): (Vec<ReactionRow>, i64) = match content {
        None => (cx.tx.all(P::STATEMENTS.list, &[&of.id(), &limit, &offset])?, sums.total()),
        Some(content) => {
            let rows = cx.tx.all(P::STATEMENTS.list_of, &[&of.id(), &limit, &offset, &content.word()])?;
            (rows, sums.0[content as usize])
        }
    };
    let items = rows.into_iter().map(|row| ReactionRecord::new(cx.links, row));
    List::of(items, total)
}

/// 201 with a new reaction, or 200 with one that existed already.
pub type Ensured = Either<Record<ReactionRecord, 201>, Record<ReactionRecord>>;

/// Creates a reaction; if the caller has already given this one, nothing is created.
pub fn create<P: Reactable>(cx: &mut Cx, of: &Granted<P>, content: Content) -> Result<Ensured> {
    let (id, me) = (of.id(), cx.me()?.id);
    if let Some(row) = cx.tx.maybe(P::STATEMENTS.given, &[&id, &me, &content.word()])? {
        return Ok(Either::Other(ReactionRecord::new(cx.links, row).into()));
    }
    cx.tx.run(P::STATEMENTS.add, &[&id, &me, &content.word(), &cx.now()?.0])?;
    cx.tx.run(P::STATEMENTS.count[content as usize], &[&id, &1_i64])?;
    cx.record(of.org(), Change::new("team.create_reaction", &json!(null), &audited(&**of, content.word())))?;
    let row: ReactionRow = cx.tx.one(P::STATEMENTS.given, &[&id, &me, &content.word()])?;
    Ok(Either::One(ReactionRecord::new(cx.links, row).into()))
}

/// Deletes a reaction.
pub fn delete<P: Reactable>(cx: &mut Cx, reaction: &Granted<Reaction<P>>) -> Result<Done> {
    cx.tx.run("DELETE FROM reactions WHERE id = $1", &[&reaction.id])?;
    let count = P::STATEMENTS.count[Content::place(&reaction.content)];
    cx.tx.run(count, &[&reaction.of.id(), &-1_i64])?;
    let before = audited(&reaction.of, &reaction.content);
    cx.record(reaction.of.org(), Change::new("team.delete_reaction", &before, &json!(null)))?;
    Ok(Done)
}

fn audited<P: Reactable>(of: &P, content: &str) -> Value {
    let mut facts = of.facts();
    facts["reaction"] = content.into();
    facts
}

/// The operations on one kind of subject, with words of their own for the documents.
macro_rules! operations {
    ($module:ident, $of:ty, $what:literal) => {
        #[doc = concat!("Reactions to ", $what, ".")]
        pub mod $module {
            use super::*;

            #[doc = concat!("List the reactions to ", $what, ", by ID.")]
            #[derive(Debug, Deserialize, JsonSchema)]
            pub struct ListReactions {
                /// Return only reactions of this kind.
                pub content: Option<Content>,
            }

            #[doc = concat!("Lists the reactions to ", $what, ".")]
            pub fn list(cx: &mut Cx, of: Granted<$of>, p: ListReactions) -> Result<List<ReactionRecord>> {
                super::list(cx, &of, p.content)
            }

            #[doc = concat!("React to ", $what, ". Repeating a reaction changes nothing.")]
            #[derive(Debug, Deserialize, JsonSchema)]
            pub struct Create {
                /// The reaction.
                pub content: Content,
            }

            #[doc = concat!("Reacts to ", $what, ".")]
            pub fn create(cx: &mut Cx, of: Granted<$of>, p: Create) -> Result<Ensured> {
                super::create(cx, &of, p.content)
            }

            #[doc = concat!("Remove a reaction to ", $what, ".")]
            #[derive(Debug, Deserialize, JsonSchema)]
            pub struct Delete {}

            #[doc = concat!("Removes a reaction to ", $what, ".")]
            pub fn delete(cx: &mut Cx, reaction: Granted<Reaction<$of>>, _: Delete) -> Result<Done> {
                super::delete(cx, &reaction)
            }
        }
    };
}
operations!(of_discussion, crate::posts::discussion::Discussion, "a discussion");
operations!(of_comment, crate::posts::comment::Comment, "a comment");
