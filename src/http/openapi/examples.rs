//! Examples: the responses to the sample requests of the tests, from `docs/examples.json`.
//!
//! `./scripts/bless` writes that file by sending each sample to a server, so no example is invented here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::http::query;
use crate::operation::{Method, Operation};

/// The base URL in examples.
pub const BASE: &str = "https://guildhall.example.com";

/// A request and the response to it.
#[derive(Debug, Deserialize)]
pub struct Example {
    path: BTreeMap<String, String>,
    query: String,
    /// The body of the request, if it has one.
    pub body: Option<Value>,
    /// The status of the response.
    pub status: u16,
    /// Headers of the response that say where to continue.
    pub headers: BTreeMap<String, String>,
    /// The body of the response, if it has one.
    pub answer: Option<Value>,
}

/// A response to a request that is not carried out.
#[derive(Debug, Deserialize)]
pub struct Refusal {
    /// The status of the response.
    pub status: u16,
    /// A name that distinguishes it from other refusals with this status.
    pub name: String,
    /// The condition under which it is sent.
    pub when: String,
    /// The body of the response.
    pub answer: Value,
}

#[derive(Default, Deserialize)]
struct All {
    operations: BTreeMap<String, Example>,
    refusals: Vec<Refusal>,
}

/// If the file cannot be read, the documents have no examples, which `tests/service/every_operation` notices.
static ALL: LazyLock<All> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../docs/examples.json")).unwrap_or_default());

/// The example of an operation.
#[must_use]
pub fn of(row: &Operation) -> Option<&'static Example> {
    ALL.operations.get(row.name)
}

/// Examples of refusals.
pub fn refusals() -> impl Iterator<Item = &'static Refusal> {
    ALL.refusals.iter()
}

impl Example {
    /// The request in this form as a shell command, with the token in `$TOKEN`.
    #[must_use]
    pub fn curl(&self, row: &Operation, form: &str) -> String {
        let mut lines = vec!["curl".to_owned()];
        if row.method != Method::Get {
            lines[0] = format!("curl -X {}", row.method.name());
        }
        lines.push("-H \"Authorization: Bearer $TOKEN\"".to_owned());
        match &self.body {
            Some(body) => lines.push(format!("-d '{}'", format!("{body:#}").replace('\'', r"'\''"))),
            // Otherwise curl does not say that the body is empty.
            None if row.method == Method::Put => lines.push("-d ''".to_owned()),
            None => {}
        }
        lines.push(format!("'{BASE}{}'", self.url(form)));
        lines.join(" \\\n  ")
    }

    /// The response as it is on the wire, with what its headers say about going on.
    #[must_use]
    pub fn response(&self) -> String {
        let reason = StatusCode::from_u16(self.status).ok().and_then(|status| status.canonical_reason());
        let mut text = format!("HTTP/1.1 {} {}\n", self.status, reason.unwrap_or_default());
        text.extend(self.headers.iter().map(|(name, value)| format!("{name}: {value}\n")));
        text.extend(self.answer.iter().map(|answer| match answer {
            Value::String(file) => format!("\n{file}"),
            answer => format!("\n{answer:#}\n"),
        }));
        text
    }

    /// The path and query of the request in this form.
    fn url(&self, form: &str) -> String {
        let mut url = super::path(form).to_owned();
        for (name, value) in &self.path {
            url = url.replace(&format!("{{{name}}}"), value);
        }
        if self.query.is_empty() { url } else { format!("{url}?{}", self.query) }
    }

    /// A value of the query of the request, by name.
    pub(super) fn queried(&self, name: &str) -> Option<Cow<'_, str>> {
        query::pairs(&self.query).find(|(key, _)| key == name).and_then(|(_, value)| value.ok())
    }
}

/// The value of a path parameter in examples, by its name.
pub(super) fn in_path(name: &str) -> Option<&'static str> {
    ALL.operations.values().find_map(|example| example.path.get(name)).map(String::as_str)
}

/// The value of a header in examples.
pub(super) fn header(name: &str) -> Option<&'static str> {
    ALL.operations.values().find_map(|example| example.headers.get(name)).map(String::as_str)
}

/// A text of the path or query as a value of this type.
pub(super) fn typed(text: &str, schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("integer" | "boolean") => text.parse().unwrap_or_default(),
        _ => text.into(),
    }
}

/// A reference to an example, for a description of content.
pub(super) fn reference(component: &str) -> Value {
    json!({ "sample": { "$ref": format!("#/components/examples/{component}") } })
}

/// The name of the component that holds the body of an operation's request.
pub(super) fn request(row: &Operation) -> String {
    format!("{}.request", row.name)
}

/// Every component that an operation refers to.
pub(super) fn components(operations: &[Operation]) -> Map<String, Value> {
    let mut components = Map::new();
    for row in operations {
        let Some(example) = of(row) else { continue };
        let bodies = [(request(row), &example.body), (row.name.to_owned(), &example.answer)];
        for (name, body) in bodies {
            if let Some(body) = body {
                components.insert(name, json!({ "value": body }));
            }
        }
    }
    components
}
