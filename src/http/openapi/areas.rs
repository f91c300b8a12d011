//! The areas of the API: operations whose names begin alike, with a description of each area.

use crate::operation::Operation;

/// Each area and its description, in the order of the documents.
const AREAS: &[(&str, &str)] = &[
    ("teams", "Teams of an organization: the hierarchy, members, repositories, projects, discussions and comments."),
    ("reactions", "Reactions to team discussions and their comments."),
    ("orgs", "Organizations, their members, invitations, outside collaborators and audit logs."),
    ("repos", "Repositories and their collaborators. Guildhall stores access permissions; it hosts no Git data."),
    ("issues", "Issues, of which Guildhall has none."),
    ("search", "Searching repositories, accounts and teams."),
    ("projects", "Projects of organizations and their collaborators."),
    ("activity", "Notifications of the authenticated user: the inbox, and subscriptions of discussions."),
    ("users", "The authenticated user and other accounts."),
    ("enterpriseAdmin", "Accounts, organizations, tokens and the audit log of the site, for site administrators."),
    ("meta", "Version and entry points of the API."),
    ("rateLimit", "The state of the rate limit."),
];

/// The area of an operation: the part of its name before the dot.
#[must_use]
pub fn area(row: &Operation) -> &'static str {
    row.name.split('.').next().unwrap_or_default()
}

/// The areas that have operations, each with its description, in the order of the documents.
#[must_use]
pub fn areas(operations: &[Operation]) -> Vec<(&'static str, &'static str)> {
    let mut areas = AREAS.to_vec();
    areas.retain(|(name, _)| operations.iter().any(|row| area(row) == *name));
    for name in operations.iter().map(area) {
        // An area that has no description yet is listed as well.
        if !areas.iter().any(|(known, _)| *known == name) {
            areas.push((name, ""));
        }
    }
    areas
}
