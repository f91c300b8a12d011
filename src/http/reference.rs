//! The table as documents for readers: `docs/operations.md` and `docs/permissions.txt`.

use std::fmt::Write;

use serde_json::Value;

use super::openapi;
use super::personas::{Kind, PERSONAS, answer};
use crate::operation::Operation;

/// `docs/operations.md`: every operation with its addresses, parameters, reply, scopes and rule.
#[must_use]
pub fn operations(operations: &[Operation]) -> String {
    let document = openapi::document(operations);
    let mut page = String::from(
        "# Operations\n\nWritten by `./scripts/bless` from the table in `src/operations.rs`; do not edit. Every address \
         also stands below `/api/v3`. The records are described in `openapi.json`, under the same names.\n",
    );
    let mut area = "";
    for row in operations {
        let of = openapi::area(row);
        if of != area {
            area = of;
            push(&mut page, format_args!("\n## {area}\n"));
        }
        section(&mut page, row, &document);
    }
    page
}

fn section(page: &mut String, row: &Operation, document: &Value) {
    push(page, format_args!("\n### {}\n\n{}\n\n", row.name, row.params.description));
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
        any => format!("any of `{}`", any.replace(", ", "`, `")),
    };
    push(page, format_args!("\nReply: {}{record}.  \n", statuses.join(" or ")));
    push(page, format_args!("Token scope: {scopes}.  \nWho may: {}.\n", row.rule));
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

/// `docs/permissions.txt`: what every person is answered by every operation.
#[must_use]
pub fn permissions(operations: &[Operation]) -> String {
    let mut page = String::from(
        "Written by ./scripts/bless from the table; do not edit. Who gets what answer:\n\n\
         yes  the operation is carried out, if what was sent is right\n\
         401  the caller must be known\n\
         403  the caller sees the thing but may not do this\n\
         404  the caller may not know that the thing exists\n\n",
    );
    for persona in &PERSONAS {
        push(&mut page, format_args!("{:<8}{}\n", persona.name, persona.is));
    }
    page.push_str(
        "\nTheir tokens have every scope, and members of the organization may create teams\n\
         and repositories, and read all of its repositories. The team may write to these.\n\
         Whom the path names is somebody else.\n",
    );
    let grids = [
        ("On a closed team", Kind::ClosedTeam),
        ("On a secret team", Kind::SecretTeam),
        ("On a public repository", Kind::PublicRepo),
        ("On a private repository", Kind::PrivateRepo),
        ("On a private project that members read", Kind::Project),
        ("On organizations, people and the site", Kind::Other),
    ];
    for (title, kind) in grids {
        let rows: Vec<&Operation> = operations.iter().filter(|row| Kind::of(row).contains(&kind)).collect();
        grid(&mut page, title, &rows, kind);
    }
    page
}

fn grid(page: &mut String, title: &str, rows: &[&Operation], subject: Kind) {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(title.len()) + 2;
    push(page, format_args!("\n{title:<width$}"));
    let cells = |page: &mut String, words: &[&str]| {
        let line: Vec<String> = words.iter().map(|word| format!("{word:<6}")).collect();
        push(page, format_args!("{}\n", line.join("  ").trim_end()));
    };
    cells(page, &PERSONAS.map(|persona| persona.name));
    for row in rows {
        push(page, format_args!("{:<width$}", row.name));
        cells(page, &PERSONAS.map(|persona| answer(row, &persona, subject).word()));
    }
}

/// Writing to a text cannot fail.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = page.write_fmt(text);
}
