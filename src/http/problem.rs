//! Errors to a status and a body (the error section of `github-schemas.md`).

use serde::Serialize;

use crate::error::{Error, FieldError};

/// How an error is answered.
#[derive(Debug)]
pub struct Problem {
    /// The status.
    pub status: u16,
    /// The body, JSON.
    pub body: Vec<u8>,
    /// Seconds to wait, where the answer says so.
    pub retry_after: Option<u32>,
}

#[derive(Serialize)]
struct Body<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
    errors: &'a [FieldError],
    documentation_url: &'a str,
}

const RATE_LIMITS: &str = "#rate-limiting";

/// The suffix by which clients know the abuse limit.
const ABUSE_LIMITS: &str = "#secondary-rate-limits";

/// The answer to an error; `documentation` is the address of the operation's documentation, `docs` that of all.
#[must_use]
pub fn problem(error: &Error, documentation: &str, docs: &str) -> Problem {
    let (status, message): (u16, String) = match error {
        Error::Telling(refusal) => return problem(refusal, documentation, docs),
        Error::Unauthenticated => (401, "Requires authentication".into()),
        Error::BadCredentials => (401, "Bad credentials".into()),
        Error::Suspended => (403, "Sorry. Your account was suspended.".into()),
        Error::MissingScope { list: true } => (403, "Must have admin rights to Repository.".into()),
        Error::MissingScope { list: false } | Error::NotFound | Error::Moved { .. } => (404, "Not Found".into()),
        Error::Absent(text) => (404, text.to_string()),
        Error::Forbidden(text) => (403, text.to_string()),
        Error::BadRequest(text) => (400, text.to_string()),
        Error::LengthRequired => {
            (411, "A request with this method needs a Content-Length header; 0 if it has no body.".into())
        }
        Error::TooLarge => (413, "The request body is larger than 1 MiB.".into()),
        Error::Invalid(lines) => (422, format!("Invalid request.\n\n{}", lines.join("\n"))),
        Error::Unprocessable { message, .. } => (422, message.to_string()),
        Error::RateLimited { subject } => (403, format!("API rate limit exceeded for {subject}")),
        Error::Abuse { .. } => (
            403,
            "You have exceeded a secondary rate limit (abuse detection) and have been temporarily \
                                       blocked from content creation. Please retry your request again later."
                .into(),
        ),
        Error::Unavailable(_) | Error::Budget | Error::Stale => {
            (503, "The service cannot answer right now. Try again shortly.".into())
        }
        Error::Taken(_) | Error::Bug(_) => {
            (500, "Something went wrong on our side. It is in our log under this request's id.".into())
        }
    };
    let errors = if let Error::Unprocessable { errors, .. } = error { errors.as_slice() } else { &[] };
    let documentation = match error {
        Error::BadCredentials => docs.to_owned(),
        Error::RateLimited { .. } => format!("{docs}{RATE_LIMITS}"),
        Error::Abuse { .. } => format!("{docs}{ABUSE_LIMITS}"),
        _ => documentation.to_owned(),
    };
    let retry_after = match error {
        Error::Abuse { retry_after } => Some(*retry_after),
        Error::Unavailable(_) => Some(1),
        _ => None,
    };
    let body = Body { message: &message, errors, documentation_url: &documentation };
    Problem { status, body: serde_json::to_vec(&body).unwrap_or_default(), retry_after }
}
