//! The table as documents for readers: `docs/operations.md` and `docs/permissions.txt`.

mod described;
mod grid;

use std::fmt::Write;

use serde_json::Value;

use super::openapi;
use super::openapi::examples;
use crate::operation::Operation;

pub use described::{Parameter, facts, parameters};
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
pub const TOPICS: &str = include_str!("topics.md");

/// The introduction to the list of missing features.
pub const ABSENT: &str = include_str!("absent.md");

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
    table(page, &parameters(described, document));
    let facts = facts(row, described).map(|(name, text)| format!("{name}: {text}."));
    push(page, format_args!("\n{}\n", facts.join("  \n")));
    if let Some(example) = examples::of(row) {
        let request = example.curl(row, &row.forms[0]);
        push(page, format_args!("\n```sh\n{request}\n```\n\n```http\n{}```\n", example.response()));
    }
}

/// The parameters as a table.
fn table(page: &mut String, parameters: &[Parameter]) {
    if parameters.is_empty() {
        return;
    }
    page.push_str("\n| Parameter | In | Type | Required | Default | Meaning |\n|---|---|---|---|---|---|\n");
    for of in parameters {
        let required = if of.required { "yes" } else { "no" };
        let default = of.default.as_deref().unwrap_or("-");
        let Parameter { name, place, kind, meaning, .. } = of;
        push(page, format_args!("| {name} | {place} | {kind} | {required} | {default} | {meaning} |\n"));
    }
}

/// Appends to a string, which cannot fail.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = page.write_fmt(text);
}
