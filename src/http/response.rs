//! Responses: status, headers and body.

use std::borrow::Cow;

use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::conditional;
use super::media::{self, Media};
use super::outgoing::Outgoing;
use crate::clock::Time;
use crate::limits::requests::Quota;
use crate::operation::RequestId;

/// A response that is being sent.
pub type Answer = Response<Outgoing>;

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, \
     X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval, \
     X-GitHub-Media-Type, Deprecation, Sunset",
);
const VARY: HeaderValue =
    HeaderValue::from_static("Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, X-Requested-With");

/// The header map has room for the headers of nearly every response from the start: growing it takes as long as several
/// headers.
const ROOM: usize = 24;

/// The value of `Server` that stands for all headers of [`FIXED`] until the head is written: their lines are ready
/// (`spelling.rs`).
const AS_FIXED: HeaderValue = HeaderValue::from_static("*");

/// For a response that may be cached for one client only and must be revalidated each time.
const REVALIDATED: HeaderValue = HeaderValue::from_static("private, no-cache");

/// For a response that no cache may store.
pub const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");

/// Headers that no response of the API changes.
pub const FIXED: [(HeaderName, HeaderValue); 9] = [
    (header::SERVER, HeaderValue::from_static("Guildhall")),
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("deny")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_XSS_PROTECTION, HeaderValue::from_static("0")),
    (header::REFERRER_POLICY, HeaderValue::from_static("origin-when-cross-origin, strict-origin-when-cross-origin")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'")),
    (header::VARY, VARY),
];

const REQUEST_ID: HeaderName = HeaderName::from_static("x-github-request-id");
const MEDIA_TYPE: HeaderName = HeaderName::from_static("x-github-media-type");
const SCOPES: HeaderName = HeaderName::from_static("x-oauth-scopes");
const ACCEPTED_SCOPES: HeaderName = HeaderName::from_static("x-accepted-oauth-scopes");
const TOKEN_EXPIRATION: HeaderName = HeaderName::from_static("github-authentication-token-expiration");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const USED: HeaderName = HeaderName::from_static("x-ratelimit-used");
/// The name of the limit that the other headers are about.
pub const RESOURCE: HeaderName = HeaderName::from_static("x-ratelimit-resource");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// A response with a JSON body, or without a body.
#[must_use]
pub fn json(status: u16, body: Option<Outgoing>) -> Answer {
    let has_body = body.is_some();
    let mut answer = Response::new(body.unwrap_or_default());
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut headers = HeaderMap::with_capacity(ROOM);
    headers.insert(header::SERVER, AS_FIXED);
    headers.insert(MEDIA_TYPE, HeaderValue::from_static(media::DEFAULT));
    headers.insert(header::CACHE_CONTROL, REVALIDATED);
    if has_body {
        headers.insert(header::CONTENT_TYPE, JSON);
    }
    *answer.headers_mut() = headers;
    answer
}

/// Whether this header stands for all of [`FIXED`].
#[must_use]
pub fn is_fixed(name: &HeaderName, value: &HeaderValue) -> bool {
    *name == header::SERVER && *value == AS_FIXED
}

/// Replaces the header that stands for all of [`FIXED`] by these: for HTTP/2, and before one of them is changed.
pub fn spell_out(headers: &mut HeaderMap) {
    if headers.get(header::SERVER) == Some(&AS_FIXED) {
        let others = std::mem::take(headers);
        headers.extend(FIXED);
        headers.extend(others.into_iter().filter(|(name, _)| *name != Some(header::SERVER)));
    }
}

/// Sets a header whose text is ours. Text that is invalid in a header is left out.
pub fn set(headers: &mut HeaderMap, name: HeaderName, value: impl TryInto<HeaderValue>) {
    if let Ok(value) = value.try_into() {
        headers.insert(name, value);
    }
}

/// Sets the ID of the request and the media type it asked for; with TLS, also that clients must keep using TLS.
pub fn identify(headers: &mut HeaderMap, id: RequestId, media: &Media, tls: bool) {
    set(headers, REQUEST_ID, id.as_str());
    match &media.header {
        Cow::Borrowed(media::DEFAULT) => {}
        Cow::Borrowed(media) => _ = headers.insert(MEDIA_TYPE, HeaderValue::from_static(media)),
        Cow::Owned(media) => set(headers, MEDIA_TYPE, media),
    }
    if tls {
        headers
            .insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000; includeSubDomains"));
    }
}

/// Sets the media type of provisioning (RFC 7644, section 3.1), for responses with such a body.
pub fn provisioning(headers: &mut HeaderMap) {
    if headers.get(header::CONTENT_TYPE) == Some(&JSON) {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/scim+json; charset=utf-8"));
    }
}

/// Sets the scopes of the token and the scopes that the operation accepts.
pub fn scopes(headers: &mut HeaderMap, held: &str, accepted: &'static str, expires_at: Option<Time>) {
    set(headers, SCOPES, held);
    headers.insert(ACCEPTED_SCOPES, HeaderValue::from_static(accepted));
    if let Some(at) = expires_at {
        let text = at.to_string().replace('T', " ").replace('Z', " UTC");
        set(headers, TOKEN_EXPIRATION, text);
    }
}

/// Sets the state of the primary limit.
pub fn quota(headers: &mut HeaderMap, quota: &Quota) {
    let (limit, remaining, used) = (quota.limit.into(), quota.remaining.into(), quota.used.into());
    for (name, number) in [(LIMIT, limit), (REMAINING, remaining), (RESET, quota.reset), (USED, used)] {
        headers.insert(name, HeaderValue::from(number));
    }
    headers.insert(RESOURCE, HeaderValue::from_static("core"));
}

/// Sets how long caches may keep the response, and which caches.
pub fn cacheable(headers: &mut HeaderMap, anonymous: bool, etag: String, modified: Option<Time>) {
    let control = if anonymous { "public, max-age=60, s-maxage=60" } else { "private, max-age=60, s-maxage=60" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
    set(headers, header::ETAG, etag);
    if let Some(at) = modified {
        set(headers, header::LAST_MODIFIED, conditional::http_date(at.seconds()));
    }
}

/// Whether the response already says that this form of the path is deprecated.
#[must_use]
pub fn is_deprecated(headers: &HeaderMap) -> bool {
    headers.contains_key(&DEPRECATION)
}

/// Says that this form of the path is deprecated, and where the canonical one is (decision 2).
pub fn deprecate(headers: &mut HeaderMap, docs: &str, canonical: Option<&str>) {
    headers.insert(DEPRECATION, HeaderValue::from_static("Sat, 01 Feb 2020 00:00:00 GMT"));
    headers.insert(SUNSET, HeaderValue::from_static("Mon, 01 Feb 2021 00:00:00 GMT"));
    let alternate = canonical.map_or_else(String::new, |url| format!(", <{url}>; rel=\"alternate\""));
    let links = format!("<{docs}#legacy-team-addresses>; rel=\"deprecation\"{alternate}");
    let links = match headers.get(header::LINK).and_then(|pages| pages.to_str().ok()) {
        Some(pages) => format!("{pages}, {links}"),
        None => links,
    };
    set(headers, header::LINK, links);
}

/// The response to a preflight request.
#[must_use]
pub fn preflight() -> Answer {
    let mut answer = json(204, None);
    let headers = answer.headers_mut();
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
    let headers = answer.headers_mut();
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
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, NOT_KEPT);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}
