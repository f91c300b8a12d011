//! The table as documents for readers: `docs/operations.md` and `docs/permissions.txt`.

mod grid;

use std::fmt::Write;

use hyper::StatusCode;
use serde_json::Value;

use super::openapi;
use super::openapi::examples::{self, Example};
use crate::operation::Operation;

pub use grid::permissions;

const INTRODUCTION: &str = "# Operations

This is the reference of Guildhall's HTTP API: every operation with its URLs, its parameters, who may call it, and an \
example request with the response to it.

Every URL also works below `/api/v3`. Records are described in `openapi.json`, which a server has at `/openapi.json`, \
under the same names. Examples use the base URL `{base}` and a token in `$TOKEN`; lists in them \
are cut after two entries.

<!-- Written by ./scripts/bless from the table in src/operations.rs and docs/examples.json; do not edit. -->
";

/// The topics that concern all operations, each with an anchor that responses link to.
const TOPICS: &str = include_str!("topics.md");

/// The introduction to the list of missing features.
const ABSENT: &str = include_str!("absent.md");

/// `docs/operations.md`: every operation with its paths, parameters, reply, scopes, rule and an example.
#[must_use]
pub fn operations(operations: &[Operation]) -> String {
    let document = openapi::document(operations);
    let mut page = INTRODUCTION.replace("{base}", examples::BASE);
    contents(&mut page, operations);
    push(&mut page, format_args!("\n{TOPICS}"));
    errors(&mut page);
    absent(&mut page, operations);
    for (area, about) in openapi::areas(operations) {
        push(&mut page, format_args!("\n## <a id=\"{area}\"></a>{area}\n\n{about}\n"));
        for row in operations.iter().filter(|row| openapi::area(row) == area) {
            section(&mut page, row, &document);
        }
    }
    page
}

/// Links to all sections.
fn contents(page: &mut String, operations: &[Operation]) {
    page.push_str("\n## Contents\n\n");
    for heading in TOPICS.lines().filter_map(|line| line.strip_prefix("## <a id=\"")) {
        if let Some((anchor, title)) = heading.split_once("\"></a>") {
            push(page, format_args!("- [{title}](#{anchor})\n"));
        }
    }
    page.push_str("- [Errors](#errors)\n- [What Guildhall does not have](#absent)\n");
    for (area, about) in openapi::areas(operations) {
        push(page, format_args!("- [{area}](#{area}): {about}\n"));
        for row in operations.iter().filter(|row| openapi::area(row) == area) {
            push(page, format_args!("  - [{0}](#{0}): {1}\n", row.name, openapi::summary(row)));
        }
    }
}

/// Describes refusals.
fn errors(page: &mut String) {
    page.push_str(
        "\n## <a id=\"errors\"></a>Errors\n\nA refused request changes nothing. The response body says why:\n\n\
         | Status | When | `message` |\n|---|---|---|\n",
    );
    for refusal in examples::refusals() {
        let message = refusal.answer["message"].as_str().unwrap_or_default().replace('\n', " ");
        push(page, format_args!("| {} | {} | {message} |\n", refusal.status, refusal.when));
    }
    page.push_str(
        "\n`documentation_url` links to the operation on this page. If a request violates rules, `errors` lists \
         them one by one.\n",
    );
}

/// The list of missing features, with the operations that answer for them (decision 82).
fn absent(page: &mut String, operations: &[Operation]) {
    push(page, format_args!("\n{ABSENT}\n"));
    for row in operations.iter().filter(|row| row.absent) {
        let (name, description) = (row.name, openapi::summary(row));
        push(page, format_args!("- [{name}](#{name}): `GET {}`. {description}.\n", openapi::path(&row.forms[0])));
    }
}

fn section(page: &mut String, row: &Operation, document: &Value) {
    push(page, format_args!("\n### <a id=\"{0}\"></a>{0}\n\n{1}\n\n", row.name, row.params.description));
    for form in &row.forms {
        push(page, format_args!("- `{} {}`\n", row.method.name(), openapi::path(form)));
    }
    let described = &document["paths"][openapi::path(&row.forms[0])][row.method.name().to_lowercase()];
    parameters(page, described, document);
    let statuses: Vec<String> = row.reply.statuses().iter().map(u16::to_string).collect();
    let schema = &described["responses"][statuses[0].as_str()]["content"]["application/json"]["schema"];
    let record = match kind(schema) {
        words if words.is_empty() => String::new(),
        words => format!(", {words}"),
    };
    let scopes = match row.scopes.header() {
        "" => "none is needed".to_owned(),
        any => {
            let needed = if row.scopes.is_optional() { "none is needed; more is shown with " } else { "" };
            format!("{needed}any of `{}`", any.replace(", ", "`, `"))
        }
    };
    push(page, format_args!("\nReply: {}{record}.  \n", statuses.join(" or ")));
    push(page, format_args!("Token scope: {scopes}.  \nWho may: {}.\n", row.who_may.rule));
    if let Some(example) = examples::of(row) {
        exchange(page, row, example);
    }
}

/// A request and the response to it.
fn exchange(page: &mut String, row: &Operation, example: &Example) {
    push(page, format_args!("\n```sh\n{}\n```\n", example.curl(row, &row.forms[0])));
    let reason = StatusCode::from_u16(example.status).ok().and_then(|status| status.canonical_reason());
    push(page, format_args!("\n```http\nHTTP/1.1 {} {}\n", example.status, reason.unwrap_or_default()));
    for (name, value) in &example.headers {
        push(page, format_args!("{name}: {value}\n"));
    }
    if let Some(answer) = &example.answer {
        push(page, format_args!("\n{answer:#}\n"));
    }
    page.push_str("```\n");
}

fn parameters(page: &mut String, described: &Value, document: &Value) {
    let mut rows: Vec<[String; 6]> = Vec::new();
    for parameter in described["parameters"].as_array().into_iter().flatten() {
        let parameter = openapi::resolve(document, parameter);
        let place = parameter["in"].as_str().unwrap_or_default();
        let required = parameter["required"] == true;
        rows.push(line(&parameter["name"], place, required, &parameter["schema"], &parameter["description"]));
    }
    let body = &described["requestBody"]["content"]["application/json"]["schema"];
    let required: Vec<&Value> = body["required"].as_array().into_iter().flatten().collect();
    for (name, schema) in body["properties"].as_object().into_iter().flatten() {
        let name = Value::from(name.as_str());
        let needed = required.contains(&&name);
        rows.push(line(&name, "body", needed, schema, &schema["description"]));
    }
    if rows.is_empty() {
        return;
    }
    page.push_str("\n| Parameter | In | Type | Required | Default | Meaning |\n|---|---|---|---|---|---|\n");
    for cells in rows {
        push(page, format_args!("| {} |\n", cells.join(" | ")));
    }
}

fn line(name: &Value, place: &str, required: bool, schema: &Value, meaning: &Value) -> [String; 6] {
    let code = |value: &Value| match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    };
    [
        code(name),
        place.to_owned(),
        kind(schema),
        if required { "yes" } else { "no" }.to_owned(),
        code(&schema["default"]),
        meaning.as_str().unwrap_or_default().replace('\n', " "),
    ]
}

/// A schema in words: its type, its record, or its choices.
fn kind(schema: &Value) -> String {
    if let Some(record) = schema["$ref"].as_str() {
        return format!("`{}`", record.rsplit('/').next().unwrap_or_default());
    }
    let several = |values: &Value| values.as_array().into_iter().flatten().map(kind).collect::<Vec<_>>().join(" or ");
    let literal = |value: &Value| format!("`{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    if let Some(only) = schema.get("const") {
        return literal(only);
    }
    if let Some(choices) = schema["enum"].as_array() {
        return choices.iter().map(literal).collect::<Vec<_>>().join(" or ");
    }
    let named = |name: &Value| match name.as_str().unwrap_or_default() {
        "array" => format!("list of {}", kind(&schema["items"])),
        name => name.to_owned(),
    };
    match &schema["type"] {
        Value::Array(types) => types.iter().map(named).collect::<Vec<_>>().join(" or "),
        Value::Null => [several(&schema["oneOf"]), several(&schema["anyOf"])].concat(),
        one => named(one),
    }
}

/// Appends to a string, which cannot fail.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = page.write_fmt(text);
}
