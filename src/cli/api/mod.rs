//! The operations of the API as commands call them: on the store, as the operator, or on a server, with a token.

mod flags;
mod local;
mod server;

use serde_json::{Map, Value};

pub use flags::ApiFlags;
use local::Local;
use server::Server;

use super::meter::{DATABASE, Steps, waiting};
use super::{Failure, in_one_line};
use crate::dispatch::FIRST;
use crate::operation::Page;

/// The largest number of items of a list.
const MOST: usize = 1_000_000;

/// The largest number of parts of a list.
const MOST_PARTS: usize = 20_000;

/// The place where operations are carried out.
pub enum Api {
    /// The store of this machine.
    Local(Box<Local>),
    /// A server.
    Server(Server),
}

/// The reason why an operation was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The status of the API; 0 if there was no response.
    pub status: u16,
    /// The message, with those of the fields that are wrong.
    pub message: String,
}

/// A reply: the record, and for a numbered list, true if there is a page after it.
struct Reply {
    record: Value,
    has_more: bool,
}

/// Parameters of a path.
pub type Names<'a> = &'a [(&'a str, &'a str)];

/// The fields of a body or of a query.
pub type Fields = Map<String, Value>;

impl Api {
    /// Calls the operation of this name, and returns its record; null if it has none.
    pub async fn call(&self, operation: &str, names: Names<'_>, fields: Fields) -> Result<Value, Refused> {
        match self.ask(operation, names, fields, FIRST).await?.record {
            record @ (Value::Object(_) | Value::Null) => Ok(record),
            _ => Err(Refused::unknown("the response was not understood: it is no record".to_owned())),
        }
    }

    /// Every item of the list of this name. A list that takes longer than a second shows how far it is.
    pub async fn all(&self, operation: &str, names: Names<'_>, query: Fields) -> Result<Vec<Value>, Refused> {
        let (mut listed, mut page) = (Listed::default(), FIRST);
        loop {
            let reply = self.ask(operation, names, query.clone(), page).await?;
            if listed.add(reply.record)? == 0 || !reply.has_more {
                return Ok(listed.items);
            }
            page.number += 1;
        }
    }

    /// The same for a list whose parts begin after an ID.
    pub async fn all_by_id(&self, operation: &str) -> Result<Vec<Value>, Refused> {
        let mut listed = Listed::default();
        loop {
            let last = listed.items.last().map_or(0, |item| item["id"].as_i64().unwrap_or(i64::MAX));
            let part = fields([("since", last.into()), ("per_page", FIRST.per_page.into())]);
            if listed.add(self.ask(operation, &[], part, FIRST).await?.record)? == 0 {
                return Ok(listed.items);
            }
        }
    }

    /// Calls an operation of site administration on something with a name, which a server shows to site administrators
    /// alone; `missing` is the message if nothing has the name.
    pub async fn administer(
        &self,
        operation: &str,
        names: Names<'_>,
        fields: Fields,
        missing: String,
    ) -> Result<Value, Failure> {
        let why = ", or the token is not one of a site administrator with the scope site_admin";
        let or_hidden = if self.is_server() { why } else { "" };
        let done = self.call(operation, names, fields).await;
        done.map_err(|refused| refused.or_missing(|| missing + or_hidden))
    }

    /// True if it is a server, whose answers depend on the token.
    pub fn is_server(&self) -> bool {
        matches!(self, Self::Server(_))
    }

    /// When the command succeeds, a running server shows what was changed.
    pub async fn settle(&self) {
        if let Self::Local(local) = self {
            local.settle().await;
        }
    }

    async fn ask(&self, operation: &str, names: Names<'_>, fields: Fields, page: Page) -> Result<Reply, Refused> {
        match self {
            Self::Local(local) => waiting(DATABASE, local.ask(operation, names, fields, page)).await,
            Self::Server(server) => server.ask(operation, names, fields, page).await,
        }
    }
}

/// The items of a list that is being read.
#[derive(Default)]
struct Listed {
    items: Vec<Value>,
    /// The number of parts.
    parts: usize,
    /// The number of items of the last part.
    last: usize,
    progress: Steps,
}

impl Listed {
    /// Adds a part, and returns the number of its items. A part that is the one before it again is refused, and so is a
    /// list that is too long.
    fn add(&mut self, part: Value) -> Result<usize, Refused> {
        let Value::Array(part) = part else {
            return Err(Refused::unknown("the response was not understood: it is no list".to_owned()));
        };
        let count = part.len();
        let repeats = count > 0 && count == self.last && self.items.ends_with(&part);
        self.items.extend(part);
        (self.parts, self.last) = (self.parts + 1, count);
        if repeats || self.items.len() > MOST || self.parts > MOST_PARTS {
            return Err(Refused::unknown(format!(
                "the list does not end: {} items came in {} parts. Check that the URL is that of a Guildhall server",
                self.items.len(),
                self.parts
            )));
        }
        self.progress.show(|| format!("{} so far", self.items.len()));
        Ok(count)
    }
}

impl Refused {
    /// A failure without a response of the API.
    fn unknown(message: String) -> Self {
        Self { status: 0, message }
    }

    /// The refusal that a response with this status and this body is.
    fn of(status: u16, body: &Value) -> Self {
        let errors = body["errors"].as_array().into_iter().flatten().map(|error| match error["message"].as_str() {
            Some(text) => format!(": {text}"),
            None => format!(": {} {}", text(&error["field"]), text(&error["code"])),
        });
        Self { status, message: std::iter::once(text(&body["message"]).to_owned()).chain(errors).collect() }
    }

    /// The failure of the command; `missing` says it if something was not found.
    pub fn or_missing(self, missing: impl FnOnce() -> String) -> Failure {
        if self.status == 404 { Failure::Failed(in_one_line(&missing())) } else { self.into() }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Failed(in_one_line(&refused.message))
    }
}

/// A value that is a text; empty if it is none.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The fields of a body, without those that are null.
pub fn fields<const N: usize>(fields: [(&str, Value); N]) -> Fields {
    fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)).collect()
}
