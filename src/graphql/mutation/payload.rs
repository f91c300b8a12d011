//! The fields of what a mutation answers.

use super::super::node::node;
use super::super::running::{Resolved, Running};
use super::super::value::{Out, Payload};

/// A field of a payload.
pub fn field(run: &Running, payload: &Payload, name: &str) -> Resolved<Out> {
    match (name, &payload.node_id) {
        ("clientMutationId", _) => Ok(Out::Leaf(payload.client_mutation_id.clone())),
        (_, Some(id)) => node(run, id).map(Out::One),
        (_, None) => Ok(Out::NULL),
    }
}
