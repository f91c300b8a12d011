//! An operation in the words of a reader.

use serde_json::Value;

use super::super::openapi;
use crate::operation::Operation;

/// A parameter in words, which are Markdown.
pub struct Parameter {
    /// The name.
    pub name: String,
    /// `path`, `query` or `body`.
    pub place: String,
    /// The type.
    pub kind: String,
    /// True if a request without it is refused.
    pub required: bool,
    /// The value that counts without it.
    pub default: Option<String>,
    /// The description.
    pub meaning: String,
}

/// The parameters of an operation that is described in this document.
#[must_use]
pub fn parameters(described: &Value, document: &Value) -> Vec<Parameter> {
    let mut all = Vec::new();
    for parameter in described["parameters"].as_array().into_iter().flatten() {
        let parameter = openapi::resolve(document, parameter);
        let (name, place) = (parameter["name"].as_str(), parameter["in"].as_str());
        let required = parameter["required"] == true;
        all.push(one(
            name.unwrap_or_default(),
            place.unwrap_or_default(),
            required,
            &parameter["schema"],
            &parameter["description"],
        ));
    }
    let body = &described["requestBody"]["content"]["application/json"]["schema"];
    let required: Vec<&Value> = body["required"].as_array().into_iter().flatten().collect();
    for (name, schema) in body["properties"].as_object().into_iter().flatten() {
        let needed = required.contains(&&Value::from(name.as_str()));
        all.push(one(name, "body", needed, schema, &schema["description"]));
    }
    all
}

fn one(name: &str, place: &str, required: bool, schema: &Value, meaning: &Value) -> Parameter {
    Parameter {
        name: format!("`{name}`"),
        place: place.to_owned(),
        kind: kind(schema),
        required,
        default: schema.get("default").filter(|value| !value.is_null()).map(literal),
        meaning: meaning.as_str().unwrap_or_default().replace('\n', " "),
    }
}

/// The reply, the scopes of tokens and the rule, each as Markdown without a full stop.
#[must_use]
pub fn facts(row: &Operation, described: &Value) -> [(&'static str, String); 3] {
    let statuses: Vec<String> = row.reply.statuses().iter().map(u16::to_string).collect();
    let schema = &described["responses"][statuses[0].as_str()]["content"][row.reply.media]["schema"];
    let record = match kind(schema) {
        words if words.is_empty() => String::new(),
        words => format!(", {words}"),
    };
    let scopes = match row.scopes.header() {
        "" => "none is needed".to_owned(),
        any => {
            let needed = if row.scopes.is_optional() { "none is needed; more is shown with " } else { "" };
            let quantity = if row.scopes.needs_all() { "all" } else { "any" };
            format!("{needed}{quantity} of `{}`", any.replace(", ", "`, `"))
        }
    };
    let reply = format!("{}{record}", statuses.join(" or "));
    [("Reply", reply), ("Token scope", scopes), ("Who may", row.who_may.rule.to_string())]
}

/// A schema in words: its type, its record, or its choices.
fn kind(schema: &Value) -> String {
    if let Some(record) = schema["$ref"].as_str() {
        return format!("`{}`", record.rsplit('/').next().unwrap_or_default());
    }
    let several = |values: &Value| values.as_array().into_iter().flatten().map(kind).collect::<Vec<_>>().join(" or ");
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

fn literal(value: &Value) -> String {
    format!("`{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}
