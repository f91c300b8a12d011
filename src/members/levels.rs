//! The levels on repositories and projects that end when a person leaves an organization or their account is deleted.
//!
//! Implements decision 28. Clients know an event for repositories only.

use serde_json::json;

use crate::db::select;
use crate::error::Result;
use crate::journal::{Change, Event, RepoFacts};
use crate::operation::Cx;
use crate::people::user::User;
use crate::rows::level::Level;

/// Ends the levels that a person was given on the repositories of an organization, with one entry each.
pub fn end_on_repos(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    let given: Vec<(RepoFacts, i64)> = cx.tx.all(GIVEN, &[&person.id, &org])?;
    for (repository, rank) in given {
        let permission = Level::of_rank(rank).map(Level::word);
        cx.tx
            .run("DELETE FROM repo_collaborators WHERE repo_id = $1 AND user_id = $2", &[&repository.id, &person.id])?;
        let before = json!({ "repository": repository.id, "user": person.login, "permission": permission });
        let removed = Event::CollaboratorRemoved { repository, member: person.facts() };
        cx.record(org, Change::new("repo.remove_member", &before, &json!(null)).with_event(&removed))?;
    }
    Ok(())
}

/// The repositories of an organization on which a person was given a level. CROSS JOIN fixes the order here and below: it
/// begins with the few levels of a person.
const GIVEN: &str = select!(RepoFacts, "c.level" from
    "repo_collaborators c CROSS JOIN repos r CROSS JOIN orgs o
     WHERE c.user_id = $1 AND r.id = c.repo_id AND r.org_id = $2 AND o.id = r.org_id ORDER BY r.id");

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
