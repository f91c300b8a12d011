//! What it takes that somebody is a direct member of a team, has another role there, or is one no longer.
//!
//! The only place that writes memberships: row, count, derived state, event and audit go together (decisions 16, 24,
//! 26, 28, 45 and 47). Who may, and whether it is so already, is the callers' question; but a team that follows groups
//! of a provider is changed by them alone (decision 48).

use serde::Serialize;
use serde_json::json;

use super::{changes, synced};
use crate::db::{Bind, Bulk, Tx};
use crate::derived::Change;
use crate::error::Result;
use crate::events::{self, Event, TeamFacts};
use crate::operation::Cx;
use crate::people::user::User;

/// Makes an active member of the organization, who is not in the team yet, a direct member of the team.
pub fn activate(cx: &mut Cx, org: i64, team: TeamFacts, person: &User, role: &str) -> Result<()> {
    let id = team.id;
    synced::refuse_hands(cx.tx, id)?;
    cx.tx.run(INSERT, &[&id, &person.id, &role])?;
    cx.tx.run(COUNT, &[&id, &1_i64])?;
    let change = Change::Member { team: id, user: person.id, maintainer: role == "maintainer" };
    changes::log(cx.tx, org, &[change])?;
    events::emit(cx, org, &Event::MemberAdded { team, member: person.facts() })?;
    events::record(cx, org, "team.add_member", &(), &Seat { team: id, user: &person.login, role })
}

/// A team as an event shows it.
pub(super) fn facts(tx: &mut Tx, team: i64) -> Result<TeamFacts> {
    tx.one(FACTS, &[&team])
}

const FACTS: &str = "
    SELECT id, name, slug, description, privacy, permission, notification_setting, parent_id
    FROM teams WHERE id = $1";

/// A direct membership as the audit shows it.
#[derive(Serialize)]
struct Seat<'a> {
    team: i64,
    user: &'a str,
    role: &'a str,
}

const INSERT: &str = "INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, $3)";

const COUNT: &str = "UPDATE team_counts SET members = members + $2 WHERE team_id = $1";

/// Gives a direct member of the team another stored role, of which nobody but the audit hears.
pub fn set_role(cx: &mut Cx, org: i64, team: i64, person: &User, (from, to): (&str, &str)) -> Result<()> {
    synced::refuse_hands(cx.tx, team)?;
    cx.tx.run(SET_ROLE, &[&team, &person.id, &to])?;
    let change = Change::Member { team, user: person.id, maintainer: to == "maintainer" };
    changes::log(cx.tx, org, &[change])?;
    let seat = |role| Seat { team, user: &person.login, role };
    events::record(cx, org, "team.update_member", &seat(from), &seat(to))
}

const SET_ROLE: &str = "UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2";

/// Ends the direct membership of somebody who is in the team.
pub fn end(cx: &mut Cx, org: i64, team: &TeamFacts, person: &User) -> Result<()> {
    synced::refuse_hands(cx.tx, team.id)?;
    let (role,): (String,) = cx.tx.one(DELETE, &[&team.id, &person.id])?;
    cx.tx.run(COUNT, &[&team.id, &-1_i64])?;
    changes::log(cx.tx, org, &[Change::MemberGone { team: team.id, user: person.id }])?;
    events::emit(cx, org, &Event::MemberRemoved { team: team.clone(), member: person.facts() })?;
    let before = Seat { team: team.id, user: &person.login, role: &role };
    events::record(cx, org, "team.remove_member", &before, &())
}

const DELETE: &str = "DELETE FROM team_members WHERE team_id = $1 AND user_id = $2 RETURNING role";

/// More changes than this of one team are not logged one by one: the derived state is loaded anew.
const MANY: usize = 500;

/// Makes people direct members of a team that follows groups, because their groups say so.
pub fn enter(cx: &mut Cx, org: i64, team: &TeamFacts, people: &[User]) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    let rows: Vec<[&dyn Bind; 3]> =
        people.iter().map(|person| [&team.id as &dyn Bind, &person.id, &"member"]).collect();
    INSERT_ALL.run(cx.tx, &rows)?;
    cx.tx.run(COUNT, &[&team.id, &number(people)])?;
    let entered = |person: &User| Change::Member { team: team.id, user: person.id, maintainer: false };
    log(cx, org, people.iter().map(entered).collect())?;
    let added = |person: &User| Event::MemberAdded { team: team.clone(), member: person.facts() };
    events::emit_all(cx, org, &people.iter().map(added).collect::<Vec<_>>())?;
    let after = json!({ "team": team.id, "users": logins(people), "role": "member" });
    events::record(cx, org, "team.add_member", &json!(null), &after)
}

static INSERT_ALL: Bulk<3> = Bulk::new("INSERT INTO team_members (team_id, user_id, role) VALUES {rows}");

/// Ends the direct membership of people in a team that follows groups, because no group of it has them any more.
pub fn depart(cx: &mut Cx, org: i64, team: &TeamFacts, people: &[User]) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    for person in people {
        cx.tx.run("DELETE FROM team_members WHERE team_id = $1 AND user_id = $2", &[&team.id, &person.id])?;
    }
    cx.tx.run(COUNT, &[&team.id, &-number(people)])?;
    log(cx, org, people.iter().map(|person| Change::MemberGone { team: team.id, user: person.id }).collect())?;
    let removed = |person: &User| Event::MemberRemoved { team: team.clone(), member: person.facts() };
    events::emit_all(cx, org, &people.iter().map(removed).collect::<Vec<_>>())?;
    let before = json!({ "team": team.id, "users": logins(people) });
    events::record(cx, org, "team.remove_member", &before, &json!(null))
}

fn log(cx: &mut Cx, org: i64, all: Vec<Change>) -> Result<()> {
    if all.len() > MANY { changes::everything(cx.tx, org) } else { changes::log(cx.tx, org, &all) }
}

fn number(people: &[User]) -> i64 {
    i64::try_from(people.len()).unwrap_or(0)
}

fn logins(people: &[User]) -> Vec<&str> {
    people.iter().map(|person| person.login.as_str()).collect()
}
