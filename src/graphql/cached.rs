//! Responses that are cached with the snapshot that they were made of (docs/decisions/0023), until anything is committed.
//!
//! A query that asks for what depends on the time is not cached. All others cannot ask for the time.

use serde_json::{Map, Value};

use crate::db::Cacheable;
use crate::links::Links;
use crate::operation::{Caller, Json};

/// The longest query that is cached, with its variables, in bytes.
const LONGEST: usize = 8_192;

/// A response to a query.
pub struct CachedResponse {
    /// The body.
    pub body: Json,
    /// The cost of the query, in points.
    pub cost: u32,
}

impl Cacheable for CachedResponse {
    const LARGEST: usize = 65_536;
    const IF_ASKED_AGAIN: bool = true;

    fn weight(&self) -> usize {
        size_of::<Self>() + self.body.weight()
    }
}

/// Everything that a response depends on besides the data; none if that is too long.
pub fn key(body: &Map<String, Value>, links: &Links, caller: &Caller) -> Option<Vec<u8>> {
    let token = caller.token.as_ref()?;
    let mut key = token.id.to_be_bytes().to_vec();
    links.push_key(&mut key);
    for part in ["query", "operationName", "variables"] {
        let value = body.get(part).filter(|value| !value.is_null());
        let text = match value {
            Some(Value::String(text)) => text.clone(),
            value => value.map(Value::to_string).unwrap_or_default(),
        };
        key.extend_from_slice(&text.len().to_be_bytes());
        key.extend_from_slice(text.as_bytes());
    }
    (key.len() <= LONGEST).then_some(key)
}
