//! Direct memberships of teams: adding members, changing their roles and removing them.
//!
//! The row, the count and the journal entry change together (decisions 16, 24, 26, 28, 45, 47, 50 and 64). The caller
//! checks permissions and whether there is anything to change. A team that follows groups of a provider is changed only
//! by its groups (decision 48).

use serde::Serialize;
use serde_json::json;

use super::end_time::{EndTime, mail_at};
use super::{counts, join_requests, synced};
use crate::clock::Time;
use crate::db::{Bind, Bulk, Tx, select};
use crate::error::{Error, Result};
use crate::journal::{Author, Change, Event, TeamFacts};
use crate::operation::Cx;
use crate::people::user::User;
use crate::rows::{Fold, TeamRow};

/// The stored role of a direct member, and the end of the membership, if it has one.
pub type Held<'a> = (&'a str, Option<Time>);

/// Adds an active member of the organization, who is not in the team yet, as a direct member of the team.
pub fn add(cx: &mut Cx, org: i64, team: TeamFacts, person: &User, (role, end): Held) -> Result<()> {
    let id = team.id;
    synced::refuse_manual_change(cx.tx, id)?;
    cx.tx.run(INSERT, &[&id, &person.id, &role])?;
    if end.is_some() {
        store_end(cx, id, person, end)?;
    }
    counts::add(cx.tx, id, 1)?;
    let member = Fold::Member { team: id, user: person.id, maintainer: role == "maintainer" };
    let added = Change::new("team.add_member", &(), &Seat::of(&team, person, (role, end)));
    let added = if end.is_some() { added.moving_ends() } else { added };
    cx.record(org, added.with_event(&Event::MemberAdded { team, member: person.facts() }).folded(&member))
}

/// A team as an event shows it.
pub fn facts(tx: &mut Tx, team: i64) -> Result<TeamFacts> {
    TeamFacts::by_id(tx, team)?.ok_or_else(|| Error::Bug(format!("there is no team {team}")))
}

/// A direct membership as the audit log shows it.
#[derive(Serialize)]
struct Seat<'a> {
    team: i64,
    /// The slug at that time: the audit log also shows teams that are gone.
    team_slug: &'a str,
    user: &'a str,
    role: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<EndTime>,
}

impl<'a> Seat<'a> {
    fn of(team: &'a TeamFacts, person: &'a User, (role, end): Held<'a>) -> Self {
        Self { team: team.id, team_slug: &team.slug, user: &person.login, role, expires_at: end.map(EndTime) }
    }
}

/// Team, person and role of a direct membership.
pub type SeatRow = (i64, i64, &'static str);

const INSERT: &str = "INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, $3)";

/// Changes the stored role of a direct member of the team, and the end of the membership, which only the audit log
/// records.
pub fn update(cx: &mut Cx, org: i64, of: &TeamFacts, person: &User, (from, to): (Held, Held)) -> Result<()> {
    let team = of.id;
    synced::refuse_manual_change(cx.tx, team)?;
    cx.tx.run(SET_ROLE, &[&team, &person.id, &to.0])?;
    let change = Fold::Member { team, user: person.id, maintainer: to.0 == "maintainer" };
    let (before, after) = (Seat::of(of, person, from), Seat::of(of, person, to));
    let mut change = Change::new("team.update_member", &before, &after).folded(&change);
    if from.1 != to.1 {
        store_end(cx, team, person, to.1)?;
        change = change.moving_ends();
    }
    cx.record(org, change)
}

fn store_end(cx: &mut Cx, team: i64, person: &User, end: Option<Time>) -> Result<()> {
    let mail_at = mail_at(end, cx.now()?);
    cx.tx.run(SET_END, &[&team, &person.id, &end.map(|end| end.0), &mail_at]).map(drop)
}

const SET_END: &str = "
    UPDATE team_members SET expires_at = $3, end_held = FALSE, end_mail_at = $4 WHERE team_id = $1 AND user_id = $2";

const SET_ROLE: &str = "UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2";

/// Ends the direct membership of a person who is in the team.
pub fn remove(cx: &mut Cx, org: i64, team: &TeamFacts, person: &User) -> Result<()> {
    synced::refuse_manual_change(cx.tx, team.id)?;
    let author = cx.author()?;
    end(cx.tx, &author, org, team, person)
}

/// The same for this author, also if its time has come.
pub(super) fn end(tx: &mut Tx, author: &Author<'_>, org: i64, team: &TeamFacts, person: &User) -> Result<()> {
    let (role, end): (String, Option<i64>) = tx.run_one(DELETE, &[&team.id, &person.id])?;
    counts::add(tx, team.id, -1)?;
    join_requests::forget(tx, team.id, person.id)?;
    let removed = Change::new("team.remove_member", &Seat::of(team, person, (&role, end.map(Time))), &())
        .with_event(&Event::MemberRemoved { team: team.clone(), member: person.facts() })
        .folded(&Fold::MemberGone { team: team.id, user: person.id });
    author.record(tx, org, if end.is_some() { removed.moving_ends() } else { removed })
}

const DELETE: &str = "DELETE FROM team_members WHERE team_id = $1 AND user_id = $2 RETURNING role, expires_at";

/// Ends the direct memberships of a person who leaves the organization, with one entry each.
pub(super) fn remove_all_of(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    let held: Vec<(TeamRow, String, Option<i64>)> = cx.tx.all(HELD, &[&person.id, &org])?;
    cx.tx.run(COUNT_HELD, &[&person.id, &org])?;
    cx.tx.run(DELETE_HELD, &[&person.id, &org])?;
    for (team, role, end) in held {
        let team = team.facts();
        let removed = Change::new("team.remove_member", &Seat::of(&team, person, (&role, end.map(Time))), &())
            .with_event(&Event::MemberRemoved { team: team.clone(), member: person.facts() })
            .folded(&Fold::MemberGone { team: team.id, user: person.id });
        cx.record(org, removed)?;
    }
    Ok(())
}

/// CROSS JOIN fixes the order: it begins with the few memberships of a person, not with the many teams.
const HELD: &str = select!(TeamRow, "m.role, m.expires_at" from
    "team_members m CROSS JOIN teams t
     WHERE t.id = m.team_id AND m.user_id = $1 AND t.org_id = $2 ORDER BY m.team_id");

const COUNT_HELD: &str = "
    UPDATE team_counts SET members = members - 1
    WHERE team_id IN
        (SELECT t.id FROM team_members m CROSS JOIN teams t WHERE t.id = m.team_id AND m.user_id = $1 AND t.org_id = $2)";

const DELETE_HELD: &str = "
    DELETE FROM team_members
    WHERE user_id = $1 AND team_id IN
        (SELECT t.id FROM team_members m CROSS JOIN teams t WHERE t.id = m.team_id AND m.user_id = $1 AND t.org_id = $2)";

/// Ends the memberships of a team that is about to be deleted, and returns its members by id. The entry of the deletion
/// covers them.
pub fn remove_all_in(tx: &mut Tx, team: i64) -> Result<Vec<User>> {
    let people = tx.all(PEOPLE, &[&team])?;
    tx.run("DELETE FROM team_members WHERE team_id = $1", &[&team])?;
    Ok(people)
}

const PEOPLE: &str =
    select!(User from "team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 ORDER BY m.user_id");

/// Above this number of changes to one team, memory reloads the organization instead of folding each change.
const MANY: usize = 500;

/// Adds people of its groups to a team that follows groups.
pub(super) fn add_synced(cx: &mut Cx, org: i64, team: &TeamFacts, people: &[User]) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    let rows: Vec<SeatRow> = people.iter().map(|person| (team.id, person.id, "member")).collect();
    insert_all(cx.tx, &rows)?;
    counts::add(cx.tx, team.id, number(people))?;
    let after = json!({ "team": team.id, "team_slug": team.slug, "users": logins(people), "role": "member" });
    let added = |person: &User| {
        let fold = Fold::Member { team: team.id, user: person.id, maintainer: false };
        (fold, Event::MemberAdded { team: team.clone(), member: person.facts() })
    };
    record(cx, org, Change::new("team.add_member", &json!(null), &after), people.iter().map(added).collect())
}

/// Removes people from a team that follows groups, because none of its groups contains them any more.
pub(super) fn remove_synced(cx: &mut Cx, org: i64, team: &TeamFacts, people: &[User]) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    for person in people {
        cx.tx.run("DELETE FROM team_members WHERE team_id = $1 AND user_id = $2", &[&team.id, &person.id])?;
    }
    counts::add(cx.tx, team.id, -number(people))?;
    let before = json!({ "team": team.id, "team_slug": team.slug, "users": logins(people) });
    let removed = |person: &User| {
        let fold = Fold::MemberGone { team: team.id, user: person.id };
        (fold, Event::MemberRemoved { team: team.clone(), member: person.facts() })
    };
    record(cx, org, Change::new("team.remove_member", &before, &json!(null)), people.iter().map(removed).collect())
}

/// Records one audit entry for all these people, and an event and a fold for each. If there are many, memory reloads
/// instead of folding.
fn record(cx: &mut Cx, org: i64, change: Change, each: Vec<(Fold, Event)>) -> Result<()> {
    let many = each.len() > MANY;
    for (fold, event) in &each {
        let change = Change::of(event);
        cx.record(org, if many { change } else { change.folded(fold) })?;
    }
    cx.record(org, if many { change.reloading() } else { change })
}

fn number(people: &[User]) -> i64 {
    i64::try_from(people.len()).unwrap_or(0)
}

fn logins(people: &[User]) -> Vec<&str> {
    people.iter().map(|person| person.login.as_str()).collect()
}

/// Adds the memberships in a file to the teams of a new organization. The end of its load counts them and records
/// everything once.
pub fn import(tx: &mut Tx, mut all: Vec<SeatRow>) -> Result<()> {
    // Inserting in the order of the table's key is several times as fast.
    all.sort_unstable();
    insert_all(tx, &all)
}

fn insert_all(tx: &mut Tx, all: &[SeatRow]) -> Result<()> {
    let rows: Vec<[&dyn Bind; 3]> = all.iter().map(|(team, user, role)| [team as &dyn Bind, user, role]).collect();
    INSERT_ALL.run(tx, &rows)
}

static INSERT_ALL: Bulk<3> = Bulk::new("INSERT INTO team_members (team_id, user_id, role) VALUES {rows}");
