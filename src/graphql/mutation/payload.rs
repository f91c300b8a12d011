//! What a mutation answers.

use apollo_compiler::response::JsonValue;

use super::super::node::node;
use super::super::running::{Resolved, Running};
use super::super::value::Out;

/// What a mutation answers.
#[derive(Debug)]
pub struct Payload {
    /// The name of its type.
    pub kind: String,
    /// What the client has called the mutation.
    pub client_mutation_id: JsonValue,
    /// The node ID of the record that the mutation has written, if there is one.
    pub node_id: Option<String>,
}

/// A field of a payload.
pub fn field(run: &Running, payload: &Payload, name: &str) -> Resolved<Out> {
    match (name, &payload.node_id) {
        ("clientMutationId", _) => Ok(Out::Leaf(payload.client_mutation_id.clone())),
        (_, Some(id)) => node(run, id).map(Out::One),
        (_, None) => Ok(Out::NULL),
    }
}
