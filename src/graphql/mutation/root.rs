//! The fields at the root of a mutation. Each is carried out by itself, and what is selected of its payload is shown by
//! itself.

use std::sync::{Arc, LazyLock};

use apollo_compiler::response::JsonMap;
use serde_json::Value;

use super::super::arguments::Refusal;
use super::super::prepared::Prepared;
use super::super::problem::Problem;
use super::super::selection::{Selected, Selecting};
use super::super::value::Args;
use super::{Mutation, named};
use crate::error::Result;

/// The most mutations of a document.
const MOST: usize = 10;

/// No arguments.
static NOTHING: LazyLock<JsonMap> = LazyLock::new(JsonMap::new);

/// A document with its mutations.
pub struct Found {
    /// The document.
    pub prepared: Arc<Prepared>,
    /// The fields at its root, in order.
    pub fields: Vec<Asked>,
}

/// A field at the root.
pub struct Asked {
    /// Its name in the response.
    pub key: String,
    /// Its place in the document, as errors name it.
    pub locations: Value,
    /// The mutation; none for `__typename`.
    pub mutation: Option<&'static Mutation>,
    /// Its arguments, or why it is refused.
    pub arguments: std::result::Result<JsonMap, Refusal>,
    /// The name of the type that it answers with.
    pub kind: String,
}

impl Asked {
    fn of(field: &Selected, selecting: &Selecting) -> Self {
        Self {
            key: field.key.to_string(),
            locations: selecting.locations(field),
            mutation: named(field.name),
            arguments: field.arguments.clone(),
            kind: field.ty.inner_named_type().to_string(),
        }
    }

    /// Its input. Every mutation must have one.
    pub fn input(&self) -> Args<'_> {
        let input = self.arguments.as_ref().ok().and_then(|arguments| Args(arguments).input("input"));
        input.unwrap_or(Args(&NOTHING))
    }

    /// Its error in the response.
    pub fn problem(&self, (kind, message): Refusal) -> Problem {
        Problem::of_field(kind, message, vec![self.key.as_str()].into(), self.locations.clone())
    }
}

impl Found {
    /// The mutations of a document, none of which has been carried out.
    pub fn of(prepared: Prepared) -> Result<std::result::Result<Self, Problem>> {
        let selecting = prepared.selecting();
        let fields: Vec<Asked> =
            prepared.root(&selecting)?.fields.iter().map(|field| Asked::of(field, &selecting)).collect();
        let count = fields.iter().filter(|field| field.mutation.is_some()).count();
        if count > MOST {
            let text = format!("The request has {count} mutations, which exceeds the maximum of {MOST}.");
            return Ok(Err(Problem::of("MAX_MUTATIONS_EXCEEDED", text)));
        }
        Ok(Ok(Self { prepared: Arc::new(prepared), fields }))
    }
}
