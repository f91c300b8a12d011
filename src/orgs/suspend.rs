//! The end of an account, for a while or for ever: what site administrators do to people, as far as it touches
//! the organizations that they are in.
//!
//! Keeps decisions 21 (the last active owner stays; who is suspended keeps their memberships), 22 (a login is never
//! given to anybody else) and 28 (leaving an organization is leaving its teams).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::leave::leave;
use super::{changes, invitation_end};
use crate::error::Result;
use crate::events::{self, audit};
use crate::operation::{Cx, Done};
use crate::people::login;
use crate::people::named::{Administered, Person};
use crate::policy::Granted;

/// Suspend a person: their tokens are refused, their memberships stay.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Suspend {
    /// Why, for the audit.
    pub reason: Option<String>,
}

/// Suspends the account, also that of an organization's last owner: a site administrator must be able to lock out
/// whoever it is, and can let them in again (decision 21 binds providers and organizations).
pub fn suspend(cx: &mut Cx, person: Granted<Person>, p: Suspend) -> Result<Done> {
    if person.suspended {
        return Ok(Done);
    }
    set_suspended(cx, &person, true)?;
    let after = json!({ "user": person.login, "reason": p.reason });
    events::record(cx, audit::SITE, "user.suspend", &json!(null), &after)?;
    Ok(Done)
}

/// Let a suspended person in again.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Unsuspend {
    /// Why, for the audit.
    pub reason: Option<String>,
}

/// Ends the suspension.
pub fn unsuspend(cx: &mut Cx, person: Granted<Person>, p: Unsuspend) -> Result<Done> {
    if !person.suspended {
        return Ok(Done);
    }
    set_suspended(cx, &person, false)?;
    let after = json!({ "user": person.login, "reason": p.reason });
    events::record(cx, audit::SITE, "user.unsuspend", &json!(null), &after)?;
    Ok(Done)
}

fn set_suspended(cx: &mut Cx, person: &Person, suspended: bool) -> Result<()> {
    cx.tx.run(SET_SUSPENDED, &[&person.id, &suspended, &cx.now.0])?;
    Ok(())
}

const SET_SUSPENDED: &str = "UPDATE users SET suspended = $2, updated_at = $3 WHERE id = $1";

/// Every organization that somebody is in, by id.
fn orgs_of(cx: &mut Cx, user: i64) -> Result<Vec<i64>> {
    let orgs: Vec<(i64,)> = cx.tx.all("SELECT org_id FROM org_members WHERE user_id = $1 ORDER BY org_id", &[&user])?;
    Ok(orgs.into_iter().map(|(org,)| org).collect())
}

/// Delete a person with their memberships, addresses and tokens. Nobody else ever gets their login.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a person with their memberships, addresses and tokens.
pub fn delete(cx: &mut Cx, person: Granted<Administered>, _: Delete) -> Result<Done> {
    for org in orgs_of(cx, person.id)? {
        leave(cx, org, &person)?;
    }
    let inviting: Vec<(i64,)> = cx.tx.all(INVITING, &[&person.id])?;
    for (org,) in inviting {
        invitation_end::cancel_of_account(cx, org, person.id)?;
    }
    let teams: Vec<(i64, i64)> = cx.tx.all(GRANTED, &[&person.id])?;
    cx.tx.run(COUNT_GRANTS, &[&person.id])?;
    changes::log_grants(cx.tx, &teams)?;
    cx.tx.run(COUNT_FORKS, &[&person.id])?;
    login::leave(cx.tx, &person.login)?;
    cx.tx.run("DELETE FROM users WHERE id = $1", &[&person.id])?;
    let before = json!({ "id": person.id, "login": person.login });
    events::record(cx, audit::SITE, "user.delete", &before, &json!(null))?;
    Ok(Done)
}

/// A team may have been granted repositories of the person, which go with them.
const COUNT_GRANTS: &str = "
    UPDATE team_counts SET repos = repos -
        (SELECT count(*) FROM team_repos g JOIN repos r ON r.id = g.repo_id
         WHERE g.team_id = team_counts.team_id AND r.user_id = $1)
    WHERE team_id IN (SELECT g.team_id FROM repos r JOIN team_repos g ON g.repo_id = r.id WHERE r.user_id = $1)";

const GRANTED: &str = "
    SELECT DISTINCT t.org_id, t.id
    FROM repos r JOIN team_repos g ON g.repo_id = r.id JOIN teams t ON t.id = g.team_id
    WHERE r.user_id = $1";

/// So may others' repositories have been forked by the person.
const COUNT_FORKS: &str = "
    UPDATE repos SET forks_count = forks_count -
        (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id AND f.user_id = $1)
    WHERE id IN (SELECT f.fork_of FROM repos f WHERE f.user_id = $1)";

/// An invitation to an address outlives the account that has it.
const INVITING: &str = "SELECT org_id FROM invitations WHERE user_id = $1 AND failed_at IS NULL ORDER BY org_id";
