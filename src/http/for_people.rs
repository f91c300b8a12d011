//! Requests for pages: HTTP to a visit, and a page to HTTP, with the headers that isolate pages from other sites
//! (decision 61).

use std::sync::Arc;

use hyper::Method;
use hyper::body::Incoming;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;

use super::body;
use super::edge::Edge;
use super::head::{Head, identified, refuse};
use super::pages as records;
use super::response::{self, Answer};
use crate::dispatch::Credentials;
use crate::error::{Error, Result};
use crate::pages::{self, Form, Pages, Visit};

/// No external content is loaded, no inline script is run, and no other site can show the page in a frame.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

impl Edge {
    /// Responds to a request for a page that is more than a record.
    pub(super) async fn page(&self, path: &str, head: Head, parts: Parts, incoming: &mut Incoming) -> Answer {
        let head = Head { headers: parts.headers, ..head };
        let form = match parts.method {
            Method::GET | Method::HEAD => None,
            Method::POST => match self.form(&head, incoming).await {
                Ok(form) => Some(form),
                Err(error) => return refused(&head, &error).await,
            },
            _ => return refused(&head, &Error::NotFound).await,
        };
        let visit = Visit {
            client: head.client,
            links: Arc::clone(&head.links),
            id: head.id,
            tls: head.tls,
            cookies: cookies(&head),
            // There are no sessions yet.
            credentials: Credentials::None,
            query: head.query.clone().unwrap_or_default(),
            is_foreign: is_foreign(&head),
            form,
        };
        match (Pages { service: &self.service }).answer(path, &visit).await {
            Ok(shown) => answer(shown, &head),
            Err(error) => refused(&head, &error).await,
        }
    }

    async fn form(&self, head: &Head, incoming: &mut Incoming) -> Result<Form> {
        let room = self.service.memory.room(crate::limits::requests::Caller::Address(head.client));
        let body = body::form(incoming, room).await?;
        let media = head.header(header::CONTENT_TYPE).unwrap_or_default();
        Form::read(media, &body).ok_or_else(|| Error::BadRequest("The form is malformed, or not in UTF-8.".into()))
    }
}

fn answer(shown: pages::Shown, head: &Head) -> Answer {
    let mut answer = response::json(shown.status, Some(bytes::Bytes::from(shown.html).into()));
    let headers = &mut answer.headers;
    headers.spell_out();
    headers.insert(header::CONTENT_TYPE, HTML);
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
    // Pages are for this site only.
    headers.remove(&header::ACCESS_CONTROL_ALLOW_ORIGIN);
    headers.remove(&header::ACCESS_CONTROL_EXPOSE_HEADERS);
    if let Some(location) = shown.location {
        headers.set(header::LOCATION, location);
    }
    if let Some(cookie) = shown.cookie {
        headers.set(header::SET_COOKIE, cookie);
    }
    identified(answer, head)
}

/// The API's error as a page.
async fn refused(head: &Head, error: &Error) -> Answer {
    records::shown(refuse(head, None, error)).await
}

fn cookies(head: &Head) -> String {
    let sent = head.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    sent.collect::<Vec<_>>().join("; ")
}

/// True if the browser says that another site caused the request. Older browsers only send the origin, and no browser
/// sends it where the page asks for no referrer.
fn is_foreign(head: &Head) -> bool {
    if let Some(site) = head.header(FETCH_SITE) {
        return !matches!(site, "same-origin" | "none");
    }
    let authority = |url: &str| url.split("://").nth(1).unwrap_or_default().split('/').next().map(str::to_owned);
    match head.header(header::ORIGIN) {
        None | Some("null") => false,
        Some(origin) => authority(origin) != authority(&head.links.origin),
    }
}
