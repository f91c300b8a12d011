//! The facts about a request that its response repeats, and the responses that are not a reply: refusals and redirects.

use std::net::IpAddr;
use std::sync::Arc;

use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

use super::address;
use super::media::Media;
use super::problem::{problem, provisioned, provisioning};
use super::response::{self, Answer};
use crate::db::OUTAGE;
use crate::error::Error;
use crate::links::{Links, ascii};
use crate::operation::{Operation, RequestId};

/// The facts about a request that are known before it is carried out.
#[derive(Clone)]
pub struct Head {
    /// Its ID, which the response repeats.
    pub id: RequestId,
    /// The media types that it accepts.
    pub media: Media,
    /// The beginning of URLs in the response.
    pub links: Arc<Links>,
    /// True if it came over TLS.
    pub tls: bool,
    /// The IP address of the client.
    pub client: IpAddr,
    /// Its query, as it was sent.
    pub query: Option<String>,
    /// Its headers.
    pub headers: HeaderMap,
    /// True if it is for provisioning, which has its own form of responses.
    pub provisioning: bool,
}

/// The longest path with its query, in bytes.
const LONGEST_TARGET: usize = 8_192;

impl Head {
    /// True if this path with the query is longer than a request may have it.
    #[must_use]
    pub fn is_too_long(&self, path: &str) -> bool {
        path.len() + self.query.as_ref().map_or(0, String::len) > LONGEST_TARGET
    }

    /// The URL of the documentation.
    #[must_use]
    pub fn docs(&self) -> String {
        self.links.html("/docs")
    }

    /// The text of a header, if it has one.
    #[must_use]
    pub fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Redirects a read by an old name to the current path, with the rest of the path (decisions 10 and 33).
pub fn redirect(head: &Head, to: &str, segments: usize, target: &str) -> Answer {
    let (_, path) = address::strip_prefix(target);
    let rest = path.match_indices('/').nth(segments).map_or("", |(at, _)| &path[at..]);
    let query = head.query.as_ref().map_or_else(String::new, |query| format!("?{query}"));
    let mut answer = response::json(302, None);
    let headers = &mut answer.headers;
    headers.set(header::LOCATION, head.links.api(&ascii(&format!("{to}{rest}{query}"))));
    headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
    identified(answer, head)
}

/// Responds with an error. Internal errors are logged.
pub fn refuse(head: &Head, operation: Option<&Operation>, error: &Error) -> Answer {
    let id = head.id.as_str();
    match error {
        Error::Bug(text) => tracing::error!(request = id, error = text, "internal error"),
        Error::Unavailable(_) if OUTAGE.is_due() => tracing::warn!(request = id, %error, "cannot answer the request"),
        Error::Unavailable(_) => tracing::debug!(request = id, %error, "cannot answer the request"),
        Error::Taken(_) => tracing::warn!(request = id, %error, "cannot answer the request"),
        _ => {}
    }
    let docs = head.docs();
    let documentation = operation.map_or_else(|| docs.clone(), |operation| format!("{docs}#{}", operation.name));
    let problem = if head.provisioning { provisioning(error) } else { problem(error, &documentation, &docs) };
    let mut answer = response::json(problem.status, Some(problem.body.into()));
    // A 404 is an ordinary response: many checks answer "no" with it.
    if problem.status != 404 {
        answer.headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
    }
    if let Some(seconds) = problem.retry_after {
        answer.headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    identified(answer, head)
}

/// Adds the ID of the request and the media type it asked for.
#[must_use]
pub fn identified(mut answer: Answer, head: &Head) -> Answer {
    let headers = &mut answer.headers;
    response::identify(headers, head.id, &head.media, head.tls);
    if head.provisioning {
        response::provisioning(headers);
    }
    answer
}

/// Changes the status, which a provisioning response repeats in its body.
#[must_use]
pub fn with_status(head: &Head, error: &Error, status: StatusCode) -> Answer {
    let mut answer = refuse(head, None, error);
    answer.status = status;
    if head.provisioning {
        answer.body = provisioned(error, status.as_u16()).into();
    }
    answer
}
