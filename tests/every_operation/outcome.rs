//! What a request came to, in words that do not depend on the world or the address of it.

use crate::scene::Scene;
use crate::support::{Answer, Client, Value, dump};

/// What an answer said, and what the database held afterwards.
#[derive(Clone)]
pub struct Done(pub Said, String);

impl Done {
    pub fn of(scene: &Scene, client: &Client, answer: &Answer) -> Self {
        Self(Said::of(client, answer), dump::comparable(&scene.world))
    }

    /// Fails unless both came to the same.
    #[track_caller]
    pub fn must_be(&self, other: &Self, what: &str) {
        assert_eq!(self.0, other.0, "{what}");
        assert!(self.1 == other.1, "{what} wrote:\n{}", dump::difference(&other.1, &self.1));
    }
}

/// What an answer says, whatever the address by which it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    status: u16,
    body: String,
    location: Option<String>,
    links: Vec<String>,
}

impl Said {
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

/// A text without the base by which it was asked for; pages stand at the same place for every base.
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
