//! Maps errors to a status and a body (section 12 of `SPEC.md`).

use serde::Serialize;

use crate::error::{Error, FieldError, Scarce};
use crate::limits::creation;

/// The response to an error.
#[derive(Debug)]
pub struct Problem {
    /// The status.
    pub status: u16,
    /// The body, JSON.
    pub body: Vec<u8>,
    /// Seconds to wait, if the response says so.
    pub retry_after: Option<u32>,
}

#[derive(Serialize)]
struct Body<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
    errors: &'a [FieldError],
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<&'a serde_json::Value>,
    documentation_url: &'a str,
}

const RATE_LIMITS: &str = "#rate-limiting";

/// The suffix that tells clients that the abuse limit was reached.
const ABUSE_LIMITS: &str = "#secondary-rate-limits";

/// An error in the form of provisioning (RFC 7644, section 3.12).
#[derive(Serialize)]
struct Provisioned<'a> {
    schemas: [&'static str; 1],
    status: String,
    #[serde(rename = "scimType", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    detail: &'a str,
}

/// The response to an error of provisioning.
#[must_use]
pub fn provisioning(error: &Error) -> Problem {
    let (status, _) = status_and_message(error);
    Problem { status, body: provisioned(error, status), retry_after: retry_after(error) }
}

/// The body of that response with this status.
#[must_use]
pub fn provisioned(error: &Error, status: u16) -> Vec<u8> {
    let kind = match error {
        Error::Provisioning(kind, _) => Some(*kind),
        Error::BadRequest(_) if status == 400 => Some("invalidSyntax"),
        _ => None,
    };
    // For a rule of the domain, the item says what is wrong.
    let detail = match error {
        Error::Unprocessable { .. } => error.to_string(),
        _ => status_and_message(error).1,
    };
    let schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"];
    let body = Provisioned { schemas, status: status.to_string(), kind, detail: &detail };
    serde_json::to_vec(&body).unwrap_or_default()
}

/// The response to an error. `documentation` is the URL of the operation's documentation, `docs` that of all
/// operations.
#[must_use]
pub fn problem(error: &Error, documentation: &str, docs: &str) -> Problem {
    if let Error::Disclosing(refusal) = error {
        return problem(refusal, documentation, docs);
    }
    let (status, message) = status_and_message(error);
    let errors = if let Error::Unprocessable { errors, .. } = error { errors.as_slice() } else { &[] };
    let differences = if let Error::Differs { differences, .. } = error { Some(differences) } else { None };
    let documentation = match error {
        Error::BadCredentials => docs.to_owned(),
        Error::RateLimited { .. } => format!("{docs}{RATE_LIMITS}"),
        Error::Abuse { .. } => format!("{docs}{ABUSE_LIMITS}"),
        _ => documentation.to_owned(),
    };
    let body = Body { message: &message, errors, differences, documentation_url: &documentation };
    Problem { status, body: serde_json::to_vec(&body).unwrap_or_default(), retry_after: retry_after(error) }
}

/// The message of an error, and the seconds until trying again makes sense.
#[must_use]
pub fn facts(error: &Error) -> (String, Option<u32>) {
    (status_and_message(error).1, retry_after(error))
}

/// A number of bytes in words.
fn size(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

fn retry_after(error: &Error) -> Option<u32> {
    match error {
        Error::Abuse { retry_after } => Some(*retry_after),
        Error::Unavailable(_) | Error::Busy(_) => Some(1),
        _ => None,
    }
}

fn status_and_message(error: &Error) -> (u16, String) {
    match error {
        Error::Disclosing(refusal) => status_and_message(refusal),
        Error::Unauthenticated => (401, "Requires authentication".into()),
        Error::BadCredentials => (401, "Bad credentials".into()),
        Error::Suspended => (403, "Sorry. Your account was suspended.".into()),
        Error::StaleSession => (403, "This needs a sign-in within the last 15 minutes. Sign in again.".into()),
        Error::MissingScope { list: true } => (403, "Must have admin rights to Repository.".into()),
        Error::MissingScope { list: false } | Error::NotFound | Error::Moved { .. } => (404, "Not Found".into()),
        Error::Absent(text) => (404, text.to_string()),
        Error::Forbidden(text) => (403, text.to_string()),
        Error::Differs { message, .. } => (409, message.to_string()),
        Error::Provisioning("uniqueness", text) => (409, text.to_string()),
        Error::BadRequest(text) | Error::Provisioning(_, text) => (400, text.to_string()),
        Error::LengthRequired => {
            (411, "This method needs a Content-Length header. Send 0 if the request has no body.".into())
        }
        Error::TooLarge(most) => (413, format!("The request body is larger than {}.", size(*most))),
        Error::Invalid(lines) => (422, format!("Invalid request.\n\n{}", lines.join("\n"))),
        Error::Unprocessable { message, .. } => (422, message.to_string()),
        Error::RateLimited { subject, .. } => (403, format!("API rate limit exceeded for {subject}")),
        Error::Abuse { .. } => (403, creation::REFUSAL.into()),
        Error::Unavailable(_) => (503, "The service cannot answer right now. Try again shortly.".into()),
        Error::Busy(Scarce::ClientReaders) => {
            (503, "Too many of your requests are being served. Wait for their responses, then try again.".into())
        }
        Error::Busy(Scarce::Readers) => (503, "Too many requests are being served. Try again shortly.".into()),
        Error::Busy(_) => (
            503,
            "The service has no memory left for this request. Read the responses to your other requests, then try \
             again."
                .into(),
        ),
        Error::Taken(_) | Error::Bug(_) => {
            (500, "Internal server error. The log of the server has details under this request's ID.".into())
        }
    }
}
