//! The operations on discussions: list, create, get, update, delete.
//!
//! Implements decisions 34, 35, 37, 38 and 41: neither the audit log nor events contain the titles and texts of posts.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::board::{self, Direction};
use super::content::{Content, rewrite};
use super::discussion::{Discussion, DiscussionRow};
use super::mentioned;
use super::places;
use super::record::TeamDiscussion;
use super::text::{BODY_MAX, Body, TITLE_MAX, valid_title};
use crate::db::select;
use crate::error::{Error, Result};
use crate::journal::{Change, DiscussionFacts, Event};
use crate::operation::{Cx, Done, List, Record};
use crate::policy::{Granted, sees_private_posts};
use crate::teams::team::Team;

/// The resource that refusals name.
const RESOURCE: &str = "TeamDiscussion";

/// List the discussions of a team, by number.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListDiscussions {
    /// Sort order.
    #[schemars(extend("default" = "desc"))]
    pub direction: Option<Direction>,
    /// Return only pinned discussions, or only discussions that are not pinned.
    pub pinned: Option<bool>,
}

/// Lists the discussions that the caller sees.
pub fn list(cx: &mut Cx, team: Granted<Team>, p: ListDiscussions) -> Result<List<TeamDiscussion>> {
    let sees_private = team.allows(&sees_private_posts());
    let direction = p.direction.unwrap_or_default();
    let pinned = p.pinned.map_or(-1, i64::from);
    cx.cached_page(&[team.id, direction as i64, sees_private.into(), pinned], |cx| page(cx, &team, &p, sees_private))
}

fn page(cx: &mut Cx, team: &Team, p: &ListDiscussions, sees_private: bool) -> Result<List<TeamDiscussion>> {
    let statements = match p.pinned {
        None => ALL,
        Some(true) => PINNED,
        Some(false) => UNPINNED,
    };
    let statement = match (p.direction.unwrap_or_default(), sees_private) {
        (Direction::Desc, true) => statements.newest,
        (Direction::Asc, true) => statements.oldest,
        (Direction::Desc, false) => statements.newest_public,
        (Direction::Asc, false) => statements.oldest_public,
    };
    let (limit, offset) = cx.page.sql();
    let rows: Vec<DiscussionRow> = cx.tx.all(statement, &[&team.id, &limit, &offset])?;
    let mut total = board::count(cx.tx, team.id, sees_private)?;
    if let Some(pinned) = p.pinned {
        let pins = places::pinned(cx.tx, team.id, sees_private)?.len() as u64;
        total = if pinned { pins } else { total.saturating_sub(pins) };
    }
    List::of(rows.into_iter().map(|row| TeamDiscussion::new(cx.links, team, row)), total)
}

macro_rules! rows {
    ($($rest:literal),+) => {
        select!(DiscussionRow from "discussions p LEFT JOIN users u ON u.id = p.author_id WHERE ", $($rest),+)
    };
}

/// The statements of a list.
struct Statements {
    newest: &'static str,
    oldest: &'static str,
    newest_public: &'static str,
    oldest_public: &'static str,
}

macro_rules! statements {
    ($all:literal, $public:literal) => {
        Statements {
            newest: rows!("p.team_id = $1", $all, " ORDER BY p.number DESC LIMIT $2 OFFSET $3"),
            oldest: rows!("p.team_id = $1", $all, " ORDER BY p.number LIMIT $2 OFFSET $3"),
            newest_public: rows!("p.team_id = $1", $public, " ORDER BY p.number DESC LIMIT $2 OFFSET $3"),
            oldest_public: rows!("p.team_id = $1", $public, " ORDER BY p.number LIMIT $2 OFFSET $3"),
        }
    };
}

const ALL: Statements = statements!("", " AND p.private = FALSE");
const UNPINNED: Statements = statements!(" AND p.pinned = FALSE", " AND p.private = FALSE AND p.pinned = FALSE");
/// `p.private = FALSE` would let SQLite walk through all public discussions instead.
const PINNED: Statements = statements!(" AND p.pinned = TRUE", " AND p.pinned = TRUE AND NOT p.private");

/// Create a discussion in a team.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The title.
    #[schemars(length(min = 1, max = TITLE_MAX), extend("x-function-validates" = true))]
    pub title: String,
    /// Text, in Markdown.
    #[schemars(length(min = 1, max = BODY_MAX))]
    pub body: String,
    /// True if only the team's direct members and owners can see it.
    #[schemars(extend("default" = false))]
    pub private: Option<bool>,
}

/// Creates a discussion with the next number of the team.
pub fn create(cx: &mut Cx, team: Granted<Team>, p: Create) -> Result<Record<TeamDiscussion, 201>> {
    let title = valid_title(&p.title)?;
    let body = Body::sent(cx, RESOURCE, &p.body)?;
    let private = p.private.unwrap_or(false);
    if private && !team.allows(&sees_private_posts()) {
        return Err(Error::Forbidden("You must be a member of the team to create a private discussion.".into()));
    }
    cx.count_creation()?;
    let me = cx.me()?;
    let number = board::add(cx.tx, team.id, private)?;
    let new = [&team.id as &dyn crate::db::Bind, &number, &me.id, &private, &cx.now()?.0, &title];
    let id = cx.tx.run_one(INSERT, &[&new[..], &[&body.text, &body.version, &body.html]].concat())?;
    let discussion = DiscussionFacts { team: team.facts(), id, number, private, author: Some(me.id) };
    let mentions = mentioned::found(cx, team.org_id, &body.mentions)?;
    let after = audited(&discussion);
    cx.record(
        team.org_id,
        Change::new("team.create_discussion", &json!(null), &after)
            .with_event(&Event::DiscussionCreated { discussion, mentions }),
    )?;
    let content = Content::new(number, body, cx.now()?, me);
    let row = DiscussionRow { content, id, title, private, pinned: false, comments_count: 0 };
    let record = TeamDiscussion::new(cx.links, &team, row);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

const INSERT: &str = "
    INSERT INTO discussions (team_id, number, author_id, private, created_at, updated_at, title, body, body_version,
                             body_html)
    VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9)
    RETURNING id";

/// Get a discussion.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a discussion.
pub fn get(cx: &mut Cx, discussion: Granted<Discussion>, _: Get) -> Result<Record<TeamDiscussion>> {
    Ok(written(cx, &discussion.team, discussion.id)?.into())
}

fn written(cx: &mut Cx, team: &Team, id: i64) -> Result<TeamDiscussion> {
    let row = cx.tx.one(ONE, &[&id])?;
    Ok(TeamDiscussion::new(cx.links, team, row))
}

const ONE: &str = rows!("p.id = $1");

/// Update a discussion. Omitted fields stay unchanged.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The title.
    #[schemars(length(min = 1, max = TITLE_MAX), extend("x-function-validates" = true))]
    pub title: Option<String>,
    /// Text, in Markdown.
    #[schemars(length(min = 1, max = BODY_MAX))]
    pub body: Option<String>,
}

/// Changes the fields that differ; if none does, nothing happens.
pub fn update(cx: &mut Cx, discussion: Granted<Discussion>, p: Update) -> Result<Record<TeamDiscussion>> {
    let (title, text): (String, String) = cx.tx.one(TEXTS, &[&discussion.id])?;
    // The current title is accepted, under whatever rule the discussion got it.
    let new_title = p.title.filter(|new| *new != title).map(|new| valid_title(&new)).transpose()?;
    let title = new_title.filter(|new| *new != title);
    let body = p.body.map(|text| Body::sent(cx, RESOURCE, &text)).transpose()?;
    cx.count_creation()?;
    let body = body.filter(|new| new.text != text);
    if let Some(title) = &title {
        cx.tx.run(RETITLE, &[&discussion.id, title, &cx.now()?.0])?;
    }
    if let Some(body) = &body {
        cx.tx.run(REWRITE, &[&discussion.id, &body.text, &body.version, &body.html, &cx.now()?.0, &cx.me()?.id])?;
    }
    let changed: Vec<&str> =
        [title.as_ref().map(|_| "title"), body.as_ref().map(|_| "body")].into_iter().flatten().collect();
    if !changed.is_empty() {
        let facts = discussion.facts();
        let before = audited(&facts);
        let mut after = before.clone();
        after["changed"] = json!(changed);
        let org = discussion.team.org_id;
        let mentions = body.map(|body| mentioned::added(cx, org, body, &text)).transpose()?.unwrap_or_default();
        cx.record(
            org,
            Change::new("team.update_discussion", &before, &after)
                .with_event(&Event::DiscussionEdited { discussion: facts, mentions }),
        )?;
    }
    Ok(written(cx, &discussion.team, discussion.id)?.into())
}

const TEXTS: &str = "SELECT title, body FROM discussions WHERE id = $1";

const RETITLE: &str = "
    UPDATE discussions
    SET title = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";

const REWRITE: &str = rewrite!("discussions");

/// Delete a discussion with its comments. Its number is not reused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a discussion.
pub fn delete(cx: &mut Cx, discussion: Granted<Discussion>, _: Delete) -> Result<Done> {
    cx.tx.run("DELETE FROM discussions WHERE id = $1", &[&discussion.id])?;
    board::remove(cx.tx, discussion.team.id, discussion.private)?;
    let facts = discussion.facts();
    let before = audited(&facts);
    cx.record(
        discussion.team.org_id,
        Change::new("team.destroy_discussion", &before, &json!(null))
            .with_event(&Event::DiscussionDeleted { discussion: facts }),
    )?;
    Ok(Done)
}

pub(super) fn audited(discussion: &DiscussionFacts) -> Value {
    json!({ "team": discussion.team.id, "discussion": discussion.number, "private": discussion.private })
}
