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
    /// URL of the organization.
    pub owner_url: String,
    /// URL of the record.
    pub url: String,
    /// URL of the web page.
    pub html_url: String,
    /// URL of the columns.
    pub columns_url: String,
    /// ID.
    pub id: i64,
    /// GraphQL node ID.
    pub node_id: String,
    /// Name.
    pub name: String,
    /// Description.
    pub body: Option<String>,
    /// Project number in the organization.
    pub number: i64,
    /// `open` or `closed`.
    pub state: String,
    /// Who created it.
    pub creator: SimpleUser,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// Permission of every organization member: `read`, `write`, `admin` or `none`.
    pub organization_permission: &'static str,
    /// Whether only people with access can read it.
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
