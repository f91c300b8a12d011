//! Answers against the document: what `/openapi.json` describes is what is sent, no more and no less.

use guildhall::http::openapi::examples::BASE;
use guildhall::operation::{JSON, Method};
use serde_json::Map;

use crate::every_operation::samples;
use crate::every_operation::scene::Scene;
use crate::support::Value;

/// The document `/openapi.json`.
pub struct Document(pub Value);

impl Document {
    pub fn of(scene: &Scene) -> Self {
        let served = scene.world.anonymous().get("/openapi.json");
        Self(served.expect(200).clone())
    }

    pub fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(pointer) => self.0.pointer(pointer.trim_start_matches('#')).expect("what a reference names"),
            None => value,
        }
    }

    /// The parts that do not fit, each with its place.
    pub fn misfits(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let schema = self.resolve(schema);
        for kind in ["anyOf", "oneOf"] {
            if let Some(choices) = schema[kind].as_array() {
                let misfits: Vec<_> = choices.iter().map(|choice| self.misfits(choice, value, at)).collect();
                return if misfits.iter().any(Vec::is_empty) { Vec::new() } else { misfits.concat() };
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return parts.iter().flat_map(|part| self.misfits(part, value, at)).collect();
        }
        if !has_type(&schema["type"], value) || !is_a_choice(schema, value) || !has_format(schema, value) {
            return vec![format!("{at}: {value} is not {schema}")];
        }
        match value {
            Value::Object(members) => self.members(schema, members, at),
            Value::Array(items) => {
                let item = |(n, item)| self.misfits(&schema["items"], item, &format!("{at}[{n}]"));
                items.iter().enumerate().flat_map(item).collect()
            }
            _ => Vec::new(),
        }
    }

    fn members(&self, schema: &Value, members: &Map<String, Value>, at: &str) -> Vec<String> {
        let Some(known) = schema["properties"].as_object() else {
            let additional = &schema["additionalProperties"];
            let free = |(name, value): (&String, &Value)| self.misfits(additional, value, &format!("{at}.{name}"));
            return members.iter().flat_map(free).collect();
        };
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let missing =
            required.filter(|name| !members.contains_key(*name)).map(|name| format!("{at}.{name} is missing"));
        let present = members.iter().flat_map(|(name, value)| match known.get(name) {
            Some(schema) => self.misfits(schema, value, &format!("{at}.{name}")),
            None => vec![format!("{at}.{name} is not described")],
        });
        missing.chain(present).collect()
    }
}

fn has_type(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
        kind => match kind.as_str().expect("the name of a type") {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("{other} is no type"),
        },
    }
}

fn is_a_choice(schema: &Value, value: &Value) -> bool {
    let among = schema["enum"].as_array().is_none_or(|choices| choices.contains(value));
    among && schema.get("const").is_none_or(|only| only == value)
}

fn has_format(schema: &Value, value: &Value) -> bool {
    match (schema["format"].as_str(), value.as_str()) {
        (Some("date-time"), Some(text)) => {
            let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            shape == "0000-00-00T00:00:00Z"
        }
        (Some("uri"), Some(text)) => text.starts_with("http://127.0.0.1:") || text.starts_with(BASE),
        _ => true,
    }
}

#[test]
fn every_reply_is_as_the_document_describes_it() {
    let reading = Scene::new();
    let document = Document::of(&reading);
    samples::each(|row, sample| {
        let writing = (row.method != Method::Get).then(Scene::new);
        let scene = writing.as_ref().unwrap_or(&reading);
        let path = if row.forms[0].is_empty() { "/" } else { &row.forms[0] };
        let operation = &document.0["paths"][path][row.method.name().to_lowercase()];
        assert_eq!(operation["operationId"], row.name);
        let answer = scene.send(row, sample);
        answer.expect(sample.status);
        let described = document.resolve(&operation["responses"][sample.status.to_string()]);
        assert!(described.is_object(), "{} answers {}, which is not described", row.name, sample.status);
        if row.reply.media != JSON {
            assert!(described["content"][row.reply.media]["schema"].is_object(), "{}", row.name);
            assert_eq!(answer.header("content-type"), Some(row.reply.media), "{}", row.name);
            return;
        }
        let schema = &described["content"]["application/json"]["schema"];
        if schema.is_null() {
            assert_eq!(answer.text, "", "{} has a body that is not described", row.name);
        } else {
            let misfits = document.misfits(schema, &answer.json, row.name);
            assert!(misfits.is_empty(), "{}\n{}", misfits.join("\n"), answer.text);
            let empty = row.absent;
            assert!(
                answer.json.as_array().is_none_or(|list| list.is_empty() == empty),
                "{} shows {}",
                row.name,
                answer.text
            );
        }
    });
}

#[test]
fn every_refusal_is_as_the_document_describes_it() {
    let scene = Scene::new();
    let document = Document::of(&scene);
    for (row, sample) in samples::all() {
        let path = if row.forms[0].is_empty() { "/" } else { &row.forms[0] };
        let operation = &document.0["paths"][path][row.method.name().to_lowercase()];
        let clients = [scene.world.anonymous(), scene.client("eve"), scene.client("xena")];
        let wrong = Some(serde_json::json!({ "name": 1, "login": 2, "role": 3, "state": 4, "scopes": 5, "reason": 6 }));
        for client in clients.into_iter().chain([scene.client(sample.who)]) {
            let answer = scene.send_form(&client, &row, &sample, &row.forms[0], wrong.clone());
            if answer.status < 400 {
                continue;
            }
            let described = document.resolve(&operation["responses"][answer.status.to_string()]);
            let schema = &described["content"]["application/json"]["schema"];
            assert!(schema.is_object(), "{} answers {}, which is not described", row.name, answer.status);
            let misfits = document.misfits(schema, &answer.json, row.name);
            assert!(misfits.is_empty(), "{}\n{}", misfits.join("\n"), answer.text);
        }
    }
}
