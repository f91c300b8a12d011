//! Reactions to discussions and comments: the list, giving one, taking one back (decision 36).
//!
//! One definition for both. Whoever sees the post may react; taking back is for who gave it, and for those who may
//! delete the post.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::reaction::{Content, Reaction, ReactionRecord, ReactionRow, Sums};
use crate::error::Result;
use crate::journal::Change;
use crate::operation::{Cx, Done, Ensured, List, Subject};
use crate::policy::Granted;

/// Something that people react to.
pub trait Reactable: Subject {
    /// Every form of the path of one reaction to it.
    const REACTION_FORMS: &'static [&'static str];
    /// Its statements.
    const STATEMENTS: &'static Statements;

    /// Its identifier.
    fn id(&self) -> i64;
    /// The organization that it is in.
    fn org(&self) -> i64;
    /// What the audit says of it.
    fn facts(&self) -> Value;
}

/// The statements on reactions to one kind of thing.
pub struct Statements {
    /// How often each was given.
    pub sums: &'static str,
    /// A page of all, by id.
    pub list: &'static str,
    /// A page of those that say one thing, by id.
    pub list_of: &'static str,
    /// One.
    pub get: &'static str,
    /// The one that a person gave, saying this.
    pub given: &'static str,
    /// Gives one.
    pub add: &'static str,
    /// Counts so many more, one statement for each that there is.
    pub count: [&'static str; Content::ALL.len()],
}

/// The statements for a table and the column of `reactions` that leads to it.
macro_rules! statements {
    ($table:literal, $column:literal) => {
        Statements {
            sums: concat!(
                "SELECT thumbs_up, thumbs_down, laugh, hooray, confused, heart, rocket, eyes FROM ",
                $table,
                " WHERE id = $1"
            ),
            list: statements!(@rows $column, " ORDER BY r.id LIMIT $2 OFFSET $3"),
            list_of: statements!(@rows $column, " AND r.content = $4 ORDER BY r.id LIMIT $2 OFFSET $3"),
            get: statements!(@rows $column, " AND r.id = $2"),
            given: statements!(@rows $column, " AND r.user_id = $2 AND r.content = $3"),
            add: concat!(
                "INSERT INTO reactions (", $column, ", user_id, content, created_at) VALUES ($1, $2, $3, $4)"
            ),
            count: [
                statements!(@count $table, "thumbs_up"),
                statements!(@count $table, "thumbs_down"),
                statements!(@count $table, "laugh"),
                statements!(@count $table, "hooray"),
                statements!(@count $table, "confused"),
                statements!(@count $table, "heart"),
                statements!(@count $table, "rocket"),
                statements!(@count $table, "eyes"),
            ],
        }
    };
    (@rows $column:literal, $rest:literal) => {
        concat!(
            "SELECT r.id, r.content, r.created_at, u.id, u.login, u.site_admin ",
            "FROM reactions r LEFT JOIN users u ON u.id = r.user_id WHERE r.", $column, " = $1", $rest
        )
    };
    (@count $table:literal, $sum:literal) => {
        concat!("UPDATE ", $table, " SET ", $sum, " = ", $sum, " + $2 WHERE id = $1")
    };
}
pub(super) use statements;

/// List the reactions to a discussion or a comment, by id.
pub fn list<P: Reactable>(cx: &mut Cx, of: &Granted<P>, content: Option<Content>) -> Result<List<ReactionRecord>> {
    let sums: Sums = cx.tx.one(P::STATEMENTS.sums, &[&of.id()])?;
    let (limit, offset) = cx.page.sql();
    let (rows, total): (Vec<ReactionRow>, i64) = match content {
        None => (cx.tx.all(P::STATEMENTS.list, &[&of.id(), &limit, &offset])?, sums.total()),
        Some(content) => {
            let rows = cx.tx.all(P::STATEMENTS.list_of, &[&of.id(), &limit, &offset, &content.as_str()])?;
            (rows, sums.0[content as usize])
        }
    };
    let items = rows.into_iter().map(|row| ReactionRecord::new(cx.links, row)).collect();
    Ok(List { items, total: u64::try_from(total).unwrap_or(0) })
}

/// Gives a reaction; what somebody has said already is not said twice.
pub fn create<P: Reactable>(cx: &mut Cx, of: &Granted<P>, content: Content) -> Result<Ensured<ReactionRecord>> {
    let (id, me) = (of.id(), cx.me()?.id);
    if let Some(row) = cx.tx.maybe(P::STATEMENTS.given, &[&id, &me, &content.as_str()])? {
        return Ok(Ensured::There(ReactionRecord::new(cx.links, row)));
    }
    cx.tx.run(P::STATEMENTS.add, &[&id, &me, &content.as_str(), &cx.now()?.0])?;
    cx.tx.run(P::STATEMENTS.count[content as usize], &[&id, &1_i64])?;
    cx.record(of.org(), Change::new("team.create_reaction", &json!(null), &audited(&**of, content.as_str())))?;
    let row: ReactionRow = cx.tx.one(P::STATEMENTS.given, &[&id, &me, &content.as_str()])?;
    Ok(Ensured::New(ReactionRecord::new(cx.links, row)))
}

/// Takes a reaction back.
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

/// The operations of one kind of thing, each with words of its own for the documents.
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
            pub fn create(cx: &mut Cx, of: Granted<$of>, p: Create) -> Result<Ensured<ReactionRecord>> {
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
