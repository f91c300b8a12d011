//! Repositories as events show them: the record, without any content.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::clock::Time;
use crate::db::row;
use crate::error::{Error, Result};

row! {
    /// The owner of a repository.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct OwnerFacts from "o" {
        /// Identifier of the person or of the organization.
        pub id: i64,
        /// True if it is an organization.
        pub organization: bool = "TRUE",
        /// Login.
        pub login: String,
        /// True if it is a person who administers the site.
        pub site_admin: bool = "FALSE",
    }
}

row! {
    /// A repository as an event shows it. It can be read if an organization `o` owns it.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct RepoFacts from "r" {
        /// Identifier.
        pub id: i64,
        /// Owner and name.
        pub full_name: String = "o.login || '/' || r.name",
        /// Its owner.
        pub owner: OwnerFacts = OwnerFacts::COLUMNS,
        /// True if only people with access can read it.
        pub private: bool,
        /// True if it is archived.
        pub archived: bool,
        /// Description.
        pub description: Option<String>,
        /// URL of its homepage.
        pub homepage: Option<String>,
        /// Default branch.
        pub default_branch: String,
        /// True if it is a template.
        pub is_template: bool,
        /// True if issues are enabled.
        pub has_issues: bool,
        /// True if projects are enabled.
        pub has_projects: bool,
        /// True if the wiki is enabled.
        pub has_wiki: bool,
        /// Number of direct forks.
        pub forks_count: i64,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// Other settings that differ from the defaults, by name.
        pub settings: Value => settings,
        /// Identifier of the repository that it was forked from.
        pub fork_of: Option<i64>,
    }
}

fn settings(held: Option<String>) -> Result<Value> {
    let Some(held) = held else { return Ok(json!({})) };
    serde_json::from_str(&held).map_err(|error| Error::Bug(error.to_string()))
}

/// The kind of change of a repository.
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
