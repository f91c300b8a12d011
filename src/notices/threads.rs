//! The operations on the inbox: listing it, marking it as read, and operations on one thread.

use schemars::JsonSchema;
use serde::Deserialize;

use super::thread::{Thread, ThreadRecord, seen};
use crate::clock::Time;
use crate::db::{Bind, Lock, Tx};
use crate::error::{Error, Result};
use crate::operation::{Caller, Cx, Done, List, Path, Record, Subject, let_in};
use crate::policy::{Granted, Standing};
use crate::site::signed_in;

/// The caller's inbox.
#[derive(Debug, Clone, Copy)]
pub struct Inbox;

impl Subject for Inbox {
    const FORMS: &'static [&'static str] = &["/notifications"];
    const PERSONAL: bool = true;

    fn find(cx: &mut Cx, _: &Path) -> Result<(Self, Standing)> {
        cx.me()?;
        Ok((Self, signed_in(cx)))
    }

    fn locks(_: &mut Tx, caller: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(caller.person.iter().map(|person| Lock::User(person.id)).collect())
    }

    fn canonical(&self) -> String {
        "/notifications".to_owned()
    }
}

/// List the discussions that the caller was notified of, the newest first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThreads {
    /// True to include those that were read.
    #[schemars(extend("default" = false))]
    pub all: Option<bool>,
    /// True to list only those in which the caller takes part or is mentioned.
    #[schemars(extend("default" = false))]
    pub participating: Option<bool>,
    /// Only those that were updated at this time or later, such as `2026-01-31T12:00:00Z`.
    #[schemars(extend("x-function-validates" = true))]
    pub since: Option<String>,
    /// Only those that were updated before this time.
    #[schemars(extend("x-function-validates" = true))]
    pub before: Option<String>,
}

/// Lists the inbox.
pub fn list(cx: &mut Cx, _: Granted<Inbox>, p: ListThreads) -> Result<List<ThreadRecord>> {
    let me = cx.me()?.id;
    let (all, participating) = (p.all.unwrap_or(false), p.participating.unwrap_or(false));
    let since = time("since", p.since.as_deref())?.map_or(i64::MIN, |at| at.0);
    let before = time("before", p.before.as_deref())?.map_or(i64::MAX, |at| at.0);
    let (application, (limit, offset)) = (cx.caller.application(), cx.page.sql());
    let total: i64 = cx.tx.one(COUNT, &[&me, &all, &participating, &since, &before, &application])?;
    let params: [&dyn Bind; 8] = [&me, &all, &participating, &since, &before, &application, &limit, &offset];
    let found: Vec<Thread> = cx.tx.all(LIST, &params)?;
    let items = found.into_iter().map(|thread| thread.record(cx.links));
    List::of(items, total)
}

fn time(field: &'static str, text: Option<&str>) -> Result<Option<Time>> {
    let wrong = || Error::explained("Thread", "invalid", field, "Use a time in UTC, such as 2026-01-31T12:00:00Z.");
    text.map(|text| Time::read(text).ok_or_else(wrong)).transpose()
}

macro_rules! listed {
    () => {
        concat!(
            seen!(
                "n.user_id = $1 AND n.done = FALSE AND (n.unread = TRUE OR $2 = TRUE)
                 AND (n.reason <> 'subscribed' OR $3 = FALSE) AND n.updated_at >= $4 AND n.updated_at < $5"
            ),
            " AND ",
            let_in!("t.org_id", "$6")
        )
    };
}

const COUNT: &str = concat!("SELECT count(*)", listed!());
const LIST: &str = const_str::concat!(
    "SELECT ",
    Thread::COLUMNS,
    listed!(),
    " ORDER BY n.updated_at DESC, n.id DESC LIMIT $7 OFFSET $8"
);

/// Mark the inbox as read.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct MarkAll {
    /// Only what was updated at this time or earlier, such as `2026-01-31T12:00:00Z`. Everything, unless given.
    #[schemars(extend("x-function-validates" = true))]
    pub last_read_at: Option<String>,
    /// True if it was read.
    #[schemars(extend("default" = true))]
    pub read: Option<bool>,
}

/// Marks everything as read, or as unread.
pub fn mark_all(cx: &mut Cx, _: Granted<Inbox>, p: MarkAll) -> Result<Done<205>> {
    let (me, application, now) = (cx.me()?.id, cx.caller.application(), cx.now()?);
    let until = time("last_read_at", p.last_read_at.as_deref())?.map_or(i64::MAX, |at| at.0);
    if p.read.unwrap_or(true) {
        cx.tx.run(READ_ALL, &[&me, &until, &application, &now.0])?;
    } else {
        cx.tx.run(UNREAD_ALL, &[&me, &until, &application])?;
    }
    Ok(Done)
}

/// True for the threads of the caller until a time, in organizations that let their application in.
macro_rules! is_marked {
    () => {
        concat!(
            "user_id = $1 AND updated_at <= $2 AND (CAST($3 AS BIGINT) IS NULL OR EXISTS
                (SELECT 1 FROM discussions d JOIN teams t ON t.id = d.team_id
                 WHERE d.id = notices.discussion_id AND ",
            let_in!("t.org_id", "$3"),
            "))"
        )
    };
}

const READ_ALL: &str =
    concat!("UPDATE notices SET unread = FALSE, last_read_at = $4 WHERE unread = TRUE AND ", is_marked!());
const UNREAD_ALL: &str = concat!("UPDATE notices SET unread = TRUE WHERE done = FALSE AND ", is_marked!());

/// Get a discussion that the caller was notified of.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a thread.
pub fn get(cx: &mut Cx, thread: Granted<Thread>, _: Get) -> Result<Record<ThreadRecord>> {
    Ok(Thread::clone(&thread).record(cx.links).into())
}

/// Mark one as read.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Read {}

/// Marks a thread as read.
pub fn read(cx: &mut Cx, thread: Granted<Thread>, _: Read) -> Result<Done<205>> {
    cx.tx.run(READ, &[&thread.id, &cx.now()?.0])?;
    Ok(Done)
}

const READ: &str = "UPDATE notices SET unread = FALSE, last_read_at = $2 WHERE id = $1 AND unread = TRUE";

/// Mark one as done. It leaves the inbox until something happens in the discussion.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Finish {}

/// Marks a thread as done.
pub fn finish(cx: &mut Cx, thread: Granted<Thread>, _: Finish) -> Result<Done> {
    cx.tx.run("UPDATE notices SET unread = FALSE, done = TRUE WHERE id = $1", &[&thread.id])?;
    Ok(Done)
}
