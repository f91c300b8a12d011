//! The scopes that fields need: those of the operations that show the same (decision 60).

use std::collections::BTreeMap;

use super::problem::Problem;
use super::rules::Rules;
use crate::caller::Token;
use crate::scope::{Accepted, EMAIL_FIELD};

/// The fields of a query that need a scope, with the scopes.
pub type Scoped = BTreeMap<String, Accepted>;

/// The scopes that a field of a type needs, if it needs any. Every field of a team and of a post does, except those that
/// every node has: whether the node is found depends on the same scopes. A mutation needs those of its operation.
pub fn of_field(parent: &str, field: &str, rules: &Rules) -> Option<Accepted> {
    let row = match (parent, field) {
        ("Mutation", _) => return rules.mutations.get(field).copied(),
        ("Team" | "TeamDiscussion" | "TeamDiscussionComment", "__typename" | "id") => return None,
        ("TeamDiscussion" | "TeamDiscussionComment", _) | ("Team", "discussion" | "discussions") => &rules.discussions,
        ("Team", "invitations") => &rules.team_invitations,
        ("Organization", "pendingMembers") => &rules.org_invitations,
        ("Team", _) | ("Organization", "team" | "teams") => &rules.team,
        ("Repository", "collaborators") => &rules.collaborators,
        ("Repository", "hasVulnerabilityAlertsEnabled") => &rules.alerts,
        ("User", "email") => return Some(EMAIL_FIELD),
        _ => return None,
    };
    Some(row.scopes)
}

/// Refuses a token that lacks a scope that a field needs.
pub fn check(fields: &Scoped, token: Option<&Token>, settings: &str) -> Result<(), Vec<Problem>> {
    let lacks = |accepted: &Accepted| token.is_none_or(|token| !accepted.satisfied_by(token.scopes));
    let missing: Vec<Problem> = fields
        .iter()
        .filter(|(_, accepted)| lacks(accepted))
        .map(|(field, accepted)| {
            let text = format!(
                "Your token has not been granted the required scopes to execute this query. The '{field}' field \
                 requires one of the following scopes: [{}], but your token has only been granted the: [{}] scopes. \
                 Please modify your token's scopes at: {settings}.",
                quoted(accepted.header()),
                quoted(token.map_or("", |token| &token.listed)),
            );
            Problem::of("INSUFFICIENT_SCOPES", text)
        })
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

/// Scopes as a message lists them.
fn quoted(list: &str) -> String {
    let names: Vec<String> = list.split(", ").filter(|name| !name.is_empty()).map(|name| format!("'{name}'")).collect();
    names.join(", ")
}
