//! Refusals of requests to control the server, and their responses.

use serde_json::{Map, Value, json};

/// A refusal.
#[derive(Debug)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    message: String,
    /// The item of a list.
    item: Option<usize>,
    /// The key of the body.
    key: Option<String>,
}

impl Refusal {
    /// A refusal of the whole request.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), item: None, key: None }
    }

    /// A refusal of a value (422).
    pub fn of(key: &str, message: impl Into<String>) -> Self {
        Self { key: Some(key.to_owned()), ..Self::new(422, message) }
    }

    /// The same, in this item of a list.
    pub fn in_item(self, item: usize) -> Self {
        Self { item: Some(item), ..self }
    }

    /// The body of the response: `faults[1].status: …`.
    pub fn body(&self) -> Value {
        let place = match (self.item, self.key.as_deref()) {
            (Some(item), Some(key)) => format!("faults[{item}].{key}: "),
            (Some(item), None) => format!("faults[{item}]: "),
            (None, Some(key)) => format!("{key}: "),
            (None, None) => String::new(),
        };
        let mut body = json!({ "message": format!("{place}{}", self.message) });
        if let Some(item) = self.item {
            body["item"] = item.into();
        }
        if let Some(key) = &self.key {
            body["key"] = key.as_str().into();
        }
        body
    }
}

/// Refuses the first key that is not known.
pub fn only(body: &Map<String, Value>, known: &[&str]) -> Result<(), Refusal> {
    let Some(key) = body.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    Err(Refusal::of(key, format!("there is no such key; use {}", known.join(", "))))
}
