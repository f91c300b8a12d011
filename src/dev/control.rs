//! `/_guildhall`: how a test controls the server. These paths are not operations. They are not in the table or in any
//! document of the API, and `guildhall serve` does not have them.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::current::Current;
use super::guard::Guard;
use super::refusal::Refusal;
use super::{PREFIX, below_prefix, deliveries, fault_list, mail, time};
use crate::error::Error;
use crate::http::headers::Headers;
use crate::http::response::{self, Answer};

/// The largest body, in bytes.
const LARGEST: usize = 1 << 20;

/// The time that a body may take to arrive.
const BODY: Duration = Duration::from_secs(10);

/// Each path with its verbs and its purpose.
const PATHS: [(&str, &[&str], &str); 6] = [
    ("/reset", &["POST"], "Go back to the seed: data, clock, limits, faults and everything else."),
    ("/clock", &["GET", "POST"], "The clock. Send now, advance (such as 8d) or frozen."),
    ("/faults", &["GET", "PUT"], "The faults. Send all of them; an empty list removes them."),
    ("/requests", &["GET"], "The requests since the reset, without those to these paths."),
    ("/deliveries", &["GET"], "What was sent to webhooks since the reset."),
    ("/mail", &["GET"], "The e-mails since the reset."),
];

/// Answers a request to control the server. The response has no CORS headers.
pub async fn answer(current: &Arc<Current>, guard: &Guard, parts: &Parts, incoming: &mut Incoming) -> Answer {
    let below = below_prefix(parts.uri.path()).unwrap_or_default();
    let carried_out = match guard.check_control(parts) {
        Ok(()) => carry_out(current, &parts.method, below, incoming).await,
        Err(refusal) => Err(refusal),
    };
    let mut answer = match carried_out {
        Ok(body) => shown(200, &body),
        Err(refusal) => refused(&refusal),
    };
    match answer.status.as_u16() {
        405 => answer.headers.set(ALLOW, allowed(below)),
        503 => answer.headers.insert(RETRY_AFTER, HeaderValue::from_static("1")),
        _ => {}
    }
    answer
}

/// The response of a refusal.
pub fn refused(refusal: &Refusal) -> Answer {
    shown(refusal.status, &refusal.body())
}

fn shown(status: u16, body: &Value) -> Answer {
    let mut headers = Headers::default();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    headers.insert(CACHE_CONTROL, response::NOT_KEPT);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Answer { status, headers, body: (body.to_string() + "\n").into_bytes().into() }
}

async fn carry_out(
    current: &Arc<Current>,
    verb: &Method,
    path: &str,
    incoming: &mut Incoming,
) -> Result<Value, Refusal> {
    let verb = if verb == Method::HEAD { "GET" } else { verb.as_str() };
    match (verb, path) {
        ("GET", "" | "/") => Ok(index()),
        ("POST", "/reset") => {
            if let Some(key) = fields(incoming).await?.keys().next() {
                return Err(Refusal::of(key, "a reset has no parameters"));
            }
            // The reset is completed even if the client does not wait for the response.
            let resetting = Arc::clone(current);
            let reset = tokio::spawn(async move { resetting.reset().await });
            reset.await.map_err(|error| Refusal::new(500, error.to_string()))?.map_err(unavailable)?;
            Ok(time::shown(&current.enter().await.clock))
        }
        ("GET", "/clock") => Ok(time::shown(&current.enter().await.clock)),
        ("POST", "/clock") => {
            let body = fields(incoming).await?;
            let generation = current.enter().await;
            time::change(&generation.clock, &body)?;
            generation.catch_up().await;
            Ok(time::shown(&generation.clock))
        }
        ("GET", "/faults") => Ok(current.enter().await.faults.list()),
        ("PUT", "/faults") => {
            let body = fields(incoming).await?;
            let generation = current.enter().await;
            generation.faults.put(fault_list::read(&body, &generation.edge)?);
            Ok(generation.faults.list())
        }
        ("GET", "/requests") => Ok(current.enter().await.requests.list()),
        ("GET", "/deliveries") => {
            let generation = current.enter().await;
            generation.edge.service.db.read(deliveries::list).await.map_err(unavailable)
        }
        ("GET", "/mail") => {
            let generation = current.enter().await;
            mail::list(&generation.mail).map_err(|error| Refusal::new(500, format!("cannot read the mail: {error}")))
        }
        _ if allowed(path).is_empty() => Err(Refusal::new(404, format!("there is no {PREFIX}{path}; see {PREFIX}"))),
        _ => Err(Refusal::new(405, format!("this path accepts {}", allowed(path)))),
    }
}

fn index() -> Value {
    let paths = PATHS
        .iter()
        .map(|(path, verbs, what)| json!({ "path": format!("{PREFIX}{path}"), "methods": verbs, "description": what }));
    json!({ "name": "guildhall dev", "paths": paths.collect::<Vec<_>>() })
}

fn allowed(path: &str) -> String {
    match path {
        "" | "/" => "GET".to_owned(),
        _ => PATHS.iter().find(|(known, ..)| *known == path).map(|(_, verbs, _)| verbs.join(", ")).unwrap_or_default(),
    }
}

/// The fields of a body; an empty body has none.
async fn fields(incoming: &mut Incoming) -> Result<Map<String, Value>, Refusal> {
    let late = |_| Refusal::new(400, "the body did not arrive in time");
    let collected = tokio::time::timeout(BODY, Limited::new(incoming, LARGEST).collect()).await.map_err(late)?;
    let bytes = collected.map_err(unread)?.to_bytes();
    if bytes.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_slice(&bytes).map_err(|error| Refusal::new(400, format!("the body is not a JSON object: {error}")))
}

fn unread(error: Box<dyn std::error::Error + Send + Sync>) -> Refusal {
    if error.is::<LengthLimitError>() {
        return Refusal::new(413, format!("the body has more than {LARGEST} bytes; send a smaller one"));
    }
    Refusal::new(400, format!("cannot read the body: {error}"))
}

fn unavailable(error: Error) -> Refusal {
    let text = match error {
        Error::Unavailable(text) => text,
        error => error.to_string(),
    };
    Refusal::new(503, format!("{text}; nothing has changed, try again"))
}
