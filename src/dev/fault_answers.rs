//! The responses of faults. The named ones imitate the service itself, or a proxy in front of it.

use std::net::IpAddr;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER, TRANSFER_ENCODING};
use serde_json::json;

use super::faults::{Effect, Ready};
use super::generation::Generation;
use crate::caller::Person;
use crate::error::Error;
use crate::http::headers::Headers;
use crate::http::media;
use crate::http::problem::problem;
use crate::http::response::{self, Answer};
use crate::limits::requests::Quota;
use crate::limits::resources::Resource;
use crate::operation::RequestId;

/// The time that the secondary limit asks clients to wait, in seconds.
const WAIT: u32 = 60;

/// The length of the window of the primary limit, in seconds.
const WINDOW: i64 = 3_600;

/// The response of a fault; none if the request is carried out.
pub fn answer(
    effect: &Effect,
    generation: &Generation,
    docs: &str,
    caller: (Option<&Person>, IpAddr),
) -> Option<Answer> {
    let mut answer = match effect.ready {
        Some(Ready::RateLimited) => rate_limited(effect, generation, docs, caller),
        Some(Ready::SecondaryRateLimit) => refused(effect, &Error::Abuse { retry_after: WAIT }, docs),
        Some(Ready::BadGateway) => of_proxy(effect, StatusCode::BAD_GATEWAY),
        Some(Ready::Timeout) => of_proxy(effect, StatusCode::GATEWAY_TIMEOUT),
        Some(Ready::Drop | Ready::Slow) => return None,
        None if effect.status.is_none() && effect.body.is_none() => return None,
        None => plain(effect.status.unwrap_or(200), docs),
    };
    if let Some((media, body)) = &effect.body {
        answer.body = body.clone().into();
        answer.headers.insert(CONTENT_TYPE, media.clone());
    }
    let edge = &generation.edge;
    let id = RequestId::new(edge.instance, edge.requests.fetch_add(1, Ordering::Relaxed));
    response::identify(&mut answer.headers, id, &media::read(None), false);
    Some(answer)
}

/// True if responses with this status have no body.
pub fn has_no_body(status: u16) -> bool {
    matches!(status, 204 | 205 | 304)
}

/// A response with a status that a fault has set, and with its reason as the body.
fn plain(status: u16, docs: &str) -> Answer {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    let body = json!({ "message": reason.unwrap_or("A fault that a test has set"), "documentation_url": docs });
    response::json(status, (!has_no_body(status)).then(|| body.to_string().into_bytes().into()))
}

/// Adds the headers of a fault to a response. The length of the body stays as it is.
pub fn add_headers(headers: &mut Headers, effect: &Effect) {
    headers.spell_out();
    for (name, value) in &effect.headers {
        if ![CONTENT_LENGTH, TRANSFER_ENCODING].contains(name) {
            headers.insert(name.clone(), value.clone());
        }
    }
}

fn rate_limited(
    effect: &Effect,
    generation: &Generation,
    docs: &str,
    (person, peer): (Option<&Person>, IpAddr),
) -> Answer {
    let subject = person.map_or_else(|| format!("{peer}."), |person| format!("user ID {}.", person.id));
    let reset = generation.clock.now().seconds() + WINDOW;
    let mut answer = refused(effect, &Error::RateLimited { subject, reset }, docs);
    let limits = generation.settings.rate_limit;
    let limit = limits.map_or(5_000, |l| if person.is_some() { l.per_hour } else { l.anonymous_per_hour });
    let quota = Quota { limit, remaining: 0, used: limit, reset, refused: true };
    response::quota(&mut answer.headers, &quota, Resource::Core);
    answer
}

fn refused(effect: &Effect, error: &Error, docs: &str) -> Answer {
    let problem = problem(error, docs, docs);
    let mut answer = response::json(effect.status.unwrap_or(problem.status), Some(problem.body.into()));
    if let Some(seconds) = problem.retry_after {
        answer.headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    answer
}

fn of_proxy(effect: &Effect, status: StatusCode) -> Answer {
    let title = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or_default());
    let page = format!(
        "<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<center><h1>{title}</h1></center>\r\n\
         </body>\r\n</html>\r\n"
    );
    let mut answer = response::json(effect.status.unwrap_or(status.as_u16()), Some(Bytes::from(page).into()));
    answer.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    answer
}
