//! Deliveries as operators see them.

use serde::Serialize;

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::words::words;

/// The number at which counting deliveries stops: it is enough to know that there are many.
const COUNTED: i64 = 100_000;

/// The deliveries that have not reached their receivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    /// The number of waiting deliveries, up to 100,000.
    pub waiting: i64,
    /// The number of deliveries that were given up and are still stored, up to 100,000.
    pub dead: i64,
    /// The time at which the oldest waiting delivery was queued.
    pub oldest: Option<Time>,
}

/// Counts the deliveries that have not reached their receivers.
pub fn backlog(tx: &mut Tx) -> Result<Backlog> {
    let (waiting,) = tx.one(WAITING, &[&COUNTED])?;
    let (dead,) = tx.one(DEAD, &[&COUNTED])?;
    let oldest: Option<(i64,)> = tx.maybe(OLDEST, &[])?;
    Ok(Backlog { waiting, dead, oldest: oldest.map(|(at,)| Time(at)) })
}

const WAITING: &str = "SELECT count(*) FROM (SELECT id FROM deliveries WHERE state = 'waiting' ORDER BY id LIMIT $1) d";
const DEAD: &str = "SELECT count(*) FROM (SELECT id FROM deliveries WHERE state = 'dead' ORDER BY id LIMIT $1) d";
const OLDEST: &str = "SELECT created_at FROM deliveries WHERE state = 'waiting' ORDER BY id LIMIT 1";

words! {
    /// The state of a delivery.
    #[derive(Serialize)]
    #[schemars(inline)]
    pub enum State {
        /// It waits for its turn or for the next attempt.
        Waiting = "waiting",
        /// It was given up after the last attempt.
        Dead = "dead",
        /// It was delivered.
        Delivered = "delivered",
    }
}

row! {
    /// A delivery.
    #[derive(Debug)]
    pub struct DeliveryRow from "d" {
        /// Identifier.
        pub id: i64,
        /// The login of the organization; none for the site.
        pub org_login: Option<String> = "o.login",
        /// The kind of its receiver.
        pub kind: String,
        /// The webhook; 0 for e-mail.
        pub target: i64 = "CASE WHEN d.target_id > 0 THEN d.target_id ELSE 0 END",
        /// The identifier that the receiver gets.
        pub guid: String = "e.guid",
        /// The event.
        pub event: String = "e.event",
        /// The action, if the event has actions.
        pub action: Option<String> = "e.action",
        /// The number of attempts.
        pub attempts: i64,
        /// The status of the last failed attempt.
        pub last_status: Option<String>,
        /// The time at which it was queued.
        pub created_at: Time,
        /// The time of the next attempt, if it is waiting.
        pub next_at: Time,
        /// True if it was requested manually.
        pub redelivery: bool,
    }
}

/// The deliveries to list.
#[derive(Debug, Clone, Copy)]
pub struct Filter {
    /// Their state.
    pub state: State,
    /// Their organization, or the site; all if none.
    pub org: Option<i64>,
    /// Their webhook; all if none.
    pub hook: Option<i64>,
}

/// The next deliveries after this one, the oldest first.
pub fn list(tx: &mut Tx, filter: Filter, after: i64, limit: i64) -> Result<Vec<DeliveryRow>> {
    let sql = match filter.state {
        State::Waiting => LIST_WAITING,
        State::Dead => LIST_DEAD,
        State::Delivered => LIST_DELIVERED,
    };
    tx.all(sql, &[&after, &limit, &filter.org, &filter.hook])
}

macro_rules! list {
    ($state:literal) => {
        select!(DeliveryRow from
            "deliveries d JOIN delivery_events e ON e.id = d.event_id LEFT JOIN orgs o ON o.id = e.org_id",
            " WHERE d.state = '", $state, "' AND d.id > $1 AND (e.org_id = $3 OR CAST($3 AS BIGINT) IS NULL)",
            " AND (d.target_id = $4 OR CAST($4 AS BIGINT) IS NULL) ORDER BY d.id LIMIT $2")
    };
}

const LIST_WAITING: &str = list!("waiting");
const LIST_DEAD: &str = list!("dead");
const LIST_DELIVERED: &str = list!("delivered");
