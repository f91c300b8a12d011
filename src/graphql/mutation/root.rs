//! The objects at the root of a mutation: one finds the mutations of a document, one shows a payload.
//!
//! Both let the compiler collect the fields. So `@skip`, `@include`, fragments, aliases and the merging of equal fields
//! are the same whether a mutation is carried out or shown.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::{ExecutionResponse, JsonMap, JsonValue};

use super::super::object::{Object, key, refuse_nul};
use super::super::prepared::Prepared;
use super::super::problem::{Problem, typed};
use super::super::running::{Failure, Running};
use super::super::value::{Args, Payload, Thing};
use super::{Mutation, named};
use crate::error::{Error, Result};

/// The most mutations of a document.
const MOST: usize = 10;

/// A document with its mutations.
pub struct Found {
    /// The document.
    pub prepared: Arc<Prepared>,
    /// Its mutations, in order.
    pub fields: Vec<Asked>,
}

/// A mutation that a document asks for.
pub struct Asked {
    /// Its name in the response.
    pub key: String,
    /// The mutation.
    pub mutation: &'static Mutation,
    /// Its arguments.
    pub arguments: JsonMap,
    /// The name of the type that it answers with.
    pub kind: String,
}

impl Asked {
    /// Its input.
    pub fn input(&self) -> Args<'_> {
        Args(&self.arguments).input("input").unwrap_or(Args(&self.arguments))
    }
}

impl Found {
    /// The mutations of a document, none of which has been carried out.
    pub fn of(prepared: Prepared) -> std::result::Result<Self, Problem> {
        let failures = HashMap::new();
        let root = Root { failures: &failures, found: RefCell::default() };
        prepared.execute(&root)?;
        let fields = root.found.into_inner();
        if fields.len() > MOST {
            let text = format!("The request has {} mutations, which exceeds the maximum of {MOST}.", fields.len());
            return Err(Problem::of("MAX_MUTATIONS_EXCEEDED", text));
        }
        Ok(Self { prepared: Arc::new(prepared), fields })
    }
}

/// The response without payloads: every mutation is null, and those that were refused have an error.
pub fn without_payloads(prepared: &Prepared, failures: &HashMap<String, String>) -> Result<ExecutionResponse> {
    prepared.execute(&Root { failures, found: RefCell::default() }).map_err(|_| executed_before())
}

/// The error of a document that cannot be executed, although its mutations were found by executing it.
pub fn executed_before() -> Error {
    Error::Bug("a document was executed once, and not again".into())
}

struct Root<'a> {
    /// The errors of mutations, by their names in the response.
    failures: &'a HashMap<String, String>,
    found: RefCell<Vec<Asked>>,
}

impl ObjectValue for Root<'_> {
    fn type_name(&self) -> &'static str {
        "Mutation"
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> std::result::Result<ResolvedValue<'a>, FieldError> {
        let key = key(info);
        if let Err(Failure::Field(kind, message)) = refuse_nul(Args(info.arguments())) {
            return Err(FieldError { message: typed(kind, &message) });
        }
        if let Some(message) = self.failures.get(key) {
            return Err(FieldError { message: message.clone() });
        }
        let Some(mutation) = named(info.field_name()) else { return Err(self.unknown_field_error(info)) };
        let kind = info.field_definition().ty.inner_named_type().to_string();
        self.found.borrow_mut().push(Asked {
            key: key.to_owned(),
            mutation,
            arguments: info.arguments().clone(),
            kind,
        });
        Ok(ResolvedValue::null())
    }
}

/// Shows the payload of one mutation. The others are null.
pub struct Shown<'r> {
    /// The query of what is selected.
    pub run: &'r Running<'r>,
    /// The name of the mutation in the response.
    pub key: &'r str,
    /// Its payload.
    pub payload: Rc<Payload>,
}

impl ObjectValue for Shown<'_> {
    fn type_name(&self) -> &'static str {
        "Mutation"
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> std::result::Result<ResolvedValue<'a>, FieldError> {
        if key(info) != self.key {
            return Ok(ResolvedValue::null());
        }
        let thing = Thing::Payload(Rc::clone(&self.payload));
        Ok(ResolvedValue::Object(Box::new(Object { run: self.run, thing })))
    }
}

/// The part of a response that belongs to one mutation.
pub fn part(answer: ExecutionResponse, key: &str) -> ExecutionResponse {
    let value = answer.data.as_ref().and_then(|data| data.get(key)).cloned().unwrap_or(JsonValue::Null);
    let errors = answer.errors.into_iter().filter(|error| begins_with(&error.path, key)).collect();
    ExecutionResponse { data: Some(JsonMap::from_iter([(key.into(), value)])), errors }
}

fn begins_with(path: &[apollo_compiler::response::ResponseDataPathSegment], key: &str) -> bool {
    use apollo_compiler::response::ResponseDataPathSegment::Field;
    matches!(path.first(), Some(Field(name)) if name.as_str() == key)
}
