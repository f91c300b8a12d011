//! The refusal of an operation as the error of a mutation.

use super::super::answer::TOO_MUCH;
use super::super::arguments::Refusal;
use super::super::node::unresolved;
use super::super::running::Failure;
use crate::error::{Error, FieldError};
use crate::limits::creation;

/// The error of a field whose operation was refused. `subject` is the node ID that the client sent.
pub fn of(error: Error, subject: &str) -> Failure {
    match error {
        Error::Disclosing(refusal) => of(*refusal, subject),
        Error::NotFound | Error::Absent(_) | Error::Moved { .. } | Error::MissingScope { .. } => unresolved(subject),
        Error::Forbidden(text) => Failure::Field("FORBIDDEN", text.into_owned()),
        Error::Invalid(lines) => Failure::Field("UNPROCESSABLE", lines.join(" ")),
        Error::Unprocessable { message, errors } => Failure::Field("UNPROCESSABLE", explained(&message, &errors)),
        Error::Abuse { .. } => Failure::Field("RATE_LIMITED", creation::REFUSAL.to_owned()),
        error => Failure::Whole(error),
    }
}

/// The messages about single fields of a refusal, or its own message if there are none.
fn explained(message: &str, errors: &[FieldError]) -> String {
    let sentences: Vec<&str> = errors.iter().filter_map(|error| error.message.as_deref()).collect();
    if sentences.is_empty() { message.to_owned() } else { sentences.join(" ") }
}

/// The error of a mutation that could not be carried out after others were, so that the response tells of them.
pub fn late(failure: Failure) -> Refusal {
    let (kind, text) = match failure {
        Failure::Field(kind, message) => return (Some(kind), message),
        Failure::TooMuch => {
            (TOO_MUCH, "The mutation was not carried out, because the request has used too much. Send it again alone.")
        }
        Failure::Whole(Error::Unavailable(_) | Error::Busy(_)) => {
            ("SERVICE_UNAVAILABLE", "The service cannot answer right now. Try again shortly.")
        }
        Failure::Whole(error @ (Error::Bug(_) | Error::Taken(_))) => {
            tracing::error!(%error, "a mutation failed");
            ("INTERNAL", "Internal server error. The log of the server has details under this request's ID.")
        }
        Failure::Whole(_) => ("FORBIDDEN", "The token can no longer be used."),
    };
    (Some(kind), text.to_owned())
}

/// The error of a mutation that was carried out, and of which too much is selected.
pub fn shows_too_much() -> Failure {
    let text = "The change was made, but what is selected of it is too much. Select less of it.";
    Failure::Field(TOO_MUCH, text.to_owned())
}
