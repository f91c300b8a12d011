//! Memberships of an organization: joining, leaving, and changes in between.
//!
//! Implements decisions 21 (the last active owner stays), 26, 28 (a person who leaves the organization leaves all its
//! teams and loses their levels on its repositories and projects), 29 (what `reinstate` restores), 48 and 50, and the
//! events "invitation accepted" and "removed from org".

use std::collections::BTreeSet;

use serde_json::json;

use super::{ends, groups, invitations, join_requests, levels, roles, seats, security_managers};
use crate::db::{Bind, Bulk};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::operation::Cx;
use crate::people::user::User;
use crate::rows::Fold;

/// Makes a person a member, with the role `admin`, `member` or `billing_manager`. The person is not a member yet. Their
/// open invitations end.
pub fn add(cx: &mut Cx, org: i64, person: &User, role: &str) -> Result<()> {
    invitations::close(cx, org, person.id)?;
    cx.tx.run(INSERT, &[&org, &person.id, &role, &cx.now()?.0])?;
    cx.tx.run("DELETE FROM former_members WHERE org_id = $1 AND user_id = $2", &[&org, &person.id])?;
    let after = json!({ "user": person.login, "role": role });
    let joined = Event::PersonJoined { person: person.facts(), role: role.to_owned() };
    let change = Change::new("org.add_member", &json!(null), &after).with_event(&joined);
    let listed = Fold::Person { user: person.id, owner: role == "admin", public: false };
    cx.record(org, if role == "billing_manager" { change } else { change.folded(&listed) })?;
    groups::follow(cx, org, &BTreeSet::from([person.id]))
}

/// A billing manager already has a row.
const INSERT: &str = "
    INSERT INTO org_members (org_id, user_id, role, is_public, created_at) VALUES ($1, $2, $3, FALSE, $4)
    ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role, created_at = excluded.created_at";

/// Makes a person the first owner of a new organization. The event of its creation covers this.
pub fn add_first_owner(cx: &mut Cx, org: i64, owner: &User) -> Result<()> {
    cx.tx.run(INSERT, &[&org, &owner.id, &"admin", &cx.now()?.0])?;
    let member = json!({ "user": owner.login, "role": "admin" });
    let listed = Fold::Person { user: owner.id, owner: true, public: false };
    cx.record(org, Change::new("org.add_member", &json!(null), &member).folded(&listed))
}

/// Changes a member's role, which only the audit log records; 422 for the last active owner.
pub fn set_role(cx: &mut Cx, org: i64, person: &User, (from, to): (&str, &str)) -> Result<()> {
    roles::refuse_stale_session(cx, &[from, to])?;
    roles::keep_an_owner(cx, org, person.id)?;
    let public: bool = cx.tx.run_one(SET_ROLE, &[&org, &person.id, &to])?;
    if from == "admin" {
        ends::release(cx.tx, org, person.id)?;
    }
    let state = |role: &str| json!({ "user": person.login, "role": role });
    let listed = Fold::Person { user: person.id, owner: to == "admin", public };
    cx.record(org, Change::new("org.update_member", &state(from), &state(to)).folded(&listed))
}

const SET_ROLE: &str = "
    UPDATE org_members SET role = $3 WHERE org_id = $1 AND user_id = $2 RETURNING is_public";

/// Makes the membership of an owner or another member visible to everyone or to members only.
pub fn set_public(cx: &mut Cx, org: i64, person: &User, owner: bool, public: bool) -> Result<()> {
    cx.tx.run(SET_PUBLIC, &[&org, &person.id, &public])?;
    let state = |public: bool| json!({ "user": person.login, "public": public });
    let listed = Fold::Person { user: person.id, owner, public };
    cx.record(org, Change::new("org.update_member", &state(!public), &state(public)).folded(&listed))
}

const SET_PUBLIC: &str = "UPDATE org_members SET is_public = $3 WHERE org_id = $1 AND user_id = $2";

/// Ends a person's membership of an organization and of all its teams, their role there, and their levels on its
/// repositories and projects; 404 if there is no membership, 422 for the last active owner. Their open invitations end
/// too.
pub fn remove(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    leave(cx, org, person, true)
}

/// The same, but the person keeps the levels that they were given on repositories.
pub fn convert(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    leave(cx, org, person, false)
}

fn leave(cx: &mut Cx, org: i64, person: &User, leaves_repos: bool) -> Result<()> {
    let role = roles::role_of(cx.tx, org, person.id)?.ok_or(Error::NotFound)?;
    roles::refuse_stale_session(cx, &[role])?;
    roles::keep_an_owner(cx, org, person.id)?;
    invitations::close(cx, org, person.id)?;
    seats::remove_all_of(cx, org, person)?;
    join_requests::forget_all_of(cx.tx, org, person.id)?;
    security_managers::dismiss(cx, org, person)?;
    levels::end_on_projects(cx, org, person)?;
    if leaves_repos {
        levels::end_on_repos(cx, org, person)?;
    }
    cx.tx.run(REMEMBER, &[&org, &person.id, &role, &cx.now()?.0])?;
    cx.tx.run("DELETE FROM org_members WHERE org_id = $1 AND user_id = $2", &[&org, &person.id])?;
    groups::forget(cx.tx, org, person.id)?;
    let before = json!({ "user": person.login, "role": role });
    let left = Event::PersonLeft { person: person.facts(), role: role.to_owned() };
    let change = Change::new("org.remove_member", &before, &json!(null)).with_event(&left);
    cx.record(org, change.folded(&Fold::PersonGone { user: person.id }))
}

const REMEMBER: &str = "
    INSERT INTO former_members (org_id, user_id, role, left_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role, left_at = excluded.left_at";

/// A membership: person, role and whether it is public.
pub type Joining = (i64, &'static str, bool);

/// Adds the memberships in a file to a new organization. The end of its load records everything once.
pub fn import(cx: &mut Cx, org: i64, joining: &[Joining]) -> Result<()> {
    let now = cx.now()?.0;
    let row = |(user, role, public)| -> [&dyn Bind; 5] { [&org, user, role, public, &now] };
    let rows: Vec<_> = joining.iter().map(|(user, role, public)| row((user, role, public))).collect();
    INSERT_ALL.run(cx.tx, &rows)
}

static INSERT_ALL: Bulk<5> =
    Bulk::new("INSERT INTO org_members (org_id, user_id, role, is_public, created_at) VALUES {rows}");
