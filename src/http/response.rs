//! Responses: status, headers and body.

use std::borrow::Cow;

use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{self, HeaderName, HeaderValue};

use super::conditional;
use super::headers::Headers;
use super::media::{self, Media};
use super::outgoing::Outgoing;
use crate::clock::Time;
use crate::limits::requests::Quota;
use crate::limits::resources::Resource;
use crate::operation::{RequestId, Token};

/// A response until it is sent.
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: Headers,
    /// The body.
    pub body: Outgoing,
}

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
/// For a response that may be cached for one client only and must be revalidated each time.
const REVALIDATED: HeaderValue = HeaderValue::from_static("private, no-cache");

/// For a response that no cache may store.
pub const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");

/// The name of the ID of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-github-request-id");
const MEDIA_TYPE: HeaderName = HeaderName::from_static("x-github-media-type");
const SCOPES: HeaderName = HeaderName::from_static("x-oauth-scopes");
const ACCEPTED_SCOPES: HeaderName = HeaderName::from_static("x-accepted-oauth-scopes");
const CLIENT_ID: HeaderName = HeaderName::from_static("x-oauth-client-id");
const TOKEN_EXPIRATION: HeaderName = HeaderName::from_static("github-authentication-token-expiration");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const USED: HeaderName = HeaderName::from_static("x-ratelimit-used");
const RESOURCE: HeaderName = HeaderName::from_static("x-ratelimit-resource");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// A response with a JSON body, or without a body.
#[must_use]
pub fn json(status: u16, body: Option<Outgoing>) -> Answer {
    let mut headers = Headers::fixed();
    headers.add(MEDIA_TYPE, HeaderValue::from_static(media::DEFAULT));
    headers.add(header::CACHE_CONTROL, REVALIDATED);
    if body.is_some() {
        headers.add(header::CONTENT_TYPE, JSON);
    }
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Answer { status, headers, body: body.unwrap_or_default() }
}

/// Sets the ID of the request and the media type it asked for; with TLS, also that clients must keep using TLS.
pub fn identify(headers: &mut Headers, id: RequestId, media: &Media, tls: bool) {
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.add(REQUEST_ID, id);
    }
    match &media.header {
        Cow::Borrowed(media::DEFAULT) => {}
        Cow::Borrowed(media) => headers.insert(MEDIA_TYPE, HeaderValue::from_static(media)),
        Cow::Owned(media) => headers.set(MEDIA_TYPE, media),
    }
    if tls {
        headers
            .insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000; includeSubDomains"));
    }
}

/// Sets the media type of provisioning (RFC 7644, section 3.1), for responses with such a body.
pub fn provisioning(headers: &mut Headers) {
    if headers.get(&header::CONTENT_TYPE) == Some(&JSON) {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/scim+json; charset=utf-8"));
    }
}

/// Sets the scopes of the token, the scopes that the operation accepts, and the application of the token.
pub fn scopes(headers: &mut Headers, token: &Token, accepted: &'static str) {
    if let Ok(held) = HeaderValue::from_str(&token.listed) {
        headers.add(SCOPES, held);
    }
    headers.add(ACCEPTED_SCOPES, HeaderValue::from_static(accepted));
    if let Some(id) = token.application.as_ref().map(|application| &application.client_id) {
        headers.set(CLIENT_ID, id.as_ref());
    }
    if let Some(at) = token.expires_at {
        let text = at.to_string().replace('T', " ").replace('Z', " UTC");
        headers.set(TOKEN_EXPIRATION, text);
    }
}

/// Sets the state of the primary limit of a resource, and its name.
pub fn quota(headers: &mut Headers, quota: &Quota, resource: Resource) {
    let (limit, remaining, used) = (quota.limit.into(), quota.remaining.into(), quota.used.into());
    for (name, number) in [(LIMIT, limit), (REMAINING, remaining), (RESET, quota.reset), (USED, used)] {
        headers.add(name, HeaderValue::from(number));
    }
    headers.add(RESOURCE, HeaderValue::from_static(resource.name()));
}

/// Sets how long caches may keep the response, and which caches.
pub fn cacheable(headers: &mut Headers, anonymous: bool, etag: String, modified: Option<Time>) {
    let control = if anonymous { "public, max-age=60, s-maxage=60" } else { "private, max-age=60, s-maxage=60" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
    if let Ok(etag) = etag.try_into() {
        headers.add(header::ETAG, etag);
    }
    if let Some(at) = modified {
        headers.set(header::LAST_MODIFIED, conditional::http_date(at.seconds()));
    }
}

/// True if the response already says that this form of the path is deprecated.
#[must_use]
pub fn is_deprecated(headers: &Headers) -> bool {
    headers.get(&DEPRECATION).is_some()
}

/// Says that this form of the path is deprecated, and where the canonical one is (decision 2).
pub fn deprecate(headers: &mut Headers, docs: &str, canonical: Option<&str>) {
    headers.insert(DEPRECATION, HeaderValue::from_static("Sat, 01 Feb 2020 00:00:00 GMT"));
    headers.insert(SUNSET, HeaderValue::from_static("Mon, 01 Feb 2021 00:00:00 GMT"));
    let alternate = canonical.map_or_else(String::new, |url| format!(", <{url}>; rel=\"alternate\""));
    let links = format!("<{docs}#legacy-team-addresses>; rel=\"deprecation\"{alternate}");
    let links = match headers.get(&header::LINK).and_then(|pages| pages.to_str().ok()) {
        Some(pages) => format!("{pages}, {links}"),
        None => links,
    };
    headers.set(header::LINK, links);
}

/// The response to a preflight request.
#[must_use]
pub fn preflight() -> Answer {
    let mut answer = json(204, None);
    let headers = &mut answer.headers;
    let allowed = "Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, \
                   X-GitHub-OTP, X-Requested-With, User-Agent, X-GitHub-Api-Version";
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(allowed));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PATCH, PUT, DELETE"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    answer
}

/// The response on a connection for which there is no place.
#[must_use]
pub fn too_many_connections() -> Answer {
    let text = "{\"message\":\"There are too many connections. Close those of yours that you do not need, and try again \
                shortly.\"}";
    let mut answer = json(503, Some(Bytes::from_static(text.as_bytes()).into()));
    let headers = &mut answer.headers;
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    headers.insert(header::CACHE_CONTROL, NOT_KEPT);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

/// The response to a request without a User-Agent (decision 43).
#[must_use]
pub fn no_user_agent() -> Answer {
    let text = "Request forbidden by administrative rules.\nPlease make sure your request has a User-Agent header.\n\
                For example: User-Agent: my-program/1.0\n";
    let mut answer = json(403, Some(Bytes::from_static(text.as_bytes()).into()));
    let headers = &mut answer.headers;
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, NOT_KEPT);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}
