//! A document that was parsed, checked against the schema and counted, and so may be carried out.

use std::sync::LazyLock;

use apollo_compiler::collections::HashMap;
use apollo_compiler::executable::Operation;
use apollo_compiler::introspection::partial_execute;
use apollo_compiler::request::RequestError;
use apollo_compiler::response::{JsonMap, JsonValue};
use apollo_compiler::schema::Implementers;
use apollo_compiler::validation::Valid;
use apollo_compiler::{Name, Node, Schema};
use serde_json::{Map, Value};

use super::arguments;
use super::count::{Count, count};
use super::documents::{Document, document};
use super::problem::Problem;
use super::rules::Rules;
use super::scan::scan_variables;
use super::scopes;
use super::selection::{Selecting, Selection};
use crate::error::{Error, Result};
use crate::operation::Caller;

/// The text of the schema that is served.
const TEXT: &str = concat!(
    include_str!("schema.graphql"),
    include_str!("repositories.graphql"),
    include_str!("absent.graphql"),
    include_str!("mutations.graphql"),
    include_str!("boards.graphql")
);

/// The schema that is served.
static SCHEMA: LazyLock<std::result::Result<Valid<Schema>, String>> =
    LazyLock::new(|| Schema::parse_and_validate(TEXT, "schema.graphql").map_err(|found| found.errors.to_string()));

/// The types of each interface.
static IMPLEMENTERS: LazyLock<HashMap<Name, Implementers>> =
    LazyLock::new(|| SCHEMA.as_ref().map(|schema| schema.implementers_map()).unwrap_or_default());

/// A document that may be carried out.
pub struct Prepared {
    schema: &'static Valid<Schema>,
    document: Document,
    operation: Node<Operation>,
    variables: Valid<JsonMap>,
    /// Its size.
    pub count: Count,
    /// True if it consists of mutations.
    pub is_mutation: bool,
}

/// Either what may be carried out, or the errors to respond with.
pub type Checked = std::result::Result<Prepared, Vec<Problem>>;

impl Prepared {
    /// Checks the fields of a body. `settings` is where the caller changes the scopes of the token.
    pub fn new(body: &Map<String, Value>, caller: &Caller, rules: &Rules, settings: &str) -> Result<Checked> {
        let schema = SCHEMA.as_ref().map_err(|error| Error::Bug(format!("the schema of GraphQL: {error}")))?;
        Ok(Self::checked(schema, body, caller, rules, settings))
    }

    fn checked(
        schema: &'static Valid<Schema>,
        body: &Map<String, Value>,
        caller: &Caller,
        rules: &Rules,
        settings: &str,
    ) -> Checked {
        let one = |problem: Problem| vec![problem];
        let text = body.get("query").and_then(Value::as_str);
        let unsaid = || one(Problem::untyped("A query attribute must be specified and must be a string."));
        let text = text.ok_or_else(unsaid)?;
        let document = document(schema, text)?;
        let name = body.get("operationName").and_then(Value::as_str).filter(|name| !name.is_empty());
        let invalid = |error: RequestError| one(Problem::of_query(error.to_graphql_error(&document.sources)));
        let operation = document.operations.get(name).map_err(invalid)?.clone();
        let given = scan_variables(body.get("variables")).map_err(one)?;
        let variables =
            given.iter().map(|(name, value)| (name.as_str().into(), JsonValue::from(value.clone()))).collect();
        let variables = arguments::variables(schema, &operation, &variables).map_err(invalid)?;
        let (count, scoped) = count(&document, &operation, &variables, rules).map_err(one)?;
        scopes::check(&scoped, caller.token.as_ref(), settings)?;
        let is_mutation = operation.is_mutation();
        Ok(Self { schema, document, operation, variables, count, is_mutation })
    }

    /// Collects what it selects.
    pub fn selecting(&self) -> Selecting<'_> {
        Selecting::new(self.schema, &self.document, &self.variables)
    }

    /// The fields that it selects at its root.
    pub fn root<'p>(&'p self, selecting: &Selecting<'p>) -> Result<Selection<'p>> {
        selecting.of(self.operation.object_type(), [&self.operation.selection_set])
    }

    /// The result of introspection for it. Fields whose arguments are refused are left out.
    pub fn describe(&self) -> Result<JsonMap> {
        partial_execute(self.schema, &IMPLEMENTERS, &self.document, &self.operation, &self.variables)
            .map(|answer| answer.data.unwrap_or_default())
            .map_err(|error| Error::Bug(format!("introspection: {}", error.message())))
    }
}
