//! Everything that can go wrong, independent of HTTP. `http/problem.rs` maps it to a status and a body.
//!
//! Implements decisions 19 to 22 (which refusal applies) and the error section of the specification.

use std::borrow::Cow;
use std::fmt;

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// One item of the `errors` field of a 422 body.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FieldError {
    /// The kind of record, for example `Team`.
    pub resource: &'static str,
    /// The kind of error, for example `unprocessable`.
    pub code: &'static str,
    /// The field that is wrong, for example `data`; empty if clients know the item without one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub field: &'static str,
    /// The parameter that is wrong, if clients know the item by another field; otherwise empty. Pages show the error
    /// beside it.
    #[serde(skip)]
    pub parameter: &'static str,
    /// A sentence for the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Cow<'static, str>>,
    /// The value that was sent, if the field alone is ambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<serde_json::Value>,
}

/// The errors of requests, one variant for each kind of response.
#[derive(Debug)]
pub enum Error {
    /// No credentials where they are needed (401).
    Unauthenticated,
    /// Credentials that are wrong, expired or revoked (401).
    BadCredentials,
    /// The caller's account is suspended (403).
    Suspended,
    /// The session needs a recent sign-in for this (403). Only pages meet it.
    StaleSession,
    /// The token has none of the scopes that the operation accepts (403 on lists, 404 elsewhere).
    MissingScope {
        /// True if the operation is a list.
        list: bool,
    },
    /// The subject does not exist, or the caller may not see it (404).
    NotFound,
    /// Something does not exist, and a sentence says what (404).
    Absent(Cow<'static, str>),
    /// The subject of the path was renamed. GET is redirected, every other verb is refused (302, 404).
    Moved {
        /// The new part of the path.
        to: String,
        /// The number of segments of the path that it replaces.
        segments: usize,
    },
    /// The policy refuses (403).
    Forbidden(Cow<'static, str>),
    /// The request cannot be parsed (400).
    BadRequest(Cow<'static, str>),
    /// A PUT or POST without a length (411).
    LengthRequired,
    /// The body is larger than this number of bytes (413).
    TooLarge(usize),
    /// Parameters that do not match their schema, one line each (422).
    Invalid(Vec<String>),
    /// A rule of the specification refuses (422).
    Unprocessable {
        /// `Validation Failed`, or a sentence of its own.
        message: Cow<'static, str>,
        /// The items, possibly none.
        errors: Vec<FieldError>,
    },
    /// Things are no longer as the client knows them: a sentence, and the differences (409).
    Differs {
        /// The sentence.
        message: Cow<'static, str>,
        /// The differences, as the response shows them.
        differences: serde_json::Value,
    },
    /// A refusal that the standard of provisioning has its own keyword for: the keyword and a sentence (409 for a value
    /// that is not unique, otherwise 400).
    Provisioning(&'static str, Cow<'static, str>),
    /// Too many requests (403).
    RateLimited {
        /// The things that the limit counts, as its message names them.
        subject: String,
        /// The time at which the window ends, in epoch seconds.
        reset: i64,
    },
    /// A refusal that discloses something that the caller may not see; too many of them are abuse (decision 9).
    Disclosing(Box<Error>),
    /// Too much content in too short a time (403).
    Abuse {
        /// Seconds until the client may retry.
        retry_after: u32,
    },
    /// The store is unavailable; the text is for the log (503).
    Unavailable(String),
    /// Requests hold as much of this resource as they may (503).
    Busy(Scarce),
    /// A value that exists already, with the name of the constraint (422 where a function expects it).
    Taken(String),
    /// A bug: the text is for the log, the caller does not see it (500).
    Bug(String),
}

/// A resource of which requests hold only so much at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scarce {
    /// The memory of all requests.
    Memory,
    /// The memory of one client.
    ClientMemory,
    /// The responses that one client has not read.
    ClientResponses,
    /// The threads that read for one client.
    ClientReaders,
    /// The threads that read for all clients.
    Readers,
}

impl Scarce {
    /// The limit, as the metrics name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::ClientMemory => "memory_per_client",
            Self::ClientResponses => "responses_per_client",
            Self::ClientReaders => "readers_per_client",
            Self::Readers => "readers",
        }
    }
}

impl Error {
    /// The limit that caused this error, as the metrics name it.
    #[must_use]
    pub fn limit(&self) -> Option<&'static str> {
        match self {
            Self::Disclosing(refusal) => refusal.limit(),
            Self::RateLimited { .. } => Some("rate"),
            Self::Abuse { .. } => Some("abuse"),
            Self::Busy(scarce) => Some(scarce.name()),
            _ => None,
        }
    }

    /// A 422 `Validation Failed` with one item.
    #[must_use]
    pub fn field(resource: &'static str, code: &'static str, field: &'static str) -> Self {
        Self::validation(FieldError { resource, code, field, parameter: "", message: None, value: None })
    }

    /// The same with a message.
    pub fn explained(
        resource: &'static str,
        code: &'static str,
        field: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let message = Some(message.into());
        Self::validation(FieldError { resource, code, field, parameter: "", message, value: None })
    }

    /// A 422 whose item is a sentence about the whole record.
    pub fn custom(resource: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::explained(resource, "custom", "", message)
    }

    /// A 422 in the form that clients know from teams: `<resource>/unprocessable/data` with a message.
    pub fn data(resource: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::explained(resource, "unprocessable", "data", message)
    }

    /// The same 422, with the value concerned in each item.
    #[must_use]
    pub fn about(self, value: serde_json::Value) -> Self {
        self.with(|error| error.value = Some(value.clone()))
    }

    /// The same 422, with the parameter that is wrong, which clients do not learn.
    #[must_use]
    pub fn at(self, parameter: &'static str) -> Self {
        self.with(|error| error.parameter = parameter)
    }

    fn with(mut self, change: impl Fn(&mut FieldError)) -> Self {
        if let Self::Unprocessable { errors, .. } = &mut self {
            errors.iter_mut().for_each(change);
        }
        self
    }

    /// A 422 with only a message.
    pub fn sentence(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Unprocessable { message: message.into(), errors: Vec::new() }
    }

    /// The 403 with the generic message that clients know.
    #[must_use]
    pub fn forbidden() -> Self {
        Self::Forbidden("Must have admin rights to Repository.".into())
    }

    fn validation(error: FieldError) -> Self {
        Self::Unprocessable { message: "Validation Failed".into(), errors: vec![error] }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(text) | Self::Forbidden(text) | Self::BadRequest(text) | Self::Provisioning(_, text) => {
                f.write_str(text)
            }
            Self::Invalid(lines) => f.write_str(&lines.join("; ")),
            Self::Unprocessable { message, errors } => {
                f.write_str(message)?;
                errors.iter().try_for_each(|e| match &e.message {
                    Some(text) => write!(f, ": {text}"),
                    None => write!(f, ": {} {}", e.field, e.code),
                })
            }
            Self::Differs { message, .. } => f.write_str(message),
            Self::Unavailable(text) => write!(f, "the database cannot answer: {text}"),
            Self::Taken(name) => write!(f, "already taken: {name}"),
            Self::Bug(text) => write!(f, "internal error: {text}"),
            other => write!(f, "{other:?}"),
        }
    }
}

impl std::error::Error for Error {}
