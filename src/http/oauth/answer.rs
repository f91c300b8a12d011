//! The answers to an exchange, in GitHub's form and in the form of the standard.

use hyper::header::{self, HeaderValue};
use serde_json::{Map, Value, json};

use crate::http::head::Head;
use crate::http::response::{self, Answer};
use crate::links::segment;
use crate::oauth::{Exchanged, Refusal};

/// The format of an answer in GitHub's form.
#[derive(Debug, PartialEq, Eq)]
enum Format {
    Form,
    Json,
    Xml,
}

/// The answer in GitHub's form, whose status is always 200.
pub(super) fn of_github(exchanged: &Exchanged, head: &Head) -> Answer {
    let docs = head.docs();
    let pairs = match exchanged.refusal {
        Some(refusal) => {
            let (word, sentence) = word_of_github(refusal);
            vec![("error", word.to_owned()), ("error_description", sentence.to_owned()), ("error_uri", docs)]
        }
        None => vec![
            ("access_token", exchanged.access_token.clone()),
            ("scope", exchanged.scopes.join(",")),
            ("token_type", "bearer".to_owned()),
        ],
    };
    let (media, body) = match format(head.header(header::ACCEPT).unwrap_or_default()) {
        Format::Form => ("application/x-www-form-urlencoded; charset=utf-8", form(&pairs)),
        Format::Json => ("application/json; charset=utf-8", object(pairs).to_string()),
        Format::Xml => ("application/xml; charset=utf-8", xml(&pairs)),
    };
    let mut answer = not_kept(200, body);
    answer.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    // Programs that run in a browser use the form of the standard.
    answer.headers.spell_out();
    answer.headers.remove(&header::ACCESS_CONTROL_ALLOW_ORIGIN);
    answer
}

/// The answer in the form of the standard (RFC 6749, section 5).
pub(super) fn standard(exchanged: &Exchanged, is_basic: bool) -> Answer {
    let Some(refusal) = exchanged.refusal else {
        let mut body = json!({ "access_token": exchanged.access_token, "token_type": "bearer" });
        body["expires_in"] = exchanged.expires_in.into();
        body["scope"] = exchanged.scopes.join(" ").into();
        return not_kept(200, body.to_string());
    };
    let (status, word) = match refusal {
        Refusal::Client => (401, "invalid_client"),
        Refusal::Request => (400, "invalid_request"),
        Refusal::GrantType => (400, "unsupported_grant_type"),
        Refusal::Code | Refusal::Redirect => (400, "invalid_grant"),
    };
    let (_, sentence) = word_of_github(refusal);
    let mut answer = not_kept(status, json!({ "error": word, "error_description": sentence }).to_string());
    if status == 401 && is_basic {
        answer.headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"Guildhall\""));
    }
    answer
}

/// The word that GitHub has for a refusal, and a sentence.
fn word_of_github(refusal: Refusal) -> (&'static str, &'static str) {
    match refusal {
        Refusal::Client => ("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."),
        Refusal::Request => ("bad_verification_code", "The grant_type and the code are required."),
        Refusal::GrantType => ("unsupported_grant_type", "The only grant_type is authorization_code."),
        Refusal::Code => ("bad_verification_code", "The code passed is incorrect or expired."),
        Refusal::Redirect => {
            ("redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.")
        }
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

fn form(pairs: &[(&str, String)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={}", segment(value))).collect();
    pairs.join("&")
}

fn object(pairs: Vec<(&str, String)>) -> Value {
    Value::Object(pairs.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect::<Map<_, _>>())
}

fn xml(pairs: &[(&str, String)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let elements = pairs.iter().map(|(name, value)| format!("<{name}>{}</{name}>", escaped(value)));
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
        let pairs = [("scope", "repo,read:org".to_owned()), ("x", "a b&<c>".to_owned())];
        assert_eq!(form(&pairs), "scope=repo%2Cread%3Aorg&x=a%20b%26%3Cc%3E");
        assert!(xml(&pairs).ends_with("<OAuth><scope>repo,read:org</scope><x>a b&amp;&lt;c&gt;</x></OAuth>"));
    }
}
