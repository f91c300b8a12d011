//! The people of a project: those who were given a level directly, and all others who have one.
//!
//! Implements decisions 21 (no suspended user is added), 33 (where a level comes from) and 38 (by id).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::level::{Level, WRITE, word};
use super::project;
use super::project::Project;
use crate::db::select;
use crate::error::Result;
use crate::journal::Change;
use crate::members::affiliation::Affiliation;
use crate::members::invitations::refuse_suspended;
use crate::operation::{Cx, Done, List, Record};
use crate::people::user::{self, SimpleUser, User};
use crate::policy::Granted;

/// The statements that count these people and list a page of them.
macro_rules! statements {
    ($people:expr) => {
        (
            concat!("SELECT count(*) FROM (", $people, ") people"),
            select!(User from "users u WHERE u.id IN (", $people, ") ORDER BY u.id LIMIT $2 OFFSET $3"),
        )
    };
}

macro_rules! direct {
    () => {
        "SELECT c.user_id FROM project_collaborators c WHERE c.project_id = $1"
    };
}

macro_rules! outside {
    () => {
        concat!(
            direct!(),
            " AND NOT EXISTS (
                 SELECT m.role FROM projects p JOIN org_members m ON m.org_id = p.org_id
                 WHERE p.id = $1 AND m.user_id = c.user_id AND m.role <> 'billing_manager')"
        )
    };
}

/// The people with a level above none, which does not count that every caller reads a public project.
macro_rules! all {
    () => {
        concat!(
            direct!(),
            " UNION
             SELECT m.user_id FROM team_projects g CROSS JOIN team_tree below CROSS JOIN team_members m
             WHERE g.project_id = $1 AND below.ancestor_id = g.team_id AND m.team_id = below.descendant_id
             UNION
             SELECT m.user_id FROM projects p JOIN org_members m ON m.org_id = p.org_id
             WHERE p.id = $1 AND (m.role = 'admin' OR m.role = 'member' AND p.organization_level > 0)"
        )
    };
}

/// List the people who have access to a project, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {
    /// Filter by how they have access to the project.
    #[schemars(extend("default" = "all"))]
    pub affiliation: Option<Affiliation>,
}

/// Lists the people who can do something with a project, by id.
pub fn list(cx: &mut Cx, project: Granted<Project>, p: ListThem) -> Result<List<SimpleUser>> {
    let (count, page) = match p.affiliation.unwrap_or_default() {
        Affiliation::Outside => statements!(outside!()),
        Affiliation::Direct => statements!(direct!()),
        Affiliation::All => statements!(all!()),
    };
    let total: i64 = cx.tx.one(count, &[&project.id])?;
    let (limit, offset) = cx.page.sql();
    let people: Vec<User> = cx.tx.all(page, &[&project.id, &limit, &offset])?;
    let items = people.iter().map(|person| SimpleUser::new(cx.links, person));
    List::of(items, total)
}

/// A person's permission on a project.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "project-collaborator-permission")]
pub struct CollaboratorPermission {
    /// `admin`, `write`, `read` or `none`.
    pub permission: &'static str,
    /// The person.
    pub user: SimpleUser,
}

/// Get a person's effective permission on a project, from all sources.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetPermission {
    /// Login of the person.
    pub username: String,
}

/// Gets what a person may do with a project.
pub fn level(cx: &mut Cx, project: Granted<Project>, p: GetPermission) -> Result<Record<CollaboratorPermission>> {
    let person = user::by_login(cx.tx, &p.username)?;
    let permission = word(project::level(cx.tx, &project, person.id)?);
    Ok(CollaboratorPermission { permission, user: SimpleUser::new(cx.links, &person) }.into())
}

/// Add a collaborator to a project, or change their permission.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Put {
    /// Login of the person.
    pub username: String,
    /// The permission. Default: `write`.
    #[schemars(extend("default" = "write"))]
    pub permission: Option<Level>,
}

/// Gives a person a level.
pub fn put(cx: &mut Cx, project: Granted<Project>, p: Put) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    let level = p.permission.map_or(WRITE, Level::rank);
    let before = own(cx, &project, &person)?;
    if before == Some(level) {
        return Ok(Done);
    }
    refuse_suspended(cx.tx, &person, "ProjectCollaborator")?;
    let (by, at) = cx.granting()?;
    cx.tx.run(PUT, &[&project.id, &person.id, &level, &by, &at])?;
    record(cx, &project, &person, before, Some(level))?;
    Ok(Done)
}

const PUT: &str = "
    INSERT INTO project_collaborators (project_id, user_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (project_id, user_id) DO UPDATE
    SET level = excluded.level, granted_by = excluded.granted_by, granted_at = excluded.granted_at";

/// Remove a collaborator from a project. Access from other sources stays.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// Login of the person.
    pub username: String,
}

/// Removes the level of a person; nothing happens if they were given none.
pub fn remove(cx: &mut Cx, project: Granted<Project>, p: Remove) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    if let Some(before) = own(cx, &project, &person)? {
        cx.tx.run(REMOVE, &[&project.id, &person.id])?;
        record(cx, &project, &person, Some(before), None)?;
    }
    Ok(Done)
}

const REMOVE: &str = "DELETE FROM project_collaborators WHERE project_id = $1 AND user_id = $2";

/// The level that the person was given directly.
fn own(cx: &mut Cx, project: &Project, person: &User) -> Result<Option<i64>> {
    cx.tx.maybe(OWN, &[&project.id, &person.id])
}

const OWN: &str = "SELECT level FROM project_collaborators WHERE project_id = $1 AND user_id = $2";

/// Clients know no event for this; only the audit log has an entry.
fn record(cx: &mut Cx, project: &Project, person: &User, before: Option<i64>, after: Option<i64>) -> Result<()> {
    let facts = |level: Option<i64>| {
        level.map(|level| json!({ "project": project.id, "user": person.login, "permission": word(level) }))
    };
    cx.record(
        project.org_id,
        Change::new("project.update_user_permission", &json!(facts(before)), &json!(facts(after))),
    )
}
