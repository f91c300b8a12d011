//! The refusal of an operation as the error of a mutation.

use super::super::node::unresolved;
use super::super::problem::typed;
use super::super::running::Failure;
use crate::error::{Error, FieldError};
use crate::limits::creation;

/// The error of a mutation whose operation was refused. `subject` is the node ID that the client sent.
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

/// The sentences about the items of a refusal, or what it says of all of them.
fn explained(message: &str, errors: &[FieldError]) -> String {
    let sentences: Vec<&str> = errors.iter().filter_map(|error| error.message.as_deref()).collect();
    if sentences.is_empty() { message.to_owned() } else { sentences.join(" ") }
}

/// The error of a mutation that could not be carried out after others were, so that the response tells of them.
pub fn late(failure: Failure) -> String {
    match failure {
        Failure::Field(kind, message) => typed(kind, &message),
        Failure::Whole(Error::Unavailable(_) | Error::Busy) => {
            typed("SERVICE_UNAVAILABLE", "The service cannot answer right now. Try again shortly.")
        }
        Failure::Whole(error @ (Error::Bug(_) | Error::Taken(_))) => {
            tracing::error!(%error, "a mutation failed");
            typed("INTERNAL", "Internal server error. The log of the server has details under this request's ID.")
        }
        Failure::Whole(_) => typed("FORBIDDEN", "The token can no longer be used."),
    }
}
