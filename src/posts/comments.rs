//! The operations on comments: list, create, get, update, delete.
//!
//! Implements decisions 34, 35, 37, 38 and 41: neither the audit log nor events contain the texts of comments.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::board::Direction;
use super::comment::{Comment, CommentRow};
use super::content::{Content, rewrite};
use super::discussion::Discussion;
use super::mentioned;
use super::record::TeamDiscussionComment;
use super::text::{BODY_MAX, Body};
use crate::db::select;
use crate::error::Result;
use crate::journal::{Change, CommentFacts, Event};
use crate::operation::{Cx, Done, List, Record};
use crate::policy::Granted;

/// The resource that refusals name.
const RESOURCE: &str = "TeamDiscussionComment";

/// List the comments on a discussion, by number.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListComments {
    /// Sort order.
    #[schemars(extend("default" = "desc"))]
    pub direction: Option<Direction>,
}

/// Lists the comments of a discussion.
pub fn list(cx: &mut Cx, discussion: Granted<Discussion>, p: ListComments) -> Result<List<TeamDiscussionComment>> {
    let direction = p.direction.unwrap_or_default();
    cx.cached_page(&[discussion.id, direction as i64], |cx| page(cx, &discussion, direction))
}

fn page(cx: &mut Cx, discussion: &Discussion, direction: Direction) -> Result<List<TeamDiscussionComment>> {
    let statement = match direction {
        Direction::Desc => NEWEST,
        Direction::Asc => OLDEST,
    };
    let (limit, offset) = cx.page.sql();
    let rows: Vec<CommentRow> = cx.tx.all(statement, &[&discussion.id, &limit, &offset])?;
    let total: i64 = cx.tx.one("SELECT comments_count FROM discussions WHERE id = $1", &[&discussion.id])?;
    let record = |row| TeamDiscussionComment::new(cx.links, &discussion.team, discussion.number, row);
    List::of(rows.into_iter().map(record), total)
}

macro_rules! rows {
    ($rest:literal) => {
        select!(CommentRow from "comments p LEFT JOIN users u ON u.id = p.author_id WHERE ", $rest)
    };
}

const NEWEST: &str = rows!("p.discussion_id = $1 ORDER BY p.number DESC LIMIT $2 OFFSET $3");
const OLDEST: &str = rows!("p.discussion_id = $1 ORDER BY p.number LIMIT $2 OFFSET $3");

/// Create a comment on a discussion.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// Text, in Markdown.
    #[schemars(length(min = 1, max = BODY_MAX))]
    pub body: String,
}

/// Creates a comment with the next number of the discussion.
pub fn create(cx: &mut Cx, discussion: Granted<Discussion>, p: Create) -> Result<Record<TeamDiscussionComment, 201>> {
    let body = Body::sent(cx, RESOURCE, &p.body)?;
    cx.count_creation()?;
    let (me, org) = (cx.me()?, discussion.team.org_id);
    let number: i64 = cx.tx.run_one(NEXT, &[&discussion.id])?;
    let id: i64 = cx
        .tx
        .run_one(INSERT, &[&discussion.id, &number, &me.id, &cx.now()?.0, &body.text, &body.version, &body.html])?;
    let comment = CommentFacts { discussion: discussion.facts(), id, number, author: Some(me.id) };
    let mentions = mentioned::found(cx, org, &body.mentions)?;
    let after = audited(&comment);
    cx.record(
        org,
        Change::new("team.create_discussion_comment", &json!(null), &after)
            .with_event(&Event::CommentCreated { comment, mentions }),
    )?;
    let row = CommentRow { content: Content::new(number, body, cx.now()?, me), id };
    let record = TeamDiscussionComment::new(cx.links, &discussion.team, discussion.number, row);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

const NEXT: &str = "
    UPDATE discussions SET last_comment = last_comment + 1, comments_count = comments_count + 1 WHERE id = $1
    RETURNING last_comment";

const INSERT: &str = "
    INSERT INTO comments (discussion_id, number, author_id, created_at, updated_at, body, body_version, body_html)
    VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
    RETURNING id";

/// Get a comment.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a comment.
pub fn get(cx: &mut Cx, comment: Granted<Comment>, _: Get) -> Result<Record<TeamDiscussionComment>> {
    Ok(written(cx, &comment.discussion, comment.id)?.into())
}

fn written(cx: &mut Cx, discussion: &Discussion, id: i64) -> Result<TeamDiscussionComment> {
    let row = cx.tx.one(ONE, &[&id])?;
    Ok(TeamDiscussionComment::new(cx.links, &discussion.team, discussion.number, row))
}

const ONE: &str = rows!("p.id = $1");

/// Update a comment.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Text, in Markdown.
    #[schemars(length(min = 1, max = BODY_MAX))]
    pub body: String,
}

/// Changes the text if it differs.
pub fn update(cx: &mut Cx, comment: Granted<Comment>, p: Update) -> Result<Record<TeamDiscussionComment>> {
    let body = Body::sent(cx, RESOURCE, &p.body)?;
    cx.count_creation()?;
    let text: String = cx.tx.one("SELECT body FROM comments WHERE id = $1", &[&comment.id])?;
    if body.text != text {
        cx.tx.run(REWRITE, &[&comment.id, &body.text, &body.version, &body.html, &cx.now()?.0, &cx.me()?.id])?;
        let (facts, org) = (comment.facts(), comment.discussion.team.org_id);
        let audited = audited(&facts);
        let mentions = mentioned::added(cx, org, body, &text)?;
        cx.record(
            org,
            Change::new("team.update_discussion_comment", &audited, &audited)
                .with_event(&Event::CommentEdited { comment: facts, mentions }),
        )?;
    }
    Ok(written(cx, &comment.discussion, comment.id)?.into())
}

const REWRITE: &str = rewrite!("comments");

/// Delete a comment. Its number is not reused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a comment.
pub fn delete(cx: &mut Cx, comment: Granted<Comment>, _: Delete) -> Result<Done> {
    cx.tx.run("DELETE FROM comments WHERE id = $1", &[&comment.id])?;
    cx.tx.run(COUNT_DOWN, &[&comment.discussion.id])?;
    let (facts, org) = (comment.facts(), comment.discussion.team.org_id);
    let before = audited(&facts);
    cx.record(
        org,
        Change::new("team.destroy_discussion_comment", &before, &json!(null))
            .with_event(&Event::CommentDeleted { comment: facts }),
    )?;
    Ok(Done)
}

const COUNT_DOWN: &str = "UPDATE discussions SET comments_count = comments_count - 1 WHERE id = $1";

fn audited(comment: &CommentFacts) -> Value {
    let discussion = &comment.discussion;
    json!({
        "team": discussion.team.id,
        "discussion": discussion.number,
        "comment": comment.number,
        "private": discussion.private,
    })
}
