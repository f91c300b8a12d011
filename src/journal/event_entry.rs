//! An entry with an event, as deliveries read it.

use serde::Deserialize;

use super::Event;
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

/// The content of an entry.
#[derive(Debug, Deserialize)]
pub struct Facts {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// True if the person who made the change administers the site.
    #[serde(default)]
    pub by_site_admin: bool,
}

/// The part of the facts that is about the order of a change.
#[derive(Deserialize)]
struct Ordered {
    follows: Option<(i64, i64)>,
}

impl EventEntry {
    /// The content of this entry of a journal; none, with a warning, if it cannot be read.
    #[must_use]
    pub fn read(&self, org: i64) -> Option<Facts> {
        serde_json::from_str(&self.facts)
            .inspect_err(|error| {
                tracing::warn!(org, entry = self.number, %error, "skipping an event that cannot be read");
            })
            .ok()
    }

    /// The journal and the number of the entry whose event comes before this one in the same change, if that is in
    /// another journal.
    #[must_use]
    pub fn follows(&self) -> Option<(i64, i64)> {
        serde_json::from_str::<Ordered>(&self.facts).ok()?.follows
    }
}
