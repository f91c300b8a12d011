//! The deliveries to webhooks and their results, for tests to assert on.

use serde_json::{Value, json};

use crate::clock::Time;
use crate::db::{FromRow, Row, Tx};
use crate::error::Result;

/// How many deliveries are shown; the newest count.
const SHOWN: i64 = 10_000;

/// A delivery to a webhook.
struct Delivery(i64, Value);

impl FromRow for Delivery {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let payload: String = row.get(9)?;
        let id = row.get(0)?;
        let shown = json!({
            "id": id,
            "guid": row.get::<String>(1)?,
            "event": row.get::<String>(2)?,
            "action": row.get::<Option<String>>(3)?,
            "org": row.get::<Option<String>>(4)?,
            "hook_id": row.get::<i64>(5)?,
            "url": row.get::<Option<String>>(6)?,
            "state": row.get::<String>(7)?,
            "created_at": Time(row.get(8)?),
            "payload": serde_json::from_str::<Value>(&payload).unwrap_or_default(),
            "attempts": [],
        });
        Ok(Self(id, shown))
    }
}

/// An attempt, with the delivery that it belongs to.
struct Attempt(i64, Value);

impl FromRow for Attempt {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let headers: String = row.get(5)?;
        let shown = json!({
            "at": Time(row.get(1)?),
            "ok": row.get::<bool>(2)?,
            "status": row.get::<String>(3)?,
            "status_code": row.get::<i64>(4)?,
            "request_headers": serde_json::from_str::<Value>(&headers).unwrap_or_default(),
            "response_body": row.get::<Option<String>>(6)?,
        });
        Ok(Self(row.get(0)?, shown))
    }
}

/// The deliveries to webhooks in the order in which they were queued, each with its attempts.
pub fn list(tx: &mut Tx) -> Result<Value> {
    let mut deliveries: Vec<Delivery> = tx.all(DELIVERIES, &[&SHOWN])?;
    deliveries.reverse();
    let attempts: Vec<Attempt> = tx.all(ATTEMPTS, &[])?;
    for Attempt(id, attempt) in attempts {
        let Ok(at) = deliveries.binary_search_by_key(&id, |delivery| delivery.0) else { continue };
        if let Some(attempts) = deliveries[at].1["attempts"].as_array_mut() {
            attempts.push(attempt);
        }
    }
    let deliveries: Vec<Value> = deliveries.into_iter().map(|delivery| delivery.1).collect();
    Ok(json!({ "deliveries": deliveries }))
}

const DELIVERIES: &str = "
    SELECT d.id, e.guid, e.event, e.action, o.login, d.target_id, h.url, d.state, d.created_at, e.payload
    FROM deliveries d
    JOIN delivery_events e ON e.id = d.event_id
    LEFT JOIN orgs o ON o.id = e.org_id
    LEFT JOIN hooks h ON h.id = d.target_id
    WHERE d.kind = 'hook'
    ORDER BY d.id DESC
    LIMIT $1";

const ATTEMPTS: &str = "
    SELECT delivery_id, at, ok, status, status_code, request_headers, response_body
    FROM delivery_attempts
    ORDER BY id";
