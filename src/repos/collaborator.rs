//! One person of a repository: checking, getting, giving and removing their level.
//!
//! Implements decisions 21 (no suspended user is added), 30 (levels, and the highest counts), 45 and 47. There are no
//! invitations: a caller who administers a repository gives a level at once, and a user who has a level can leave.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::collaborators::Collaborator;
use super::level::Level;
use super::repo::Repo;
use super::{access, granting};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::members::invitations::refuse_suspended;
use crate::operation::{Cx, Done, Record};
use crate::people::login::Owner;
use crate::people::user::{self, User};
use crate::policy::Granted;

/// The resource that refusals name.
const RESOURCE: &str = "RepositoryCollaborator";

/// Check whether a person has access to a repository. The access that everyone has to a public repository does not
/// count.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Check {
    /// Login of the person.
    pub username: String,
}

/// Checks whether a person has a level on a repository.
pub fn check(cx: &mut Cx, repo: Granted<Repo>, p: Check) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    if access::is_given(cx.tx, person.id, repo.id)? { Ok(Done) } else { Err(Error::NotFound) }
}

/// A person's permission on a repository.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "repository-collaborator-permission")]
pub struct CollaboratorPermission {
    /// `admin`, `write`, `read` or `none`. `maintain` is reported as `write`, `triage` as `read`.
    pub permission: &'static str,
    /// Name of the role: `read`, `triage`, `write`, `maintain` or `admin`; `none` without access.
    pub role_name: &'static str,
    /// The person.
    pub user: Collaborator,
}

/// Get a person's effective permission on a repository, from all sources.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetPermission {
    /// Login of the person.
    pub username: String,
}

/// Gets what a person may do with a repository.
pub fn permission(cx: &mut Cx, repo: Granted<Repo>, p: GetPermission) -> Result<Record<CollaboratorPermission>> {
    let person = user::by_login(cx.tx, &p.username)?;
    let level = Repo::by_id(cx.tx, person.id, repo.id)?.and_then(|repo| repo.level());
    let user = Collaborator::new(cx.links, &person, level);
    Ok(CollaboratorPermission { permission: level.map_or("none", Level::older_name), role_name: user.role_name, user }
        .into())
}

/// Add a collaborator to a repository, or change their permission.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Put {
    /// Login of the person.
    pub username: String,
    /// The permission. Default: `push`.
    #[schemars(extend(
        "enum" = ["pull", "push", "admin", "maintain", "triage"], "default" = "push", "x-function-validates" = true
    ))]
    pub permission: Option<String>,
}

/// Gives a person a level, replacing any other.
pub fn put(cx: &mut Cx, repo: Granted<Repo>, p: Put) -> Result<Done> {
    let level = Level::of(p.permission.as_deref().unwrap_or(Level::Push.word()));
    let level = level.ok_or_else(|| Error::sentence("Validation Failed"))?;
    let person = user::by_login(cx.tx, &p.username)?;
    granting::refuse_on_personal(&repo, level, RESOURCE)?;
    if repo.owner == Owner::User(person.id) {
        return Err(Error::explained(RESOURCE, "custom", "user", "Repository owner cannot be a collaborator"));
    }
    let before = own(cx, &repo, &person)?;
    if before != Some(level) {
        refuse_suspended(cx.tx, &person, RESOURCE)?;
        set(cx, &repo, &person, before, level)?;
    }
    Ok(Done)
}

/// The level that the person was given directly.
pub fn own(cx: &mut Cx, repo: &Repo, person: &User) -> Result<Option<Level>> {
    Ok(cx.tx.maybe(OWN, &[&repo.id, &person.id])?.and_then(Level::of_rank))
}

const OWN: &str = "SELECT level FROM repo_collaborators WHERE repo_id = $1 AND user_id = $2";

/// Gives a person this level instead of the previous one, with the row, the event and the audit entry.
pub fn set(cx: &mut Cx, repo: &Repo, person: &User, before: Option<Level>, level: Level) -> Result<()> {
    let (by, at) = cx.granting()?;
    cx.tx.run(SET, &[&repo.id, &person.id, &level.rank(), &by, &at])?;
    let (repository, member, rank) = (repo.facts(), person.facts(), level.rank());
    let (event, action) = match before.map(Level::rank) {
        None => (Event::CollaboratorAdded { repository, member, level: rank }, "repo.add_member"),
        Some(before) => (Event::CollaboratorChanged { repository, member, before, level: rank }, "repo.update_member"),
    };
    let before = before.map(|before| facts(repo, person, before));
    super::note(cx, repo.owner, Change::new(action, &json!(before), &facts(repo, person, level)), &event)
}

const SET: &str = "
    INSERT INTO repo_collaborators (repo_id, user_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (repo_id, user_id) DO UPDATE
    SET level = excluded.level, granted_by = excluded.granted_by, granted_at = excluded.granted_at";

fn facts(repo: &Repo, person: &User, level: Level) -> serde_json::Value {
    json!({ "repository": repo.id, "user": person.login, "permission": level.word() })
}

/// Remove a collaborator, or yourself, from a repository. Access from other sources stays.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// Login of the person.
    pub username: String,
}

/// Removes the level of a person; nothing happens if they were given none.
pub fn remove(cx: &mut Cx, repo: Granted<Repo>, p: Remove) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    if let Some(before) = own(cx, &repo, &person)? {
        unset(cx, &repo, &person, before)?;
    }
    Ok(Done)
}

/// Removes the level that a person had, with the row, the event and the audit entry.
pub fn unset(cx: &mut Cx, repo: &Repo, person: &User, before: Level) -> Result<()> {
    cx.tx.run(UNSET, &[&repo.id, &person.id])?;
    let event = Event::CollaboratorRemoved { repository: repo.facts(), member: person.facts() };
    let change = Change::new("repo.remove_member", &facts(repo, person, before), &json!(null));
    super::note(cx, repo.owner, change, &event)
}

const UNSET: &str = "DELETE FROM repo_collaborators WHERE repo_id = $1 AND user_id = $2";
