//! The parameters of an operation, in path, query and body.

use serde_json::{Map, Value, json};

use super::examples;
use crate::operation::{Field, JSON, Operation, PER_PAGE, Place, YAML};

/// The parameters in paths (section 7 of the specification): name, type and description.
pub(super) const IN_PATH: &[(&str, &str, &str)] = &[
    ("org", "string", "Login of the organization. Not case-sensitive."),
    ("org_id", "integer", "ID of the organization."),
    ("team_slug", "string", "Slug of the team. Not case-sensitive."),
    ("team_id", "integer", "ID of the team."),
    ("username", "string", "Login of the person. Not case-sensitive."),
    ("account_id", "integer", "ID of the account."),
    ("owner", "string", "Login of the owner of the repository. Not case-sensitive."),
    ("repo", "string", "Name of the repository. Not case-sensitive."),
    ("repository_id", "integer", "ID of the repository."),
    ("project_id", "integer", "ID of the project."),
    ("discussion_number", "integer", "Number of the discussion in its team."),
    ("comment_number", "integer", "Number of the comment in its discussion."),
    ("reaction_id", "integer", "ID of the reaction."),
    ("token_id", "integer", "ID of the token."),
    ("invitation_id", "integer", "ID of the invitation."),
    ("join_request_id", "integer", "ID of the request to join the team."),
    ("hook_id", "integer", "ID of the webhook."),
    ("delivery_id", "integer", "ID of the delivery."),
    ("plan_id", "integer", "ID of the plan."),
    ("role_id", "integer", "ID of a role of the organization."),
    ("thread_id", "integer", "ID of a discussion in the inbox."),
];

/// References to or descriptions of the parameters in the path and the query.
pub(super) fn outside_the_body(row: &Operation, form: &str) -> Vec<Value> {
    let shared = |name: &str| json!({ "$ref": format!("#/components/parameters/{name}") });
    let mut parameters: Vec<Value> = IN_PATH
        .iter()
        .map(|(name, ..)| *name)
        .filter(|name| form.contains(&format!("{{{name}}}")))
        .map(shared)
        .collect();
    for field in row.params.fields.iter().filter(|field| matches!(field.place, Place::Query | Place::Option)) {
        let mut schema = without_null(bare(field));
        let description = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
        let mut parameter = json!({ "name": field.name, "in": "query", "required": field.required });
        if let Some(description) = description {
            parameter["description"] = description;
        }
        if let Some(given) = examples::of(row).and_then(|example| example.queried(&field.name)) {
            parameter["example"] = examples::typed(&given, &schema);
        }
        parameter["schema"] = schema;
        parameters.push(parameter);
    }
    if row.has_pages() {
        let usual = row.per_page == PER_PAGE;
        parameters.push(if usual { shared("per_page") } else { per_page(row.per_page) });
        parameters.push(shared("page"));
    }
    parameters
}

/// The parameters that several operations share.
pub(super) fn shared() -> Value {
    let mut all = Map::new();
    for (name, kind, description) in IN_PATH {
        let schema = json!({ "type": kind });
        let mut parameter = json!({ "name": name, "in": "path", "required": true, "description": description });
        if let Some(given) = examples::in_path(name) {
            parameter["example"] = examples::typed(given, &schema);
        }
        parameter["schema"] = schema;
        all.insert((*name).to_owned(), parameter);
    }
    all.insert("per_page".into(), per_page(PER_PAGE));
    let page = json!({ "type": "integer", "minimum": 1, "default": 1 });
    all.insert("page".into(), in_query("page", "Page to return, starting at 1.", page));
    Value::Object(all)
}

/// The parameter `per_page` with this default.
fn per_page(default: u64) -> Value {
    let schema = json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": default });
    in_query("per_page", "Number of results per page.", schema)
}

fn in_query(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "required": false, "description": description, "schema": schema })
}

/// The body that an operation reads, if it reads one.
pub(super) fn body(row: &Operation) -> Option<Value> {
    if row.reads_file {
        return Some(file(row));
    }
    let fields: Vec<&Field> = row.params.fields.iter().filter(|field| field.place == Place::Body).collect();
    if fields.is_empty() {
        return None;
    }
    let mut properties: Map<String, Value> = fields.iter().map(|f| (f.name.clone(), bare(f))).collect();
    let mut schema = json!({ "type": "object" });
    let required: Vec<&str> = fields.iter().filter(|f| f.required).map(|f| f.name.as_str()).collect();
    let needed = !required.is_empty();
    if needed {
        schema["required"] = required.into();
    }
    if let Some(ignored) = row.params.ignored_fields() {
        let ignored = ignored.iter().map(|name| ((*name).to_owned(), json!({ "description": "Ignored." })));
        properties.extend(ignored.filter(|(name, _)| fields.iter().all(|f| f.name != *name)).collect::<Vec<_>>());
        schema["additionalProperties"] = false.into();
    }
    schema["properties"] = Value::Object(properties);
    let mut content = json!({ "schema": schema });
    if examples::of(row).is_some_and(|example| example.body.is_some()) {
        content["examples"] = examples::reference(&examples::request(row));
    }
    Some(json!({ "required": needed, "content": { "application/json": content } }))
}

/// The body of an operation that reads a file.
fn file(row: &Operation) -> Value {
    let mut of_json = json!({ "schema": { "type": "object", "description": "A file in the format `team-org/1`." } });
    if examples::of(row).is_some_and(|example| example.body.is_some()) {
        of_json["examples"] = examples::reference(&examples::request(row));
    }
    let of_yaml = json!({ "schema": { "type": "string", "description": "A file of peribolos in YAML." } });
    json!({ "required": true, "content": { YAML: of_yaml, JSON: of_json } })
}

/// The schema of a field, without the extensions that only the parser of parameters reads.
fn bare(field: &Field) -> Value {
    let mut schema = field.schema.clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.shift_remove("x-null-clears");
        schema.shift_remove("x-function-validates");
        schema.shift_remove("x-function-refuses");
    }
    schema
}

/// The schema without null, which a query cannot express.
fn without_null(mut schema: Value) -> Value {
    let Some(members) = schema.as_object_mut() else { return schema };
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            members["type"] = one.clone();
        }
    }
    if let Some(Value::Array(choices)) = members.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
    if let Some(Value::Array(alternatives)) = members.get_mut("anyOf") {
        alternatives.retain(|alternative| alternative["type"] != "null");
        if let [Value::Object(one)] = alternatives.as_slice() {
            let one = one.clone();
            members.shift_remove("anyOf");
            for (key, value) in one {
                members.entry(key).or_insert(value);
            }
        }
    }
    schema
}
