//! Repositories as events show them: the record, without any content.

use serde::Serialize;

/// A repository as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct RepoFacts {
    /// Identifier.
    pub id: i64,
    /// Owner and name.
    pub full_name: String,
    /// Whether only people with access can read it.
    pub private: bool,
    /// Whether it is archived.
    pub archived: bool,
    /// Description.
    pub description: Option<String>,
    /// URL of its homepage.
    pub homepage: Option<String>,
    /// Default branch.
    pub default_branch: String,
    /// Whether it is a template.
    pub is_template: bool,
    /// Other settings that differ from the defaults, by name.
    pub settings: serde_json::Value,
    /// Identifier of the repository that it was forked from.
    pub fork_of: Option<i64>,
}

/// What was changed in a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RepoChange {
    /// Its settings.
    Edited,
    /// Its name.
    Renamed,
    /// It was made private.
    Privatized,
    /// It was made public.
    Publicized,
    /// It was archived.
    Archived,
    /// It was unarchived.
    Unarchived,
}
