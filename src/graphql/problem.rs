//! Errors as clients of GraphQL expect them: `type`, `path`, `locations` and `message` at the top level of each.

use apollo_compiler::response::GraphQLError;
use apollo_compiler::validation::DiagnosticList;
use serde_json::{Map, Value, json};

/// One error of a response.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem(Value);

/// The number of errors of an invalid query that are listed.
const LISTED: usize = 10;

impl Problem {
    /// An error about the whole request.
    pub fn of(kind: &str, message: impl Into<String>) -> Self {
        Self(json!({ "type": kind, "message": message.into() }))
    }

    /// An error without a type. Clients expect none for some errors.
    pub fn untyped(message: impl Into<String>) -> Self {
        Self(json!({ "message": message.into() }))
    }

    /// The errors of a query that does not parse, or that does not fit the schema.
    pub fn of_document(found: &DiagnosticList) -> Vec<Self> {
        let mut errors: Vec<GraphQLError> = found.iter().map(|diagnostic| diagnostic.to_json()).collect();
        // Errors that follow from a field that does not exist would only hide that error.
        if errors.iter().any(|error| unknown_field(&error.message).is_some()) {
            errors.retain(|error| unknown_field(&error.message).is_some());
        }
        errors.into_iter().take(LISTED).map(Self::of_query).collect()
    }

    /// An error found before anything was carried out.
    pub fn of_query(error: GraphQLError) -> Self {
        let mut problem = Map::new();
        let message = if let Some((kind, field)) = unknown_field(&error.message) {
            let extensions = json!({ "code": "undefinedField", "typeName": kind, "fieldName": field });
            problem.insert("extensions".into(), extensions);
            format!("Field '{field}' doesn't exist on type '{kind}'")
        } else {
            error.message
        };
        problem.insert("locations".into(), json!(error.locations));
        problem.insert("message".into(), message.into());
        Self(problem.into())
    }

    /// An error of a field: its type, if it has one, its message, and its place in the response and in the query.
    pub fn of_field(kind: Option<&str>, message: String, path: Value, locations: Value) -> Self {
        let mut problem = Map::new();
        if let Some(kind) = kind {
            problem.insert("type".into(), kind.into());
        }
        problem.insert("path".into(), path);
        problem.insert("locations".into(), locations);
        problem.insert("message".into(), message.into());
        Self(problem.into())
    }

    /// The error as JSON.
    pub fn into_value(self) -> Value {
        self.0
    }
}

/// The type and the field that a message of the compiler names: "type `T` does not have a field `x`".
fn unknown_field(message: &str) -> Option<(String, String)> {
    let (kind, field) = message.strip_prefix("type `")?.split_once("` does not have a field `")?;
    Some((kind.to_owned(), field.strip_suffix('`')?.to_owned()))
}
