//! The `OpenAPI` document says what `SPEC.md` says.

use std::collections::{BTreeMap, BTreeSet};

use guildhall::http::openapi;
use guildhall::operations::operations;
use serde_json::Value;

use crate::spec::{self, Allowed, Parameter};

fn document() -> Value {
    openapi::document(&operations())
}

/// The operation of this verb at this path.
fn described<'a>(document: &'a Value, method: &str, path: &str) -> &'a Value {
    &document["paths"][path][method.to_lowercase()]
}

#[test]
fn the_document_has_every_form_of_every_operation_and_nothing_else() {
    let document = document();
    let mut specified = BTreeSet::new();
    for operation in spec::operations() {
        for form in &operation.forms {
            specified.insert(format!("{} {form}", operation.method));
        }
    }
    let paths = document["paths"].as_object().unwrap();
    let methods =
        |item: &Value| item.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect::<Vec<_>>();
    let found: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, item)| methods(item).into_iter().map(move |method| format!("{method} {path}")))
        .collect();
    let differences: Vec<_> = specified.symmetric_difference(&found).collect();
    assert!(differences.is_empty(), "only in SPEC.md or only in the document: {differences:#?}");
}

#[test]
fn every_operation_of_the_document_has_an_identifier_of_its_own() {
    let document = document();
    let mut seen = BTreeSet::new();
    for operation in document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values())
    {
        let id = operation["operationId"].as_str().unwrap();
        assert!(seen.insert(id.to_owned()), "{id} stands twice in the document");
    }
    for row in operations() {
        assert!(seen.contains(row.name), "no form has the plain name {}", row.name);
    }
}

#[test]
fn the_document_has_the_statuses_scopes_and_records_of_the_specification() {
    let document = document();
    let mut differences = Vec::new();
    for operation in spec::operations() {
        for form in &operation.forms {
            let described = described(&document, operation.method, form);
            if described.is_null() {
                continue;
            }
            let at = format!("{} {form}", operation.method);
            if described["x-accepted-oauth-scopes"] != operation.scopes.as_str() {
                differences
                    .push(format!("{at}: scopes {}, not {}", described["x-accepted-oauth-scopes"], operation.scopes));
            }
            let responses = &described["responses"];
            for status in &operation.statuses {
                if responses[status.to_string()].is_null() {
                    differences.push(format!("{at}: no answer {status}"));
                }
            }
            let documented = responses.as_object().into_iter().flat_map(|all| all.keys());
            for status in documented.filter(|status| status.starts_with('2')) {
                if !operation.statuses.iter().any(|known| known.to_string() == *status) {
                    differences.push(format!("{at}: an answer {status} that is not specified"));
                }
            }
            let successes = responses.as_object().into_iter().flat_map(|all| all.iter());
            let schema = successes
                .filter(|(status, _)| status.starts_with('2'))
                .map(|(_, response)| &response["content"]["application/json"]["schema"])
                .find(|schema| !schema.is_null());
            if let Some((record, list)) = operation.record {
                let expected = format!("#/components/schemas/{record}");
                let schema = schema.unwrap_or(&Value::Null);
                let reference = if list { &schema["items"]["$ref"] } else { &schema["$ref"] };
                if *reference != expected.as_str() {
                    differences.push(format!("{at}: the record is {reference}, not {expected}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_record_has_the_fields_of_the_specification_in_their_order() {
    let document = document();
    let mut differences = Vec::new();
    for (record, expected) in spec::records() {
        let schema = &document["components"]["schemas"][record];
        let Some(properties) = schema["properties"].as_object() else { continue };
        let found: Vec<(&str, bool)> =
            properties.iter().map(|(name, schema)| (name.as_str(), takes_null(&document, schema))).collect();
        if found != expected {
            let wrong: Vec<_> = found.iter().filter(|f| !expected.contains(f)).collect();
            let lacking: Vec<_> = expected.iter().filter(|f| !found.contains(f)).collect();
            differences
                .push(format!("{record} (name, may be null): has {wrong:?}, lacks {lacking:?}, or the order differs"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn takes_null(document: &Value, schema: &Value) -> bool {
    kinds(openapi::resolve(document, schema)).contains("null")
}

/// The JSON types that a schema accepts, including those of items.
fn kinds(schema: &Value) -> BTreeSet<&str> {
    let mut kinds: BTreeSet<&str> = match &schema["type"] {
        Value::String(one) => [one.as_str()].into(),
        several => several.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    for inner in ["anyOf", "oneOf"].iter().flat_map(|key| schema[*key].as_array().into_iter().flatten()) {
        kinds.extend(self::kinds(inner));
    }
    kinds
}

#[test]
fn every_parameter_has_the_type_the_default_and_the_values_of_the_specification() {
    let document = document();
    let mut differences = BTreeSet::new();
    for operation in spec::operations() {
        let expected = spec::parameters(operation.name);
        for form in &operation.forms {
            let described = described(&document, operation.method, form);
            if described.is_null() {
                continue;
            }
            let found = parameters(&document, described);
            for name in expected.keys().chain(found.keys()) {
                let (wanted, has) = (expected.get(name), found.get(name));
                if wanted != has {
                    differences.insert(format!(
                        "{} `{name}`:\n  the document has {has:?}\n  SPEC.md wants    {wanted:?}",
                        operation.name
                    ));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.into_iter().collect::<Vec<_>>().join("\n"));
}

/// The parameters of an operation outside of the path, as the specification would write them.
fn parameters(document: &Value, described: &Value) -> BTreeMap<String, Parameter> {
    let mut all = BTreeMap::new();
    for parameter in described["parameters"].as_array().into_iter().flatten() {
        let parameter = openapi::resolve(document, parameter);
        if parameter["in"] == "query" {
            let name = parameter["name"].as_str().unwrap().to_owned();
            all.insert(name, read("query", parameter["required"] == true, &parameter["schema"]));
        }
    }
    let body = &described["requestBody"]["content"]["application/json"]["schema"];
    let required: Vec<&str> = body["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, schema) in body["properties"].as_object().into_iter().flatten() {
        if schema["description"] == "Ignored." {
            continue;
        }
        all.insert(name.clone(), read("body", required.contains(&name.as_str()), schema));
    }
    all
}

fn read(place: &str, required: bool, schema: &Value) -> Parameter {
    let mut types = kinds(schema);
    if types.remove("array") {
        types = kinds(&schema["items"]).into_iter().chain(["array"]).collect();
    }
    types.remove("null");
    let default = match &schema["default"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let types = types.into_iter().map(str::to_owned).collect();
    Parameter { place: place.into(), types, required, default, allowed: allowed(schema) }
}

fn allowed(schema: &Value) -> Allowed {
    let mut values = choices(schema);
    values.sort();
    let number = |key: &str| schema[key].as_i64();
    match (number("minimum"), number("minLength"), number("maxLength")) {
        _ if !values.is_empty() => Allowed::Of(values),
        (Some(from), ..) => Allowed::Range { from, to: number("maximum") },
        (_, None, None) => Allowed::Anything,
        (_, from, to) => Allowed::Characters { from: from.unwrap_or(0), to },
    }
}

fn choices(schema: &Value) -> Vec<String> {
    let own = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    let own: Vec<String> = own.filter_map(Value::as_str).map(str::to_owned).collect();
    let inner = ["anyOf", "oneOf"].iter().flat_map(|key| schema[*key].as_array().into_iter().flatten());
    own.into_iter().chain(inner.flat_map(choices)).collect()
}

#[test]
fn every_path_names_the_parameters_of_the_specification() {
    let (document, known) = (document(), spec::path_parameters());
    for (path, item) in document["paths"].as_object().unwrap() {
        let names: BTreeSet<&str> = path.split(['{', '}']).skip(1).step_by(2).collect();
        for operation in item.as_object().unwrap().values() {
            let described = operation["parameters"].as_array().into_iter().flatten();
            let described: BTreeMap<&str, &Value> = described
                .map(|parameter| openapi::resolve(&document, parameter))
                .filter(|parameter| parameter["in"] == "path")
                .map(|parameter| (parameter["name"].as_str().unwrap(), &parameter["schema"]["type"]))
                .collect();
            assert_eq!(described.keys().copied().collect::<BTreeSet<_>>(), names, "{path}");
            for (name, kind) in described {
                assert_eq!(known.get(name).copied(), kind.as_str(), "`{name}` in {path}");
            }
        }
    }
}
