//! The table as an `OpenAPI` 3.1 document, which `/openapi.json` serves.
//!
//! Everything is read from the rows. Nothing is described here that a row does not say, except what is the same for all
//! of them (`components.rs`).

mod areas;
mod components;
pub mod examples;
mod parameters;

pub use areas::{area, areas};

use std::sync::LazyLock;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::compression::Document;
use super::personas::{Answer, Kind, PERSONAS, answer};
use crate::operation::{JSON, Method, Operation};
use crate::operations::operations;

/// The document as JSON. It is made and compressed when it is first asked for.
#[must_use]
pub fn text() -> &'static Document {
    static TEXT: LazyLock<Document> = LazyLock::new(|| Document::new(document(&operations()).to_string().into_bytes()));
    &TEXT
}

/// The document. The same table gives the same document, to the byte.
#[must_use]
pub fn document(operations: &[Operation]) -> Value {
    let mut records = generator();
    let mut paths = Map::new();
    for row in operations {
        for (number, form) in row.forms.iter().enumerate() {
            let item = paths.entry(path(form)).or_insert_with(|| json!({}));
            item[row.method.name().to_lowercase()] = operation(row, number, form, &mut records);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Guildhall",
            "summary": "Teams in organizations, their members and their permissions.",
            "version": env!("CARGO_PKG_VERSION"),
            "contact": { "name": "The operator of this server", "url": "/ui" },
            "license": { "name": "MIT or Apache-2.0", "identifier": env!("CARGO_PKG_LICENSE") },
        },
        "servers": [{ "url": "/" }, { "url": "/api/v3" }],
        "security": [{ "bearer": [] }, { "basic": [] }],
        "externalDocs": { "description": "Every operation with an example, and all errors.", "url": "/ui/docs" },
        "tags": tags(operations),
        "paths": paths,
        "components": components::all(records.take_definitions(true), examples::components(operations)),
    })
}

fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.with(|s| s.definitions_path = "/components/schemas".into()).into_generator()
}

/// An operation in its first form as the document describes it, and the part of the document that it refers to for its
/// parameters.
#[must_use]
pub fn described(row: &Operation) -> (Value, Value) {
    let shared = json!({ "components": { "parameters": parameters::shared() } });
    (operation(row, 0, &row.forms[0], &mut generator()), shared)
}

/// A form of the table as a path: the root is written `/`.
#[must_use]
pub fn path(form: &str) -> &str {
    if form.is_empty() { "/" } else { form }
}

/// The value that a reference within the document points to; any other value is returned unchanged.
#[must_use]
pub fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|pointer| document.pointer(pointer.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// A short summary of an operation.
#[must_use]
pub fn summary(row: &Operation) -> &str {
    row.params.description.split(['\n', '.']).next().unwrap_or_default()
}

fn tags(operations: &[Operation]) -> Vec<Value> {
    areas(operations).into_iter().map(|(name, about)| json!({ "name": name, "description": about })).collect()
}

fn operation(row: &Operation, number: usize, form: &str, records: &mut SchemaGenerator) -> Value {
    let mut described = json!({
        "operationId": format!("{}{}", row.name, suffix(row, number, form)),
        "tags": [area(row)],
        "summary": summary(row),
        "description": row.params.description,
        "x-who-may": row.who_may.rule.to_string(),
        "x-accepted-oauth-scopes": row.scopes.header(),
    });
    if row.is_legacy(number) {
        described["deprecated"] = true.into();
    }
    let kind = Kind::of(row)[0];
    if PERSONAS.iter().any(|who| !who.signed_in && answer(row, who, kind) == Answer::Authorized) {
        described["security"] = json!([{}, { "bearer": [] }, { "basic": [] }]);
    }
    let parameters = parameters::outside_the_body(row, form);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if let Some(body) = parameters::body(row) {
        described["requestBody"] = body;
    }
    described["responses"] = responses(row, form, records);
    if let Some(example) = examples::of(row) {
        let source = example.curl(row, form);
        described["x-codeSamples"] = json!([{ "lang": "Shell", "label": "curl", "source": source }]);
    }
    described
}

/// The suffix that distinguishes the forms of an operation, since each needs an identifier of its own.
fn suffix(row: &Operation, number: usize, form: &str) -> &'static str {
    match number {
        0 => "",
        _ if row.is_legacy(number) => ".legacy",
        _ if form.contains("{team_slug}") => ".byOrgId",
        _ => ".byId",
    }
}

fn responses(row: &Operation, form: &str, records: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    for status in row.reply.statuses() {
        let mut response = json!({ "description": components::success(status) });
        if let Some(schema) = row.reply.schema.filter(|_| (200..203).contains(&status)) {
            let mut content = json!({ "schema": schema(records) });
            if examples::of(row).is_some_and(|example| example.status == status) {
                content["examples"] = examples::reference(row.name);
            }
            response["content"] = json!({ row.reply.media: content });
        }
        if row.is_list() {
            response["headers"] = json!({ "Link": { "$ref": "#/components/headers/Link" } });
        }
        responses.insert(status.to_string(), response);
    }
    for (status, name) in components::others() {
        if may_answer(row, form, status) {
            let shared = json!({ "$ref": format!("#/components/responses/{name}") });
            responses.entry(status.to_string()).or_insert(shared);
        }
    }
    responses.sort_keys();
    Value::Object(responses)
}

/// True if an operation in this form can answer with a status that is not its success.
fn may_answer(row: &Operation, form: &str, status: u16) -> bool {
    let writes = row.method != Method::Get;
    match status {
        302 => !writes && (form.contains("{team_slug}") || form.contains("{repo}")),
        304 => !writes && row.reply.schema.is_some(),
        // Without a limit, there is none to show.
        404 => form.contains('{') || row.free || !row.scopes.is_optional() && !row.is_list(),
        409 => row.may_differ,
        411 => row.method == Method::Put,
        413 => writes,
        // A read refuses only what its function validates or refuses itself, and what a file cannot express.
        422 => {
            writes
                || row.reply.media != JSON
                || row.params.fields.iter().any(|field| field.function_validates || field.function_refuses)
        }
        _ => true,
    }
}
