//! The kinds of access that a person can have to a repository or a project.

use schemars::JsonSchema;
use serde::Deserialize;

/// The people to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Affiliation {
    /// Collaborators who are not members of the organization.
    Outside,
    /// Collaborators with direct access.
    Direct,
    /// Everyone with access, including owners, members of teams with access, and organization members if they have a
    /// default permission.
    #[default]
    All,
}
