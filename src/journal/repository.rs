//! Repositories as events show them: the record, without any content.

use serde::{Deserialize, Serialize};

use crate::clock::Time;

/// Whose a repository is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OwnerFacts {
    /// Identifier of the person or of the organization.
    pub id: i64,
    /// Whether it is an organization.
    pub organization: bool,
    /// Login.
    pub login: String,
    /// Whether it is a person who administers the site.
    pub site_admin: bool,
}

/// A repository as an event shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct RepoFacts {
    /// Identifier.
    pub id: i64,
    /// Owner and name.
    pub full_name: String,
    /// Its owner.
    pub owner: OwnerFacts,
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
    /// Whether issues are enabled.
    pub has_issues: bool,
    /// Whether projects are enabled.
    pub has_projects: bool,
    /// Whether the wiki is enabled.
    pub has_wiki: bool,
    /// Number of direct forks.
    pub forks_count: i64,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// Other settings that differ from the defaults, by name.
    pub settings: serde_json::Value,
    /// Identifier of the repository that it was forked from.
    pub fork_of: Option<i64>,
}

/// What was changed in a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
