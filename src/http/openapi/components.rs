//! The components that all operations share: refusals, headers, authentication; and the records.

use serde_json::{Map, Value, json};

use super::{examples, parameters};

/// A status, the name of its component, and what it means.
type Other = (u16, &'static str, &'static str);

/// Responses other than the success of an operation (section 12 of the specification).
const OTHERS: &[Other] = &[
    (302, "moved", "The team or the repository was renamed. `Location` is its URL by ID."),
    (304, "not-modified", "The record has not changed since the `ETag` in the request."),
    (400, "bad-request", "The request is malformed."),
    (401, "unauthenticated", "The credentials are missing or invalid."),
    (403, "forbidden", "The caller may not do this, the account is suspended, or a rate limit is exceeded."),
    (404, "not-found", "The record does not exist, the caller may not see it, or the token lacks the scope."),
    (409, "differs", "The organization is no longer as it was planned; `differences` has what differs."),
    (411, "length-required", "A PUT over HTTP/1.1 needs a `Content-Length`."),
    (413, "too-large", "The body is too large."),
    (422, "unprocessable", "A parameter is invalid, or the request violates a rule."),
    (503, "unavailable", "The service cannot answer now. `Retry-After` says when to try again."),
];

/// The responses other than success, with the name of the component of each.
pub(super) fn others() -> impl Iterator<Item = (u16, &'static str)> {
    OTHERS.iter().map(|(status, name, _)| (*status, *name))
}

/// The meaning of a status of success.
pub(super) fn success(status: u16) -> &'static str {
    match status {
        201 => "Created.",
        202 => "Accepted.",
        204 => "Success. There is no body.",
        205 => "Success. There is no body; read again what is shown.",
        302 => "`Location` is the URL to use instead.",
        _ => "Success.",
    }
}

/// All components, including the records and the examples.
pub(super) fn all(records: Map<String, Value>, examples: Map<String, Value>) -> Value {
    let mut schemas = records;
    schemas.insert("error".into(), error());
    schemas.sort_keys();
    json!({
        "schemas": schemas,
        "responses": OTHERS.iter().map(response).collect::<Map<_, _>>(),
        "parameters": parameters::shared(),
        "examples": examples,
        "headers": {
            "Link": header("Link", "URLs of the previous, next, last and first page, where they exist.", json!({ "type": "string" })),
            "Location": header("Location", "The URL to continue with.", json!({ "type": "string", "format": "uri" })),
        },
        "securitySchemes": {
            "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token in the header `Authorization`, after the word `Bearer` or `token`.",
            },
            "basic": {
                "type": "http",
                "scheme": "basic",
                "description": "A token as the username or as the password.",
            },
        },
    })
}

fn header(name: &str, description: &str, schema: Value) -> Value {
    let mut header = json!({ "description": description, "schema": schema });
    if let Some(example) = examples::header(name) {
        header["example"] = example.into();
    }
    header
}

fn response((status, name, description): &Other) -> (String, Value) {
    let mut response = json!({ "description": description });
    match status {
        302 => response["headers"] = json!({ "Location": { "$ref": "#/components/headers/Location" } }),
        304 => {}
        _ => {
            let schema = json!({ "$ref": "#/components/schemas/error" });
            let mut content = json!({ "schema": schema });
            let of_status = examples::refusals().filter(|refusal| refusal.status == *status);
            let examples: Map<String, Value> = of_status
                .map(|refusal| (refusal.name.clone(), json!({ "summary": refusal.when, "value": refusal.answer })))
                .collect();
            if !examples.is_empty() {
                content["examples"] = examples.into();
            }
            response["content"] = json!({ "application/json": content });
        }
    }
    ((*name).to_owned(), response)
}

/// As `problem.rs` writes it.
fn error() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "description": "An error.",
        "type": "object",
        "required": ["message", "documentation_url"],
        "properties": {
            "message": text("Description of the error, for people."),
            "errors": {
                "type": "array",
                "description": "The violated rules, one by one. Present only if `message` does not say everything.",
                "items": {
                    "type": "object",
                    "required": ["resource", "code"],
                    "properties": {
                        "resource": text("The kind of record."),
                        "code": text("Code of the problem."),
                        "field": text("The invalid field."),
                        "message": text("Description of the problem, for people."),
                    },
                },
            },
            "differences": {
                "type": "object",
                "description": "For 409, the changes that are no longer planned and those that are planned now.",
            },
            "documentation_url": text("URL of the documentation of the operation."),
        },
    })
}
