//! The fields of the payload of a mutation.

use super::super::node::node;
use super::super::running::{Failure, Resolved, Running};
use super::super::value::{Out, Payload};

/// A field of a payload.
pub fn field<'a>(run: &Running, payload: &'a Payload, name: &str) -> Resolved<Out<'a>> {
    match (name, &payload.node_id) {
        ("clientMutationId", _) => Out::maybe(payload.client_mutation_id.as_ref()),
        ("repository" | "team" | "teamDiscussion" | "teamDiscussionComment", id) => match id {
            Some(id) => node(run, id).map(Out::One),
            None => Ok(Out::Null),
        },
        _ => Err(Failure::unknown(&payload.kind, name)),
    }
}
