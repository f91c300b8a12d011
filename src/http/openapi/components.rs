//! What is the same for all operations: refusals, headers, ways to say who calls; and the records.

use serde_json::{Map, Value, json};

use super::parameters;

/// A status, the name of its component, and what it means.
type Other = (u16, &'static str, &'static str);

/// Answers that are not the success of an operation (section 12 of the specification).
const OTHERS: &[Other] = &[
    (302, "moved", "The team was renamed; `Location` is its identifier form."),
    (304, "not-modified", "Nothing has changed since the `ETag` that the request names."),
    (400, "bad-request", "The request cannot be read."),
    (401, "unauthenticated", "The credentials are missing where the caller must be known, or they are not valid."),
    (403, "forbidden", "The caller may not do this, the account is suspended, or the limit is used up."),
    (404, "not-found", "It does not exist, or is not for this caller to see, or the token lacks the scope."),
    (411, "length-required", "A PUT over HTTP/1.1 has to say how long it is."),
    (413, "too-large", "The body is too large."),
    (422, "unprocessable", "A parameter does not fit, or a rule of the domain is broken."),
    (503, "unavailable", "The store cannot answer now; `Retry-After` says when to come back."),
];

/// The answers that are not success, with the name of the component of each.
pub(super) fn others() -> impl Iterator<Item = (u16, &'static str)> {
    OTHERS.iter().map(|(status, name, _)| (*status, *name))
}

/// What a status of success means.
pub(super) fn success(status: u16) -> &'static str {
    match status {
        201 => "Created.",
        202 => "Accepted.",
        204 => "Done, or so it is; there is nothing to say.",
        302 => "`Location` says where to ask.",
        _ => "Found or changed.",
    }
}

/// Every component, the records among them.
pub(super) fn all(records: Map<String, Value>) -> Value {
    let mut schemas = records;
    schemas.insert("error".into(), error());
    schemas.sort_keys();
    json!({
        "schemas": schemas,
        "responses": OTHERS.iter().map(response).collect::<Map<_, _>>(),
        "parameters": parameters::shared(),
        "headers": {
            "Link": {
                "description": "Addresses of the previous, next, last and first page, as far as there are such pages.",
                "schema": { "type": "string" },
            },
            "Location": {
                "description": "Where to go on.",
                "schema": { "type": "string", "format": "uri" },
            },
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
                "description": "A token as user name or as password.",
            },
        },
    })
}

fn response((status, name, description): &Other) -> (String, Value) {
    let mut response = json!({ "description": description });
    match status {
        302 => response["headers"] = json!({ "Location": { "$ref": "#/components/headers/Location" } }),
        304 => {}
        _ => {
            let schema = json!({ "$ref": "#/components/schemas/error" });
            response["content"] = json!({ "application/json": { "schema": schema } });
        }
    }
    ((*name).to_owned(), response)
}

/// As `problem.rs` writes it.
fn error() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "description": "What went wrong.",
        "type": "object",
        "required": ["message", "documentation_url"],
        "properties": {
            "message": text("What went wrong, for people."),
            "errors": {
                "type": "array",
                "description": "The rules that are broken, one by one; there only if the message does not say it all.",
                "items": {
                    "type": "object",
                    "required": ["resource", "code", "field"],
                    "properties": {
                        "resource": text("The kind of record."),
                        "code": text("What is wrong."),
                        "field": text("The member that is wrong."),
                        "message": text("The same for people."),
                    },
                },
            },
            "documentation_url": text("Address of the operation's documentation."),
        },
    })
}
