//! The deliveries to webhooks and their results, for tests to assert on.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;

/// The most deliveries that are shown; the newest count.
const SHOWN: i64 = 10_000;

row! {
    /// A delivery to a webhook.
    #[derive(Serialize)]
    struct Delivery from "d" {
        id: i64,
        guid: String = "e.guid",
        event: String = "e.event",
        action: Option<String> = "e.action",
        org: Option<String> = "o.login",
        hook_id: i64 = "d.target_id",
        url: Option<String> = "h.url",
        state: String,
        created_at: Time,
        payload: Value = "e.payload" => parsed,
    }
}

row! {
    /// An attempt of a delivery.
    #[derive(Serialize)]
    struct Attempt from "a" {
        at: Time,
        ok: bool,
        status: String,
        status_code: i64,
        request_headers: Value => parsed,
        response_body: Option<String>,
    }
}

fn parsed(held: String) -> Value {
    serde_json::from_str(&held).unwrap_or_default()
}

/// A delivery with its attempts.
#[derive(Serialize)]
struct Attempted {
    #[serde(flatten)]
    delivery: Delivery,
    attempts: Vec<Attempt>,
}

/// The deliveries to webhooks in the order in which they were queued, each with its attempts.
pub fn list(tx: &mut Tx) -> Result<Value> {
    let mut deliveries: Vec<Delivery> = tx.all(DELIVERIES, &[&SHOWN])?;
    deliveries.reverse();
    let mut attempts: HashMap<i64, Vec<Attempt>> = HashMap::new();
    for (delivery, attempt) in tx.all(ATTEMPTS, &[])? {
        attempts.entry(delivery).or_default().push(attempt);
    }
    let attempted = |delivery: Delivery| {
        let attempts = attempts.remove(&delivery.id).unwrap_or_default();
        Attempted { delivery, attempts }
    };
    let deliveries: Vec<Attempted> = deliveries.into_iter().map(attempted).collect();
    Ok(json!({ "deliveries": deliveries }))
}

const DELIVERIES: &str = select!(Delivery from
    "deliveries d
     JOIN delivery_events e ON e.id = d.event_id
     LEFT JOIN orgs o ON o.id = e.org_id
     LEFT JOIN hooks h ON h.id = d.target_id
     WHERE d.kind = 'hook'
     ORDER BY d.id DESC
     LIMIT $1");

const ATTEMPTS: &str =
    const_str::concat!("SELECT a.delivery_id, ", Attempt::COLUMNS, " FROM delivery_attempts a ORDER BY a.id");
