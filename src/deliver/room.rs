//! Deliveries in the room of site administrators: to webhooks and by e-mail, what became of each, and trying again those
//! that were given up (decision 44).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Kind;
use super::retry::retry;
use super::stored::State;
use crate::clock::Time;
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Done, List, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The most deliveries that are listed, or attempted again, at once.
const MOST: i64 = 500;

row! {
    /// A delivery as its room shows it.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Shown from "d" {
        /// ID.
        pub id: i64,
        /// `waiting`, `dead` or `delivered`.
        pub state: String,
        /// `hook` or `mail`.
        pub kind: String,
        /// Login of the organization of the event; null for the site.
        pub org: Option<String> = "o.login",
        /// ID of the webhook; null for an e-mail.
        pub hook: Option<i64> = "h.id",
        /// URL of the webhook, without user and password.
        pub url: Option<String> = "h.url",
        /// Login of the organization of the webhook; null for a webhook of the site.
        pub hook_org: Option<String> = "ho.login",
        /// True if the webhook gets events.
        pub is_on: bool = "coalesce(h.active = TRUE AND h.deleted_at IS NULL, FALSE)",
        /// Login of the recipient of an e-mail; null for the recipient of an invitation.
        pub person: Option<String> = "u.login",
        /// The event.
        pub event: String = "e.event",
        /// The action; null if the event has no actions.
        pub action: Option<String> = "e.action",
        /// The ID of the event that the receiver gets.
        pub guid: String = "e.guid",
        /// Number of attempts so far.
        pub attempts: i64,
        /// Result of the last failed attempt; null if there was none.
        pub last_status: Option<String>,
        /// Creation time.
        pub created_at: Time,
        /// Time of the next attempt, if it waits.
        pub next_at: Time,
        /// Time at which it was accepted or given up; null while it waits.
        pub finished_at: Option<Time>,
        /// True if it was requested manually.
        pub redelivery: bool,
    }
}

macro_rules! shown {
    ($($end:literal),+) => {
        select!(Shown from
            "deliveries d JOIN delivery_events e ON e.id = d.event_id
             LEFT JOIN orgs o ON o.id = e.org_id
             LEFT JOIN hooks h ON d.kind = 'hook' AND h.id = d.target_id
             LEFT JOIN orgs ho ON ho.id = h.org_id
             LEFT JOIN users u ON d.kind = 'mail' AND u.id = d.order_key ", $($end),+)
    };
}

/// List deliveries that wait or were given up, the oldest first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListOf {
    /// `waiting` or `dead`.
    pub state: State,
    /// `hook` or `mail`. Default: both.
    pub kind: Option<String>,
    /// Only deliveries to the webhook with this ID.
    pub hook: Option<i64>,
    /// Only deliveries after the one with this ID.
    pub after: i64,
    /// Number of results.
    pub per_page: i64,
}

/// Lists deliveries.
pub fn list(cx: &mut Cx, _: Granted<Site>, p: ListOf) -> Result<List<Shown>> {
    let sql = match p.state {
        State::Waiting => WAITING,
        State::Dead => DEAD,
        State::Delivered => return Err(Error::NotFound),
    };
    let found: Vec<Shown> =
        cx.tx.all(sql, &[&p.after, &p.per_page.clamp(1, MOST), &kind(p.kind.as_deref()), &p.hook])?;
    let total = i64::try_from(found.len()).unwrap_or(MOST);
    List::of(found, total)
}

/// The word of a kind, if there is such a kind.
fn kind(word: Option<&str>) -> Option<&'static str> {
    word.and_then(Kind::of).map(Kind::word)
}

const WAITING: &str = shown!(
    "WHERE d.state = 'waiting' AND d.id > $1 AND (d.kind = $3 OR CAST($3 AS TEXT) IS NULL)
     AND (d.target_id = $4 OR CAST($4 AS BIGINT) IS NULL) ORDER BY d.id LIMIT $2"
);
const DEAD: &str = shown!(
    "WHERE d.state = 'dead' AND d.id > $1 AND (d.kind = $3 OR CAST($3 AS TEXT) IS NULL)
     AND (d.target_id = $4 OR CAST($4 AS BIGINT) IS NULL) ORDER BY d.id LIMIT $2"
);

/// Get a delivery.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// ID of the delivery.
    pub id: i64,
}

/// Gets a delivery; 404 if it is not kept any more.
pub fn get(cx: &mut Cx, _: Granted<Site>, p: Get) -> Result<Record<Shown>> {
    let found: Option<Shown> = cx.tx.maybe(ONE, &[&p.id])?;
    found.map(Record::from).ok_or(Error::NotFound)
}

const ONE: &str = shown!("WHERE d.id = $1");

/// Attempt a delivery again that was given up.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Retry {
    /// ID of the delivery.
    pub id: i64,
}

/// Attempts a delivery again; 422 if it waits or was accepted, 404 if it is not kept any more.
pub fn retry_one(cx: &mut Cx, _: Granted<Site>, p: Retry) -> Result<Done> {
    if !retry(cx, &[p.id], State::Dead)?.is_empty() {
        return Ok(Done);
    }
    let is_kept = cx.tx.any("SELECT 1 FROM deliveries WHERE id = $1", &[&p.id])?;
    Err(if is_kept {
        Error::sentence("It waits to be sent already, or was accepted meanwhile.")
    } else {
        Error::NotFound
    })
}

/// Attempt deliveries again that were given up.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RetryFailed {
    /// `hook` or `mail`. Default: both.
    pub kind: Option<String>,
    /// Only deliveries to the webhook with this ID.
    pub hook: Option<i64>,
    /// Only deliveries after the one with this ID.
    pub after: i64,
}

/// The deliveries that are attempted again.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Retried {
    /// Their number.
    pub count: i64,
    /// The ID of the last one, if there may be more after it.
    pub last: Option<i64>,
}

/// Attempts the next deliveries again that were given up, the oldest first.
pub fn retry_failed(cx: &mut Cx, _: Granted<Site>, p: RetryFailed) -> Result<Record<Retried>> {
    let kind = kind(p.kind.as_deref());
    let ids: Vec<i64> = cx.tx.all(FAILED, &[&p.after, &MOST, &kind, &p.hook])?;
    let retried = retry(cx, &ids, State::Dead)?;
    let (found, count) = (i64::try_from(ids.len()).unwrap_or(MOST), i64::try_from(retried.len()).unwrap_or(MOST));
    Ok(Retried { count, last: ids.last().copied().filter(|_| found == MOST) }.into())
}

const FAILED: &str = "
    SELECT id FROM deliveries
    WHERE state = 'dead' AND id > $1 AND (kind = $3 OR CAST($3 AS TEXT) IS NULL)
      AND (target_id = $4 OR CAST($4 AS BIGINT) IS NULL)
    ORDER BY id LIMIT $2";
