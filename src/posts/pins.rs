//! Pinning a discussion to the top of the page of its board (decision 35). The API cannot set it; pages and GraphQL do.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::discussion::Discussion;
use super::discussions::{self, Get, Update, audited};
use super::places;
use super::record::TeamDiscussion;
use super::text::{BODY_MAX, TITLE_MAX};
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The most pinned discussions of a board. Its page shows all of them at once.
const MOST: usize = 10;

/// Pin a discussion, or unpin it. Its title and text may change with it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Put {
    /// True to pin it.
    pub pinned: bool,
    /// The title.
    #[schemars(length(min = 1, max = TITLE_MAX), extend("x-function-validates" = true))]
    pub title: Option<String>,
    /// Text, in Markdown.
    #[schemars(length(min = 1, max = BODY_MAX))]
    pub body: Option<String>,
}

/// Pins a discussion or unpins it, which changes none of its times. The same again changes nothing.
pub fn put(cx: &mut Cx, discussion: Granted<Discussion>, p: Put) -> Result<Record<TeamDiscussion>> {
    let (is_pinned,): (bool,) = cx.tx.one(PINNED, &[&discussion.id])?;
    if p.pinned != is_pinned {
        if p.pinned && places::pinned(cx.tx, discussion.team.id, true)?.len() >= MOST {
            return Err(Error::sentence(format!("A board has at most {MOST} pinned posts. Unpin another one first.")));
        }
        cx.tx.run(PIN, &[&discussion.id, &p.pinned])?;
        record(cx, &discussion, p.pinned)?;
    }
    match (&p.title, &p.body) {
        (None, None) => discussions::get(cx, discussion, Get {}),
        _ => discussions::update(cx, discussion, Update { title: p.title, body: p.body }),
    }
}

const PINNED: &str = "SELECT pinned FROM discussions WHERE id = $1";

const PIN: &str = "UPDATE discussions SET pinned = $2 WHERE id = $1";

/// Records it without an event: receivers and people are told of texts alone.
fn record(cx: &mut Cx, discussion: &Discussion, pinned: bool) -> Result<()> {
    let action = if pinned { "team.pin_discussion" } else { "team.unpin_discussion" };
    let facts = |pinned: bool| {
        let mut facts = audited(&discussion.facts());
        facts["pinned"] = json!(pinned);
        facts
    };
    cx.record(discussion.team.org_id, Change::new(action, &facts(!pinned), &facts(pinned)))
}
