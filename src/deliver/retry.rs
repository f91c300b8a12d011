//! Attempts deliveries again now, for operators: with `guildhall deliveries` and on pages (decision 44).

use serde_json::json;

use super::queue;
use super::stored::State;
use crate::error::Result;
use crate::journal::{self, Change};
use crate::operation::Cx;

/// Makes those of these deliveries due at once that were given up, or are in the other state, with the retries of new ones.
/// Records and returns them.
pub fn retry(cx: &mut Cx, ids: &[i64], or: State) -> Result<Vec<i64>> {
    let (now, seconds, mut retried) = (cx.now()?, cx.site.retry_seconds, Vec::new());
    for id in ids {
        if queue::retry(cx.tx, *id, or, now, seconds)? {
            retried.push(*id);
        }
    }
    record(cx, "delivery.retry", &retried)?;
    Ok(retried)
}

/// Removes those of these deliveries that wait or were given up. They are never sent. Records and returns them.
pub fn drop_all(cx: &mut Cx, ids: &[i64]) -> Result<Vec<i64>> {
    let (now, mut dropped) = (cx.now()?, Vec::new());
    for id in ids {
        if queue::drop_one(cx.tx, *id, now)? {
            dropped.push(*id);
        }
    }
    record(cx, "delivery.drop", &dropped)?;
    Ok(dropped)
}

fn record(cx: &mut Cx, action: &'static str, ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    cx.record(journal::SITE, Change::new(action, &json!(null), &json!({ "ids": ids })))
}
