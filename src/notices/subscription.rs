//! The caller's choice for a discussion that they were notified of: to be notified of everything, or of nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choice;
use super::thread::Thread;
use crate::clock::Time;
use crate::error::Result;
use crate::operation::{Cx, Done, Record};
use crate::policy::Granted;

/// The subscription of a discussion.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "thread-subscription")]
pub struct Subscription {
    /// True if the caller is notified of what happens in the discussion.
    pub subscribed: bool,
    /// True if the caller is notified of nothing.
    pub ignored: bool,
    /// Reason why the caller is notified, as in the thread.
    pub reason: Option<String>,
    /// Time at which the caller chose; null if they did not.
    pub created_at: Option<Time>,
    /// URL of the record.
    pub url: String,
    /// URL of the thread.
    pub thread_url: String,
}

/// Get the subscription of a discussion.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the choice; without one, the caller is notified.
pub fn get(cx: &mut Cx, thread: Granted<Thread>, _: Get) -> Result<Record<Subscription>> {
    let me = cx.me()?.id;
    let chosen: Option<(bool, i64)> = cx.tx.maybe(CHOSEN, &[&me, &thread.discussion])?;
    let ignored = chosen.is_some_and(|(ignored, _)| ignored);
    let thread_url = cx.links.api(&format!("/notifications/threads/{}", thread.id));
    Ok(Subscription {
        subscribed: !ignored,
        ignored,
        reason: Some(thread.reason.clone()),
        created_at: chosen.map(|(_, at)| Time(at)),
        url: format!("{thread_url}/subscription"),
        thread_url,
    }
    .into())
}

const CHOSEN: &str = "SELECT ignored, created_at FROM subscriptions WHERE user_id = $1 AND discussion_id = $2";

/// Subscribe to a discussion, or mute it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Set {
    /// True to be notified of nothing.
    #[schemars(extend("default" = false))]
    pub ignored: Option<bool>,
}

/// Stores the choice.
pub fn set(cx: &mut Cx, thread: Granted<Thread>, p: Set) -> Result<Record<Subscription>> {
    let (me, now) = (cx.me()?.id, cx.now()?);
    choice::subscribe(cx.tx, (me, thread.discussion), p.ignored.unwrap_or(false), now)?;
    get(cx, thread, Get {})
}

/// Forget the choice for a discussion. The caller is notified again if they belong to the team or take part.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes the choice.
pub fn delete(cx: &mut Cx, thread: Granted<Thread>, _: Delete) -> Result<Done> {
    choice::unsubscribe(cx.tx, (cx.me()?.id, thread.discussion))?;
    Ok(Done)
}
