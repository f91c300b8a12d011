//! Mutations: the same writes as the operations of the table (decision 60).
//!
//! A mutation becomes a call of an operation, which checks, limits, records and commits it like any other. Afterwards,
//! what is selected of its payload is read on a snapshot that has the change. Mutations run one after the other, each
//! in a transaction of its own: one that is refused changes nothing, and the others do not depend on it.

mod carry_out;
mod payload;
mod plan;
mod posts;
mod refusal;
mod repositories;
mod root;
mod teams;

pub use carry_out::carry_out;
pub use payload::field;
pub use refusal::of as refused;
pub use root::Found;

use plan::Plan;

use super::running::Resolved;
use super::value::Args;
use crate::db::Tx;

/// A mutation of the schema.
#[derive(Debug)]
pub struct Mutation {
    /// Its name.
    name: &'static str,
    /// The operation whose scopes it needs.
    operation: &'static str,
    /// Turns its input into a call of an operation. It does not decide what the caller may see or do: the operation
    /// does.
    plan: fn(&mut Tx, i64, Args) -> Resolved<Plan>,
}

const fn mutation(
    name: &'static str,
    operation: &'static str,
    plan: fn(&mut Tx, i64, Args) -> Resolved<Plan>,
) -> Mutation {
    Mutation { name, operation, plan }
}

/// Every mutation.
const MUTATIONS: &[Mutation] = &[
    mutation("archiveRepository", "repos.update", repositories::archive),
    mutation("createRepository", "repos.createInOrg", repositories::create),
    mutation("createTeamDiscussion", "teams.createDiscussionInOrg", posts::create),
    mutation("createTeamDiscussionComment", "teams.createDiscussionCommentInOrg", posts::create_comment),
    mutation("deleteTeamDiscussion", "teams.deleteDiscussionInOrg", posts::delete),
    mutation("deleteTeamDiscussionComment", "teams.deleteDiscussionCommentInOrg", posts::delete_comment),
    mutation("unarchiveRepository", "repos.update", repositories::unarchive),
    mutation("updateTeamDiscussion", "teams.updateDiscussionInOrg", posts::update),
    mutation("updateTeamDiscussionComment", "teams.updateDiscussionCommentInOrg", posts::update_comment),
    mutation("updateTeamReviewAssignment", "teams.updateReviewAssignmentInOrg", teams::update_review_assignment),
];

fn named(name: &str) -> Option<&'static Mutation> {
    MUTATIONS.iter().find(|mutation| mutation.name == name)
}

/// Every mutation with the operation whose scopes it needs.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    MUTATIONS.iter().map(|mutation| (mutation.name, mutation.operation))
}
