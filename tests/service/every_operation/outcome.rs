//! The outcome of a request, independent of the world and of the base URL.

use crate::every_operation::scene::Scene;
use crate::support::{Answer, Client, Value, dump};

/// A response, and what the database held afterwards.
#[derive(Clone)]
pub struct Outcome(pub Response, String);

impl Outcome {
    pub fn of(scene: &Scene, client: &Client, answer: &Answer) -> Self {
        Self(Response::of(client, answer), dump::comparable(&scene.world))
    }

    /// Fails unless both are the same.
    #[track_caller]
    pub fn must_be(&self, other: &Self, what: &str) {
        assert_eq!(self.0, other.0, "{what}");
        assert!(self.1 == other.1, "{what} wrote:\n{}", dump::difference(&other.1, &self.1));
    }
}

/// A response, independent of the base URL of the request.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    status: u16,
    body: String,
    location: Option<String>,
    links: Vec<String>,
}

impl Response {
    pub fn of(client: &Client, answer: &Answer) -> Self {
        let plain = |text: &str| neutral(client, text);
        let links = answer.header("link").map(|links| {
            let of_address = |link: &&str| !link.contains("rel=\"deprecation\"") && !link.contains("rel=\"alternate\"");
            links.split(", ").filter(of_address).map(plain).collect()
        });
        Self {
            status: answer.status,
            body: plain(&without_secrets(answer)),
            location: answer.header("location").map(plain),
            links: links.unwrap_or_default(),
        }
    }
}

/// A text without the base URL of the request; pages have the same URL for every base.
fn neutral(client: &Client, text: &str) -> String {
    let origin = client.base.trim_end_matches("/api/v3");
    let text = text.replace(&format!("{origin}/ui"), "PAGE").replace(&client.base, "API");
    assert!(!text.contains(origin), "an address in the answer has another base than {}: {text}", client.base);
    text
}

/// A body without the text of a token, which is new each time.
fn without_secrets(answer: &Answer) -> String {
    let mut body = answer.json.clone();
    for secret in ["token", "hashed_token", "token_last_eight"] {
        if let Some(value) = body.get_mut(secret) {
            *value = Value::Null;
        }
    }
    if body.is_null() { answer.text.clone() } else { body.to_string() }
}
