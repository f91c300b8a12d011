//! An entry with an event, as deliveries read it.

use serde::Deserialize;

use crate::clock::Time;
use crate::db::{FromRow, Row};
use crate::error::Result;

/// An entry with an event.
#[derive(Debug, Clone)]
pub struct EventEntry {
    /// Number of the entry.
    pub number: i64,
    /// Time of the change.
    pub at: Time,
    /// The person who made the change.
    pub actor_id: Option<i64>,
    /// That person's login.
    pub actor_login: Option<String>,
    /// The event.
    pub event: String,
    /// Its facts, as JSON.
    pub facts: String,
    /// The request that made the change. Entries of one request belong to one change.
    pub request_id: String,
}

/// The part of the facts that is about the order of a change.
#[derive(Deserialize)]
struct Ordered {
    follows: Option<(i64, i64)>,
}

impl EventEntry {
    /// The journal and the number of the entry whose event comes before this one in the same change, if that is in
    /// another journal.
    #[must_use]
    pub fn follows(&self) -> Option<(i64, i64)> {
        serde_json::from_str::<Ordered>(&self.facts).ok()?.follows
    }
}

impl FromRow for EventEntry {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            at: Time(row.get(1)?),
            actor_id: row.get(2)?,
            actor_login: row.get(3)?,
            event: row.get(4)?,
            facts: row.get(5)?,
            request_id: row.get(6)?,
        })
    }
}
