//! Repositories as events show them: a record, and nothing of their content.

use serde::Serialize;

/// A repository as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct RepoFacts {
    /// Identifier.
    pub id: i64,
    /// Owner and name.
    pub full_name: String,
    /// Whether only those read it who were given access.
    pub private: bool,
    /// Whether it is kept for reading only.
    pub archived: bool,
    /// Description.
    pub description: Option<String>,
    /// Address of its own pages.
    pub homepage: Option<String>,
    /// The branch that is shown first.
    pub default_branch: String,
    /// Whether others begin with a copy of it.
    pub is_template: bool,
    /// Other settings, by name: those that differ from the defaults.
    pub settings: serde_json::Value,
    /// Identifier of the repository that it was forked from.
    pub fork_of: Option<i64>,
}

/// What about a repository was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RepoChange {
    /// Its settings.
    Edited,
    /// Its name.
    Renamed,
    /// It is private now.
    Privatized,
    /// It is public now.
    Publicized,
    /// It is kept for reading only now.
    Archived,
    /// It is no longer kept for reading only.
    Unarchived,
}
