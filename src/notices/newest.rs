//! The newest thing in each thread of an inbox, as pages show it: who wrote it, and whether the thread is muted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::thread::seen;
use super::threads::Inbox;
use crate::db::{ByIds, by_ids_after, row};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The most threads at a time.
const MOST: usize = 100;

/// Selects a column of the author of the newest thing.
macro_rules! author {
    ($column:literal) => {
        concat!(
            "(SELECT ",
            $column,
            " FROM users a WHERE a.id = CASE WHEN n.comment_id IS NULL THEN d.author_id ELSE c.author_id END)"
        )
    };
}

row! {
    /// A thread.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Newest from "n" {
        /// ID of the thread.
        pub id: i64,
        /// The login of the author of the newest thing; none if the account was deleted.
        pub login: Option<String> = author!("a.login"),
        /// Their name.
        pub name: Option<String> = author!("a.name"),
        /// True if the caller has muted the discussion.
        pub muted: bool = "EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = n.user_id
            AND s.discussion_id = n.discussion_id AND s.ignored = TRUE)",
    }
}

/// Look up the newest thing of threads.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Threads {
    /// IDs of threads, with commas between them.
    pub threads: String,
}

/// Looks up the newest thing of the caller's threads with these IDs.
pub fn list(cx: &mut Cx, _: Granted<Inbox>, p: Threads) -> Result<Record<Vec<Newest>>> {
    let ids: Vec<i64> = p.threads.split(',').filter_map(|id| id.trim().parse().ok()).collect();
    if ids.len() > MOST {
        return Err(Error::explained("Thread", "invalid", "threads", format!("Use at most {MOST} threads.")));
    }
    Ok(by_ids_after::<Newest>(cx.tx, &NEWEST, &[&cx.me()?.id], &ids)?.into())
}

static NEWEST: ByIds =
    ByIds::after(1, const_str::concat!("SELECT ", Newest::COLUMNS, seen!("n.user_id = $1 AND n.id IN ({ids})")));
