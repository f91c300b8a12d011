//! The call of an operation that carries out a mutation.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::node::{decode, unresolved};
use super::super::running::{Failure, Resolved};
use super::super::value::Args;
use crate::dispatch::Condition;
use crate::operation::Path;

/// A call of an operation.
pub struct Plan {
    /// The name of the operation.
    pub operation: &'static str,
    /// The subject that its path names.
    pub path: Path,
    /// The fields of its body.
    pub body: Map<String, Value>,
    /// The node ID that the client sent for its subject. If the operation finds nothing, the error names it.
    pub subject: String,
    /// A further condition, which its transaction checks.
    pub condition: Option<Condition>,
}

impl Plan {
    /// A call without a body.
    pub fn new(operation: &'static str, path: &[(&str, i64)], subject: &str) -> Self {
        let path = path.iter().map(|(name, id)| (Arc::from(*name), id.to_string())).collect();
        Self { operation, path: Path(path), body: Map::new(), subject: subject.to_owned(), condition: None }
    }

    /// Adds a field to the body, if there is a value.
    #[must_use]
    pub fn with(mut self, field: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.body.insert(field.to_owned(), value.into());
        }
        self
    }
}

/// A field of an input that is required, although it is optional in the schema.
pub fn required<'a>(input: Args<'a>, name: &str) -> Resolved<&'a str> {
    input.text(name).ok_or_else(|| refused(format!("\"{name}\" wasn't supplied.")))
}

/// The identifier in a node ID of this type. A node of another type is not found.
pub fn identifier(id: &str, kind: &str) -> Resolved<i64> {
    decode(id).filter(|(found, _)| found == kind).map(|(_, number)| number).ok_or_else(|| unresolved(id))
}

/// The error of an input that a rule refuses.
pub fn refused(text: impl Into<String>) -> Failure {
    Failure::Field("UNPROCESSABLE", text.into())
}
