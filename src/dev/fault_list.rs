//! Reads and checks the list of faults in a body. Nothing changes unless all of them are valid.

use std::time::Duration;

use bytes::Bytes;
use hyper::Method as Verb;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::below_prefix;
use super::fault_answers::has_no_body;
use super::faults::{Effect, Fault, Ready, Segment, Target, decoded};
use super::refusal::{Refusal, only};
use crate::http::address::strip_prefix;
use crate::http::edge::Edge;
use crate::http::routes::{Route, Routes};
use crate::operation::Operation;

const KEYS: [&str; 11] =
    ["operation", "method", "path", "name", "status", "headers", "body", "delay_ms", "count", "probability", "seed"];

/// The methods that a fault may name.
const METHODS: [Verb; 6] = [Verb::GET, Verb::HEAD, Verb::POST, Verb::PUT, Verb::PATCH, Verb::DELETE];

/// The largest number of faults at a time.
const MOST: usize = 1_000;

/// The longest delay, in milliseconds.
const LONGEST_DELAY: u64 = 60_000;

/// Reads the faults of a body.
pub fn read(body: &Map<String, Value>, edge: &Edge) -> Result<Vec<Fault>, Refusal> {
    only(body, &["faults"])?;
    let list = body.get("faults").and_then(Value::as_array);
    let list = list.ok_or_else(|| Refusal::of("faults", "send a list of faults; an empty one removes all"))?;
    if list.len() > MOST {
        return Err(Refusal::of("faults", format!("{} are too many; the maximum is {MOST}", list.len())));
    }
    list.iter().enumerate().map(|(nth, item)| fault(item, edge).map_err(|refusal| refusal.in_item(nth))).collect()
}

fn fault(item: &Value, edge: &Edge) -> Result<Fault, Refusal> {
    let fields = item.as_object().ok_or_else(|| Refusal::new(422, "a fault is an object"))?;
    only(fields, &KEYS)?;
    let target = match (text(fields, "operation")?, text(fields, "path")?) {
        (Some(_), Some(_)) => return Err(Refusal::of("path", "`operation` is there too; send one of them")),
        (Some(_), None) if fields.contains_key("method") => {
            return Err(Refusal::of("method", "an operation has a method of its own; leave the key out"));
        }
        (Some(name), None) => operation(name, edge)?,
        (None, Some(path)) => Target::Path(method(fields)?, self::path(path)?),
        (None, None) => return Err(Refusal::of("operation", "a fault needs an `operation` or a `path`")),
    };
    let probability = match fields.get("probability") {
        None => None,
        Some(value) => {
            let valid = value.as_f64().filter(|probability| *probability > 0.0 && *probability <= 1.0);
            Some(valid.ok_or_else(|| Refusal::of("probability", "use a number above 0, up to 1"))?)
        }
    };
    Ok(Fault {
        given: item.clone(),
        target,
        effect: effect(fields)?,
        count: number(fields, "count", 1..=u64::MAX)?,
        probability,
        seed: number(fields, "seed", 0..=u64::MAX)?.unwrap_or_default(),
    })
}

fn operation(name: &str, edge: &Edge) -> Result<Target, Refusal> {
    let operations = &edge.service.operations;
    let row = operations.iter().find(|row| row.name == name && is_routed(row, &edge.routes));
    row.map(|row| Target::Operation(row.name)).ok_or_else(|| {
        let near = operations
            .iter()
            .map(|row| row.name)
            .max_by(|a, b| strsim::normalized_levenshtein(a, name).total_cmp(&strsim::normalized_levenshtein(b, name)));
        let text = format!("there is no operation `{name}`; did you mean `{}`?", near.unwrap_or_default());
        Refusal::of("operation", text)
    })
}

/// Pages use operations without a path of their own. A fault would never apply to them.
fn is_routed(row: &Operation, routes: &Routes) -> bool {
    let verb = Verb::from_bytes(row.method.name().as_bytes()).unwrap_or_default();
    row.forms.iter().any(|form| matches!(routes.find(&verb, &filled(form)), Ok(Route::Operation { .. })))
}

fn method(fields: &Map<String, Value>) -> Result<Option<Verb>, Refusal> {
    let Some(name) = text(fields, "method")? else { return Ok(None) };
    let found = METHODS.into_iter().find(|method| method.as_str() == name);
    found.map(Some).ok_or_else(|| {
        let names: Vec<&str> = METHODS.iter().map(Verb::as_str).collect();
        Refusal::of("method", format!("use one of {}", names.join(", ")))
    })
}

/// Any path may be met, also one that the service does not have.
fn path(path: &str) -> Result<Vec<Segment>, Refusal> {
    if !path.starts_with('/') || path.contains(['?', '#']) {
        let text = format!(
            "no request has the path `{path}`; write it as /orgs/acme/teams, without a query, with `*` or `{{org}}` \
             for any one segment"
        );
        return Err(Refusal::of("path", text));
    }
    if below_prefix(path).is_some() {
        return Err(Refusal::of("path", "faults do not apply to the paths that control the server"));
    }
    let segments: Vec<Segment> = strip_prefix(path).1.split('/').map(segment).collect();
    if segments.iter().rev().skip(1).any(|segment| *segment == Segment::Rest) {
        return Err(Refusal::of("path", "`**` is the rest of a path; write it at the end"));
    }
    Ok(segments)
}

fn segment(text: &str) -> Segment {
    match text {
        "**" => Segment::Rest,
        text if is_open(text) => Segment::Any,
        text => Segment::Text(decoded(text).into_owned()),
    }
}

fn is_open(segment: &str) -> bool {
    segment == "*" || segment.starts_with('{') && segment.ends_with('}')
}

/// A path with an example for each open segment.
fn filled(path: &str) -> String {
    path.split('/').map(|segment| if is_open(segment) { "1" } else { segment }).collect::<Vec<_>>().join("/")
}

fn effect(fields: &Map<String, Value>) -> Result<Effect, Refusal> {
    let ready = text(fields, "name")?.map(|name| {
        let found = Ready::ALL.iter().find(|(known, _)| *known == name).map(|(_, ready)| *ready);
        found.ok_or_else(|| {
            let names: Vec<&str> = Ready::ALL.iter().map(|(name, _)| *name).collect();
            Refusal::of("name", format!("there is no fault `{name}`; use {}", names.join(", ")))
        })
    });
    let ready = ready.transpose()?;
    let status = number(fields, "status", 200..=599)?.and_then(|status| u16::try_from(status).ok());
    let delay = number(fields, "delay_ms", 0..=LONGEST_DELAY)?.map(Duration::from_millis);
    let (headers, body) = (headers(fields)?, body(fields));
    let unused = match ready {
        Some(Ready::Drop) if !headers.is_empty() => Some("headers"),
        Some(Ready::Drop | Ready::Slow) if status.is_some() => Some("status"),
        Some(Ready::Drop | Ready::Slow) if body.is_some() => Some("body"),
        _ => None,
    };
    if let Some(key) = unused {
        return Err(Refusal::of(key, "this fault sends no response of its own; leave the key out"));
    }
    if let Some(status) = status.filter(|status| body.is_some() && has_no_body(*status)) {
        return Err(Refusal::of("body", format!("a response with the status {status} has no body; leave the key out")));
    }
    if ready.is_none() && status.is_none() && body.is_none() && delay.is_none() && headers.is_empty() {
        return Err(Refusal::of("name", "a fault needs a `name`, a `status`, a `body`, `headers` or a `delay_ms`"));
    }
    let usual = ready.map(Ready::delay).unwrap_or_default();
    Ok(Effect { ready, status, body, headers, delay: delay.unwrap_or(usual) })
}

/// A text is sent as it is, and any other value as JSON. `headers` may name another media type.
fn body(fields: &Map<String, Value>) -> Option<(HeaderValue, Bytes)> {
    let (media, bytes) = match fields.get("body")? {
        Value::String(text) => ("text/plain; charset=utf-8", text.clone()),
        value => ("application/json; charset=utf-8", value.to_string()),
    };
    Some((HeaderValue::from_static(media), bytes.into()))
}

fn headers(fields: &Map<String, Value>) -> Result<HeaderMap, Refusal> {
    let mut headers = HeaderMap::new();
    let wrong = || Refusal::of("headers", "use an object with the name of a header and its text");
    let Some(given) = fields.get("headers") else { return Ok(headers) };
    for (name, value) in given.as_object().ok_or_else(wrong)? {
        let parsed = HeaderName::from_bytes(name.as_bytes()).ok();
        let value = value.as_str().and_then(|value| HeaderValue::from_str(value).ok());
        let (name, value) = parsed.zip(value).ok_or_else(wrong)?;
        headers.append(name, value);
    }
    Ok(headers)
}

fn text<'f>(fields: &'f Map<String, Value>, key: &str) -> Result<Option<&'f str>, Refusal> {
    fields.get(key).map(|value| value.as_str().ok_or_else(|| Refusal::of(key, "use a text"))).transpose()
}

fn number(
    fields: &Map<String, Value>,
    key: &str,
    allowed: std::ops::RangeInclusive<u64>,
) -> Result<Option<u64>, Refusal> {
    let Some(value) = fields.get(key) else { return Ok(None) };
    let valid = value.as_u64().filter(|number| allowed.contains(number));
    let most = match *allowed.end() {
        u64::MAX => String::new(),
        most => format!(" to {most}"),
    };
    valid.map(Some).ok_or_else(|| Refusal::of(key, format!("use a whole number from {}{most}", allowed.start())))
}
