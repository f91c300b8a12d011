//! The request of a delivery: the body, the headers and the signatures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper::header::{HeaderName, HeaderValue};
use percent_encoding::NON_ALPHANUMERIC;
use ring::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY, HMAC_SHA256};
use serde_json::{Map, Value};

use crate::hooks::config::{ContentType, MASK};
use crate::hooks::{Job, Secrets};

/// Receivers recognize the beginning of this text.
const AGENT: &str = "GitHub-Hookshot/0001000";

/// The event to deliver, with its payload.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// The identifier of the event.
    pub guid: &'a str,
    /// The name of the event.
    pub event: &'a str,
    /// The payload, as JSON.
    pub payload: &'a str,
}

/// A request with the headers that a record of it shows.
pub struct Outgoing {
    /// The request.
    pub request: Request<Full<Bytes>>,
    /// Its headers. Credentials are masked.
    pub shown: Map<String, Value>,
}

/// Builds the request; none if a header or the path cannot be sent.
pub fn outgoing(job: &Job, secrets: &Secrets, content: Content<'_>, host: &str) -> Option<Outgoing> {
    let (kind, body) = body(job.content_type, content.payload);
    let mut headers: Vec<(&'static str, String)> = vec![
        ("Host", job.target.authority()),
        ("User-Agent", AGENT.to_owned()),
        ("Accept", "*/*".to_owned()),
        ("Content-Type", kind.to_owned()),
        ("X-GitHub-Event", content.event.to_owned()),
        ("X-GitHub-Delivery", content.guid.to_owned()),
        ("X-GitHub-Hook-ID", job.hook.to_string()),
        ("X-GitHub-Enterprise-Host", host.to_owned()),
        ("X-GitHub-Enterprise-Version", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    if !job.is_global() {
        headers.push(("X-GitHub-Hook-Installation-Target-ID", job.org.to_string()));
        headers.push(("X-GitHub-Hook-Installation-Target-Type", "organization".to_owned()));
    }
    headers.extend(signatures(secrets, &body));
    if let Some(credentials) = &secrets.credentials {
        headers.push(("Authorization", format!("Basic {}", STANDARD.encode(credentials))));
    }
    let mut request = Request::post(&job.target.path);
    for (name, value) in &headers {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        request = request.header(name, HeaderValue::from_str(value).ok()?);
    }
    let request = request.body(Full::new(Bytes::from(body))).ok()?;
    let shown = |(name, value): (&str, String)| {
        let value = if name == "Authorization" { MASK.to_owned() } else { value };
        (name.to_owned(), value.into())
    };
    Some(Outgoing { request, shown: headers.into_iter().map(shown).collect() })
}

fn body(content_type: ContentType, payload: &str) -> (&'static str, Vec<u8>) {
    match content_type {
        ContentType::Json => ("application/json", payload.as_bytes().to_vec()),
        ContentType::Form => {
            let encoded = percent_encoding::utf8_percent_encode(payload, NON_ALPHANUMERIC);
            ("application/x-www-form-urlencoded", format!("payload={encoded}").into_bytes())
        }
    }
}

fn signatures(secrets: &Secrets, body: &[u8]) -> Vec<(&'static str, String)> {
    let Some(secret) = &secrets.secret else { return Vec::new() };
    let sha256 = |secret: &str| format!("sha256={}", signature(HMAC_SHA256, secret, body));
    let mut headers = vec![
        ("X-Hub-Signature", format!("sha1={}", signature(HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret, body))),
        ("X-Hub-Signature-256", sha256(secret)),
    ];
    headers.extend(secrets.previous.as_ref().map(|previous| ("X-Hub-Signature-256-Previous", sha256(previous))));
    headers
}

/// The HMAC of a body in lower-case hexadecimal.
fn signature(algorithm: hmac::Algorithm, secret: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(algorithm, secret.as_bytes()), body);
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or_default();
    tag.as_ref().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::{ContentType, Secrets, body, signatures};

    #[test]
    fn signatures_are_those_of_the_published_vector() {
        let secret = Some("It's a Secret to Everybody".to_owned());
        let secrets = Secrets { previous: secret.clone(), secret, credentials: None };
        let sha256 = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17".to_owned();
        let expected = [
            ("X-Hub-Signature", "sha1=01dc10d0c83e72ed246219cdd91669667fe2ca59".to_owned()),
            ("X-Hub-Signature-256", sha256.clone()),
            ("X-Hub-Signature-256-Previous", sha256),
        ];
        assert_eq!(signatures(&secrets, b"Hello, World!"), expected);
        assert!(signatures(&Secrets::default(), b"Hello, World!").is_empty());
    }

    #[test]
    fn a_form_has_the_payload_percent_encoded() {
        let (kind, body) = body(ContentType::Form, "{\"a\": \"ä&=\"}");
        assert_eq!(kind, "application/x-www-form-urlencoded");
        assert_eq!(body, b"payload=%7B%22a%22%3A%20%22%C3%A4%26%3D%22%7D");
    }
}
