//! The answers to applications, in GitHub's form and in the form of the standard.

use std::borrow::Cow;

use hyper::header::{self, HeaderValue};
use serde_json::{Map, Value};

use super::sent::basic;
use crate::http::head::Head;
use crate::http::response::{self, Answer};
use crate::links::segment;
use crate::oauth::{Begun, Exchanged, Refusal};

/// The format of an answer in GitHub's form.
#[derive(Debug, PartialEq, Eq)]
enum Format {
    Form,
    Json,
    Xml,
}

/// The members of an answer, in their order.
type Members = Vec<(&'static str, Value)>;

/// The answer to a request, or the reason why it is refused.
type Outcome = std::result::Result<Members, Refusal>;

/// The answer to an exchange; the two forms have their own order and scopes.
pub(super) fn token(of: Exchanged, standard: bool) -> Outcome {
    if let Some(refusal) = of.refusal {
        return Err(refusal);
    }
    let (token, kind) = (("access_token", of.access_token.into()), ("token_type", "bearer".into()));
    if standard {
        return Ok(vec![token, kind, ("expires_in", of.expires_in.into()), ("scope", of.scopes.join(" ").into())]);
    }
    Ok(vec![token, ("scope", of.scopes.join(",").into()), kind])
}

/// The codes of a device.
pub(super) fn device(of: Begun, verification_uri: String) -> Outcome {
    if let Some(refusal) = of.refusal {
        return Err(refusal);
    }
    Ok(vec![
        ("device_code", of.device_code.into()),
        ("user_code", of.user_code.into()),
        ("verification_uri", verification_uri.into()),
        ("expires_in", of.expires_in.into()),
        ("interval", of.interval.into()),
    ])
}

/// The answer in GitHub's form, whose status is always 200.
pub(super) fn of_github(outcome: Outcome, head: &Head) -> Answer {
    let members = outcome.unwrap_or_else(|refusal| {
        let (word, sentence) = word_of_github(refusal);
        let error = vec![("error", word.into()), ("error_description", sentence.into())];
        error.into_iter().chain([("error_uri", head.docs().into())]).chain(interval(refusal)).collect()
    });
    formatted(200, members, head)
}

/// The answer to an unknown application that asks for the codes of a device.
pub(super) fn unknown(head: &Head) -> Answer {
    formatted(404, vec![("error", "Not Found".into())], head)
}

fn formatted(status: u16, members: Members, head: &Head) -> Answer {
    let (media, body) = match format(head.header(header::ACCEPT).unwrap_or_default()) {
        Format::Form => ("application/x-www-form-urlencoded; charset=utf-8", form(&members)),
        Format::Json => ("application/json; charset=utf-8", object(members).to_string()),
        Format::Xml => ("application/xml; charset=utf-8", xml(&members)),
    };
    let mut answer = not_kept(status, body);
    answer.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    // Programs that run in a browser use the form of the standard.
    answer.headers.spell_out();
    answer.headers.remove(&header::ACCESS_CONTROL_ALLOW_ORIGIN);
    answer
}

/// The answer in the form of the standard (RFC 6749, section 5, and RFC 8628, section 3).
pub(super) fn standard(outcome: Outcome, head: &Head) -> Answer {
    let refusal = match outcome {
        Ok(members) => return not_kept(200, object(members).to_string()),
        Err(refusal) => refusal,
    };
    let (of_github, sentence) = word_of_github(refusal);
    let (status, word) = match refusal {
        Refusal::Client => (401, "invalid_client"),
        Refusal::Request => (400, "invalid_request"),
        Refusal::DeviceFlow => (400, "unauthorized_client"),
        Refusal::Code | Refusal::Redirect | Refusal::DeviceCode => (400, "invalid_grant"),
        _ => (400, of_github),
    };
    let error = [("error", word.into()), ("error_description", sentence.into())];
    let members = error.into_iter().chain(interval(refusal)).collect();
    let mut answer = not_kept(status, object(members).to_string());
    if status == 401 && basic(head).is_some() {
        answer.headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"Guildhall\""));
    }
    answer
}

/// The new interval, for a device that did not wait.
fn interval(refusal: Refusal) -> Option<(&'static str, Value)> {
    if let Refusal::SlowDown(seconds) = refusal { Some(("interval", seconds.into())) } else { None }
}

/// The word that GitHub has for a refusal, and a sentence.
fn word_of_github(refusal: Refusal) -> (&'static str, &'static str) {
    match refusal {
        Refusal::Client => ("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."),
        Refusal::Request => ("bad_verification_code", "The grant_type and the code are required."),
        Refusal::GrantType => {
            ("unsupported_grant_type", "The grant_type is neither authorization_code nor that of a device.")
        }
        Refusal::Code => ("bad_verification_code", "The code passed is incorrect or expired."),
        Refusal::Redirect => {
            ("redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.")
        }
        Refusal::DeviceFlow => ("device_flow_disabled", "Device Flow must be explicitly enabled for this App"),
        Refusal::DeviceCode => ("incorrect_device_code", "The device_code provided is not valid."),
        Refusal::Expired => ("expired_token", "The device_code has expired."),
        Refusal::Denied => ("access_denied", "The authorization request was denied."),
        Refusal::Pending => ("authorization_pending", "The authorization request is still pending."),
        Refusal::SlowDown(_) => ("slow_down", "Too many requests have been made in the same timeframe."),
    }
}

fn not_kept(status: u16, body: String) -> Answer {
    let mut answer = response::json(status, Some(body.into_bytes().into()));
    answer.headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
    answer
}

/// The first format that an `Accept` header names.
fn format(accept: &str) -> Format {
    let named = |media: &str| {
        let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match media.as_str() {
            "application/x-www-form-urlencoded" => Some(Format::Form),
            "application/xml" | "text/xml" => Some(Format::Xml),
            _ if media == "application/json" || media.ends_with("+json") => Some(Format::Json),
            _ => None,
        }
    };
    accept.split(',').find_map(named).unwrap_or(Format::Form)
}

fn form(members: &Members) -> String {
    let pairs: Vec<String> = members.iter().map(|(name, value)| format!("{name}={}", segment(&text(value)))).collect();
    pairs.join("&")
}

fn text(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::from)
}

fn object(members: Members) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn xml(members: &Members) -> String {
    let escaped = |value| text(value).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let elements = members.iter().map(|(name, value)| format!("<{name}>{}</{name}>", escaped(value)));
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><OAuth>{}</OAuth>", elements.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Format, form, format, xml};

    #[test]
    fn the_first_known_type_counts() {
        for (accept, expected) in [
            ("", Format::Form),
            ("*/*", Format::Form),
            ("application/json", Format::Json),
            ("Application/JSON; charset=utf-8", Format::Json),
            ("application/vnd.github+json", Format::Json),
            ("text/html, application/xml;q=0.9, */*", Format::Xml),
            ("text/html", Format::Form),
        ] {
            assert_eq!(format(accept), expected, "{accept}");
        }
    }

    #[test]
    fn values_are_encoded() {
        let members = vec![("scope", "repo,read:org".into()), ("x", "a b&<c>".into()), ("interval", 5.into())];
        assert_eq!(form(&members), "scope=repo%2Cread%3Aorg&x=a%20b%26%3Cc%3E&interval=5");
        let elements = "<scope>repo,read:org</scope><x>a b&amp;&lt;c&gt;</x><interval>5</interval>";
        assert!(xml(&members).ends_with(&format!("<OAuth>{elements}</OAuth>")));
    }
}
