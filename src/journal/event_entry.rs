//! An entry with an event, as deliveries read it.

use serde::Deserialize;

use crate::clock::Time;
use crate::db::row;

row! {
    /// An entry with an event.
    #[derive(Debug, Clone)]
    pub struct EventEntry from "j" {
        /// Number of the entry.
        pub number: i64 = "f.entry",
        /// Time of the change.
        pub at: Time,
        /// The person who made the change.
        pub actor_id: Option<i64>,
        /// That person's login.
        pub actor_login: Option<String>,
        /// The event.
        pub event: String = "f.event",
        /// Its facts, as JSON.
        pub facts: String = "f.facts",
        /// The request that made the change. Entries of one request belong to one change.
        pub request_id: String,
    }
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
