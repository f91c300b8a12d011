//! Suspension and deletion of accounts: what site administrators and providers do to people, as far as it touches their
//! organizations.
//!
//! Implements decisions 21 (the last active owner stays; a suspended person keeps their memberships), 22 (a login is
//! never given to another account) and 28 (a person who leaves an organization leaves its teams).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::error::{Error, Result};
use crate::journal::{self, Change, Event};
use crate::members::invitations::ending;
use crate::members::{groups, levels, organization};
use crate::operation::{Cx, Done};
use crate::people::login;
use crate::people::named::{Administered, Person};
use crate::policy::Granted;
use crate::repos::granting;
use crate::repos::repo::Repo;
use crate::signin;

/// Suspend a person. Their tokens stop working; their memberships stay.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Suspend {
    /// Reason, for the audit log.
    pub reason: Option<String>,
}

/// Suspends the account, even that of an organization's last owner: a site administrator must be able to lock out every
/// person, and can let them in again (decision 21 binds providers and organizations). If a provider has suspended the
/// account, the provider can no longer end the suspension.
pub fn suspend(cx: &mut Cx, person: Granted<Person>, p: Suspend) -> Result<Done> {
    let by_provider = cx.tx.run(TAKE_OVER, &[&person.id])? > 0;
    if person.suspended && !by_provider {
        return Ok(Done);
    }
    set_suspended(cx, person.id, true)?;
    let after = json!({ "user": person.login, "reason": p.reason });
    cx.record(journal::SITE, Change::new("user.suspend", &json!(null), &after))?;
    for org in cx.tx.all::<String>(WITHOUT_OWNER, &[&person.id])? {
        tracing::warn!(org, user = %person.login, "an organization has no active owner; make another person its owner");
    }
    Ok(Done)
}

/// The organizations that this person owns and that have no active owner.
const WITHOUT_OWNER: &str = "
    SELECT o.login FROM org_members m JOIN orgs o ON o.id = m.org_id
    WHERE m.user_id = $1 AND m.role = 'admin'
      AND NOT EXISTS (SELECT 1 FROM org_members a JOIN users u ON u.id = a.user_id
                      WHERE a.org_id = m.org_id AND a.role = 'admin' AND u.suspended = FALSE)
    ORDER BY o.login";

const TAKE_OVER: &str = "UPDATE managed_accounts SET suspended = FALSE WHERE user_id = $1 AND suspended = TRUE";

/// Unsuspend a person. An account that an identity provider has deactivated must be reactivated by that provider.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Unsuspend {
    /// Reason, for the audit log.
    pub reason: Option<String>,
}

/// Ends the suspension, unless a provider wants it: otherwise the person would have the memberships that the provider
/// took away.
pub fn unsuspend(cx: &mut Cx, person: Granted<Person>, p: Unsuspend) -> Result<Done> {
    if !person.suspended {
        return Ok(Done);
    }
    if let Some(org) = groups::deactivated_by(cx.tx, person.id)? {
        let text = format!(
            "The identity provider of {org} has deactivated this account. Activate it in the identity provider, or delete its record first: \
             DELETE /scim/v2/organizations/{org}/Users/{{id}}."
        );
        return Err(Error::data("User", text));
    }
    cx.tx.run(TAKE_OVER, &[&person.id])?;
    set_suspended(cx, person.id, false)?;
    let after = json!({ "user": person.login, "reason": p.reason });
    cx.record(journal::SITE, Change::new("user.unsuspend", &json!(null), &after))?;
    Ok(Done)
}

/// Suspends an account, or ends its suspension. No group added it to a team while it was suspended, so this is done
/// now.
pub fn set_suspended(cx: &mut Cx, user: i64, suspended: bool) -> Result<()> {
    cx.tx.run(SET_SUSPENDED, &[&user, &suspended, &cx.now()?.0])?;
    if suspended {
        return signin::end_all(cx.tx, user).map(drop);
    }
    let orgs = orgs_of(cx, user)?;
    orgs.into_iter().try_for_each(|org| groups::follow(cx, org, &BTreeSet::from([user])))
}

const SET_SUSPENDED: &str = "
    UPDATE users
    SET suspended = $2, suspended_at = CASE WHEN CAST($2 AS BOOLEAN) = TRUE THEN CAST($3 AS BIGINT) END,
        updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";

/// The person may have joined or been invited since the locks were taken.
fn ready(cx: &mut Cx, orgs: Vec<i64>) -> Result<Vec<i64>> {
    journal::widen(cx.tx, orgs.iter().copied())?;
    Ok(orgs)
}

/// Every organization that a person is in, by ID.
fn orgs_of(cx: &mut Cx, user: i64) -> Result<Vec<i64>> {
    let orgs: Vec<i64> = cx.tx.all("SELECT org_id FROM org_members WHERE user_id = $1 ORDER BY org_id", &[&user])?;
    ready(cx, orgs)
}

/// Delete a person with their memberships, e-mail addresses and tokens. Their login is never given to another account.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a person with their memberships, e-mail addresses and tokens.
pub fn delete(cx: &mut Cx, person: Granted<Administered>, _: Delete) -> Result<Done> {
    for org in orgs_of(cx, person.id)? {
        organization::remove(cx, org, &person)?;
    }
    let outside: Vec<i64> = cx.tx.all(OUTSIDE, &[&person.id])?;
    for org in ready(cx, outside)? {
        levels::end_on_repos(cx, org, &person)?;
    }
    let inviting: Vec<i64> = cx.tx.all(INVITING, &[&person.id])?;
    for org in ready(cx, inviting)? {
        ending::cancel_of_account(cx, org, person.id)?;
    }
    take_repositories(cx, person.id)?;
    cx.tx.run(COUNT_FORKS, &[&person.id])?;
    login::leave(cx.tx, &person.login)?;
    cx.tx.run("DELETE FROM users WHERE id = $1", &[&person.id])?;
    let before = json!({ "id": person.id, "login": person.login });
    let deleted = Event::UserDeleted { user: person.facts() };
    cx.record(journal::SITE, Change::new("user.delete", &before, &json!(null)).with_event(&deleted))?;
    Ok(Done)
}

/// The organizations on whose repositories a person has a level although they are in none of them.
const OUTSIDE: &str = "
    SELECT DISTINCT r.org_id FROM repo_collaborators c CROSS JOIN repos r
    WHERE c.user_id = $1 AND r.id = c.repo_id AND r.org_id IS NOT NULL ORDER BY r.org_id";

/// Teams may have been granted repositories of the person, which go with them.
fn take_repositories(cx: &mut Cx, person: i64) -> Result<()> {
    let granted: Vec<i64> = cx.tx.all(GRANTED, &[&person])?;
    for id in granted {
        if let Some(repo) = Repo::by_id(cx.tx, person, id)? {
            granting::take_from_all(cx, &repo.facts())?;
        }
    }
    Ok(())
}

const GRANTED: &str = "
    SELECT DISTINCT r.id FROM repos r CROSS JOIN team_repos g WHERE r.user_id = $1 AND g.repo_id = r.id ORDER BY r.id";

/// The person may also have forked repositories of others.
const COUNT_FORKS: &str = "
    UPDATE repos SET forks_count = forks_count -
        (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id AND f.user_id = $1)
    WHERE id IN (SELECT f.fork_of FROM repos f WHERE f.user_id = $1)";

/// An invitation to an e-mail address outlives the account that has the e-mail address.
const INVITING: &str = "SELECT org_id FROM invitations WHERE user_id = $1 AND failed_at IS NULL ORDER BY org_id";
