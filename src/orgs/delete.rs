//! Deleting an organization with everything that belongs to it (decision 73).
//!
//! Its journal stays for the retention, and its webhooks until they were notified; nothing else of it does. The cascades of
//! the schema delete what belongs to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::org::Org;
use super::record;
use crate::error::Result;
use crate::journal::{self, Change, Event, SITE};
use crate::operation::{Cx, Record};
use crate::people::login;
use crate::policy::Granted;

/// Delete an organization with its teams, grants, repositories, projects, posts, invitations and webhooks. Accounts stay, no
/// other account can have its login, and site administrators can read its audit log.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Nothing.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "deleted")]
pub struct Deleted {}

/// Deletes an organization. The entry comes first, with the numbers of what goes.
pub fn delete(cx: &mut Cx, org: Granted<Org>, _: Delete) -> Result<Record<Deleted, 202>> {
    journal::widen(cx.tx, [SITE])?;
    let (members, teams, repositories, projects): (i64, i64, i64, i64) = cx.tx.one(COUNTS, &[&org.id])?;
    let before = json!({
        "id": org.id,
        "login": org.login,
        "members": members,
        "teams": teams,
        "repositories": repositories,
        "projects": projects,
    });
    let deleted = Change::new("org.delete", &before, &json!(null));
    cx.record(org.id, deleted.with_event(&Event::OrganizationDeleted))?;
    let before = json!({ "id": org.id, "login": org.login });
    cx.record(SITE, Change::new("org.delete", &before, &json!(null)))?;
    let description = record::profile(cx.tx, org.id)?.description;
    let now = cx.now()?.0;
    cx.tx.run(KEEP, &[&org.id, &org.login, &login::key(&org.login), &description, &now])?;
    cx.tx.run(COUNT_FORKS, &[&org.id])?;
    login::leave(cx.tx, &org.login)?;
    cx.tx.run("DELETE FROM orgs WHERE id = $1", &[&org.id])?;
    Ok(Deleted {}.into())
}

const COUNTS: &str = "
    SELECT (SELECT count(*) FROM org_members WHERE org_id = $1), (SELECT count(*) FROM teams WHERE org_id = $1),
           (SELECT count(*) FROM repos WHERE org_id = $1), (SELECT count(*) FROM projects WHERE org_id = $1)";

const KEEP: &str = "
    INSERT INTO deleted_orgs (id, login, login_key, description, deleted_at) VALUES ($1, $2, $3, $4, $5)";

/// The organization may have forked repositories of others.
const COUNT_FORKS: &str = "
    UPDATE repos SET forks_count = forks_count -
        (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id AND f.org_id = $1)
    WHERE id IN (SELECT f.fork_of FROM repos f WHERE f.org_id = $1)";
