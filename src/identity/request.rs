//! The requests to a provider. Redirects are not followed, and nothing is read beyond the limits of the sender.

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper::header::{ACCEPT, AUTHORIZATION, HOST, USER_AGENT};
use hyper::http::request::Builder;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::Refused;
use crate::hooks::target::Target;
use crate::sender::Sender;

/// The field of a refusal that the log shows.
#[derive(Default, Deserialize)]
struct Problem {
    error: String,
}

/// Fetches a document.
pub async fn get(sender: &Sender, place: &Target, token: Option<&str>, what: &str) -> Result<Vec<u8>, Refused> {
    let mut request = begin(Request::get(&place.path), place);
    if let Some(token) = token {
        request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    send(sender, place, request, String::new(), what).await
}

/// Begins a request to a place.
pub fn begin(request: Builder, place: &Target) -> Builder {
    let agent = concat!("Guildhall/", env!("CARGO_PKG_VERSION"));
    request.header(HOST, place.authority()).header(USER_AGENT, agent).header(ACCEPT, "application/json")
}

/// Sends a request, and returns the body of a response with the status 200.
pub async fn send(
    sender: &Sender,
    place: &Target,
    request: Builder,
    body: String,
    what: &str,
) -> Result<Vec<u8>, Refused> {
    let request = request.body(Full::new(Bytes::from(body)));
    let request = request.map_err(|_| Refused::because(format!("{what}: the request cannot be sent")))?;
    let answered = sender.fetch(place, request).await;
    let (status, body) = answered.map_err(|why| Refused::because(format!("{what}: {why}")))?;
    if status == 200 {
        return Ok(body);
    }
    let Problem { error } = serde_json::from_slice(&body).unwrap_or_default();
    Err(Refused::said(&format!("{what}: status {status}"), &error))
}

/// Fields as a form sends them.
pub fn encoded(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
    pairs.collect::<Vec<_>>().join("&")
}
