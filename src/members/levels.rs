//! The levels on repositories and projects that end when a person leaves an organization or their account is deleted.
//!
//! Implements decision 28. Clients know an event for repositories only.

use serde_json::{Value, json};

use crate::clock::Time;
use crate::db::{FromRow, Row};
use crate::error::{Error, Result};
use crate::journal::{Change, Event, OwnerFacts, RepoFacts};
use crate::operation::Cx;
use crate::people::user::User;

/// Ends the levels that a person was given on the repositories of an organization, with one entry each.
pub fn end_on_repos(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    let given: Vec<Given> = cx.tx.all(GIVEN, &[&person.id, &org])?;
    for Given { repository, permission } in given {
        cx.tx
            .run("DELETE FROM repo_collaborators WHERE repo_id = $1 AND user_id = $2", &[&repository.id, &person.id])?;
        let before = json!({ "repository": repository.id, "user": person.login, "permission": permission });
        let removed = Event::CollaboratorRemoved { repository, member: person.facts() };
        cx.record(org, Change::new("repo.remove_member", &before, &json!(null)).with_event(&removed))?;
    }
    Ok(())
}

/// A repository of an organization, and the permission that a person was given on it.
struct Given {
    repository: RepoFacts,
    permission: String,
}

impl FromRow for Given {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let settings: Option<String> = row.get(17)?;
        let settings = settings.map_or_else(|| Ok(json!({})), |text| serde_json::from_str::<Value>(&text));
        let owner = OwnerFacts { id: row.get(2)?, organization: true, login: row.get(3)?, site_admin: false };
        let repository = RepoFacts {
            id: row.get(0)?,
            full_name: [&owner.login, "/", &row.get::<String>(1)?].concat(),
            owner,
            private: row.get(4)?,
            archived: row.get(5)?,
            description: row.get(6)?,
            homepage: row.get(7)?,
            default_branch: row.get(8)?,
            is_template: row.get(9)?,
            has_issues: row.get(10)?,
            has_projects: row.get(11)?,
            has_wiki: row.get(12)?,
            forks_count: row.get(13)?,
            created_at: Time(row.get(14)?),
            updated_at: Time(row.get(15)?),
            fork_of: row.get(16)?,
            settings: settings.map_err(|e| Error::Bug(e.to_string()))?,
        };
        Ok(Self { repository, permission: row.get(18)? })
    }
}

/// CROSS JOIN fixes the order here and below: it begins with the few levels of a person.
const GIVEN: &str = "
    SELECT r.id, r.name, o.id, o.login, r.private, r.archived, r.description, r.homepage, r.default_branch,
           r.is_template, r.has_issues, r.has_projects, r.has_wiki, r.forks_count, r.created_at, r.updated_at,
           r.fork_of, r.settings,
           CASE c.level WHEN 1 THEN 'pull' WHEN 2 THEN 'triage' WHEN 3 THEN 'push' WHEN 4 THEN 'maintain' ELSE 'admin' END
    FROM repo_collaborators c CROSS JOIN repos r CROSS JOIN orgs o
    WHERE c.user_id = $1 AND r.id = c.repo_id AND r.org_id = $2 AND o.id = r.org_id ORDER BY r.id";

/// Ends the levels of a person on the projects of an organization. A former member must not keep administering projects
/// that they created.
pub(super) fn end_on_projects(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    cx.tx.run(LEAVE_PROJECTS, &[&person.id, &org]).map(drop)
}

const LEAVE_PROJECTS: &str = "
    DELETE FROM project_collaborators
    WHERE user_id = $1 AND project_id IN
        (SELECT p.id FROM project_collaborators c CROSS JOIN projects p
         WHERE p.id = c.project_id AND c.user_id = $1 AND p.org_id = $2)";
