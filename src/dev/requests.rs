//! The requests of a generation, for tests to assert on. The texts of tokens are not kept.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};

/// The number of requests that are kept; the oldest are forgotten first.
const KEPT: usize = 10_000;

/// Query parameters that may be credentials.
const SECRET: [&str; 4] = ["access_token", "client_secret", "return_to", "token"];

/// A request and how it ended.
#[derive(Debug, Serialize)]
pub struct Entry {
    /// The verb.
    pub method: String,
    /// The path, as it was sent; the token of a link is masked.
    pub path: String,
    /// The query, as it was sent; credentials are masked.
    pub query: Option<String>,
    /// The operation.
    pub operation: Option<&'static str>,
    /// The person whose token was sent.
    pub login: Option<String>,
    /// The status; none if the connection was closed.
    pub status: Option<u16>,
    /// The ID in the response.
    pub request_id: Option<String>,
    /// The index of the fault that applied to it.
    pub fault: Option<usize>,
}

/// The requests since the reset, in the order in which they ended.
#[derive(Debug, Default)]
pub struct Requests(Mutex<(u64, VecDeque<Entry>)>);

impl Requests {
    /// Adds a request.
    pub fn push(&self, entry: Entry) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.0 += 1;
        if kept.1.len() == KEPT {
            kept.1.pop_front();
        }
        kept.1.push_back(entry);
    }

    /// All of them, with their number since the reset.
    pub fn list(&self) -> Value {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        json!({ "total": kept.0, "requests": kept.1 })
    }
}

/// Paths that end with the token of a link in an e-mail.
const LINKS: [&str; 4] = ["/ui/invitations/", "/ui/unsubscribe/", "/ui/emails/", "/login/link/"];

/// A path without credentials.
pub fn masked_path(path: &str) -> String {
    let link = LINKS.iter().find(|link| path.starts_with(**link));
    link.map_or_else(|| path.to_owned(), |link| format!("{link}***"))
}

/// A query without credentials.
pub fn masked(query: &str) -> String {
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if SECRET.contains(&name) => format!("{name}=***"),
        _ => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::{masked, masked_path};

    #[test]
    fn credentials_in_a_url_are_masked() {
        assert_eq!(masked_path("/ui/invitations/7-secret"), "/ui/invitations/***");
        assert_eq!(masked_path("/orgs/acme"), "/orgs/acme");
        assert_eq!(masked("page=2&access_token=secret&token=x&q"), "page=2&access_token=***&token=***&q");
    }
}
