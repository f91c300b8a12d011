//! The record of a project, as `github-schemas.md` gives it.

use schemars::JsonSchema;
use serde::Serialize;

use super::level::word;
use super::project::Project;
use crate::clock::Time;
use crate::links::{Links, node_id};
use crate::people::user::SimpleUser;

/// A project of an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "project")]
pub struct ProjectRecord {
    /// Address of the organization.
    pub owner_url: String,
    /// Address of the record.
    pub url: String,
    /// Address of the page.
    pub html_url: String,
    /// Address of the columns.
    pub columns_url: String,
    /// Identifier.
    pub id: i64,
    /// Identifier in GraphQL.
    pub node_id: String,
    /// Name.
    pub name: String,
    /// What it is for.
    pub body: Option<String>,
    /// Number in the organization.
    pub number: i64,
    /// `open` or `closed`.
    pub state: String,
    /// Who created it.
    pub creator: SimpleUser,
    /// When it was created.
    pub created_at: Time,
    /// When it changed last.
    pub updated_at: Time,
    /// What every member of the organization may do: `read`, `write`, `admin` or `none`.
    pub organization_permission: &'static str,
    /// Whether only people who were let in read it.
    pub private: bool,
}

impl ProjectRecord {
    /// The record of a project.
    #[must_use]
    pub fn new(links: &Links, project: &Project) -> Self {
        let below = |path: &str| links.api(&format!("/projects/{}{path}", project.id));
        Self {
            owner_url: links.api_of("/orgs/", &project.org_login, ""),
            url: below(""),
            html_url: links.html(&format!("/orgs/{}/projects/{}", project.org_login, project.number)),
            columns_url: below("/columns"),
            id: project.id,
            node_id: node_id("Project", project.id),
            name: project.name.clone(),
            body: project.body.clone(),
            number: project.number,
            state: project.state.clone(),
            creator: SimpleUser::new(links, &project.creator),
            created_at: project.created_at,
            updated_at: project.updated_at,
            organization_permission: word(project.organization_level),
            private: project.private,
        }
    }
}
