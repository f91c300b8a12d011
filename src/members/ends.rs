//! Memberships of teams that end (decision 64; docs/decisions/0037).
//!
//! The store ends a membership before it answers a request at or after that time, in a transaction of its own. So nothing
//! else that reads memberships knows of ends. The row of an owner stays: it is held until the person is no owner any more.

use serde_json::{Value, json};

use super::end_time::EndTime;
use super::seats;
use crate::clock::Time;
use crate::db::{Cacheable, Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::{self, Author, Change, Event, TeamFacts};
use crate::operation::{Cx, Patch};
use crate::people::user;

/// The number of memberships that are ended or announced in one transaction.
const STEP: i64 = 100;

/// The end that a request asks for, as its time allows it.
pub fn wanted(cx: &Cx, asked: Patch<String>) -> Result<Patch<Time>> {
    Ok(match asked {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(text) => Patch::Value(EndTime::wanted(&text, cx.now()?)?.0),
    })
}

/// True if a membership is due to end, on this snapshot and at this time.
pub fn is_due(tx: &mut Tx, now: Time) -> Result<bool> {
    let next = tx.found(b"", |tx| tx.maybe(NEXT, &[]).map(NextEnd))?;
    Ok(next.0.is_some_and(|at| at <= now.0))
}

const NEXT: &str = "
    SELECT expires_at FROM team_members WHERE expires_at IS NOT NULL AND end_held = FALSE
    ORDER BY expires_at LIMIT 1";

/// The earliest end of a membership that is not held. Every change of it is recorded with [`Change::moving_ends`], or
/// changes more than members of teams.
#[derive(PartialEq, Eq)]
struct NextEnd(Option<i64>);

impl Cacheable for NextEnd {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// Ends up to a hundred memberships that are due at this time. Returns true if there may be more.
pub fn end(tx: &mut Tx, key: &[u8; 32], now: Time) -> Result<bool> {
    let author = &Author::program(key, now, "expiry");
    let due: Vec<Place> = tx.all(DUE, &[&author.at.0, &STEP])?;
    lock(tx, &due)?;
    for (org, team, user) in &due {
        // Another node may have ended it, or a request may have moved its end, before the lock was taken.
        let owner: Option<bool> = tx.maybe(IS_OWNERS, &[team, user, &author.at.0])?;
        match owner {
            None => {}
            Some(true) => hold(tx, *team, *user)?,
            Some(false) => {
                let person = user::by_id(tx, *user)?.ok_or_else(|| Error::Bug(format!("there is no user {user}")))?;
                let team = seats::facts(tx, *team)?;
                seats::end(tx, author, *org, &team, &person)?;
            }
        }
    }
    Ok(i64::try_from(due.len()).is_ok_and(|ended| ended == STEP))
}

/// Organization, team and person of a membership.
type Place = (i64, i64, i64);

fn lock(tx: &mut Tx, places: &[Place]) -> Result<()> {
    let journals: Vec<Lock> = places.iter().map(|(org, ..)| Lock::Journal(*org)).collect();
    journal::lock(tx, &journals)
}

const DUE: &str = "
    SELECT t.org_id, m.team_id, m.user_id
    FROM team_members m CROSS JOIN teams t
    WHERE m.expires_at IS NOT NULL AND m.end_held = FALSE AND m.expires_at <= $1 AND t.id = m.team_id
    ORDER BY m.expires_at LIMIT $2";

const IS_OWNERS: &str = "
    SELECT EXISTS (SELECT 1 FROM org_members o WHERE o.org_id = t.org_id AND o.user_id = m.user_id AND o.role = 'admin')
    FROM team_members m CROSS JOIN teams t
    WHERE m.team_id = $1 AND m.user_id = $2 AND m.end_held = FALSE AND m.expires_at <= $3 AND t.id = m.team_id";

fn hold(tx: &mut Tx, team: i64, user: i64) -> Result<()> {
    tx.run("UPDATE team_members SET end_held = TRUE WHERE team_id = $1 AND user_id = $2", &[&team, &user])?;
    tx.outdate_found();
    Ok(())
}

/// Lets the memberships of a person end who is no owner of the organization any more. The change of the role is recorded
/// by the caller.
pub(super) fn release(tx: &mut Tx, org: i64, user: i64) -> Result<()> {
    tx.run(RELEASE, &[&user, &org]).map(drop)
}

const RELEASE: &str = "
    UPDATE team_members SET end_held = FALSE
    WHERE user_id = $1 AND end_held = TRUE AND team_id IN (SELECT id FROM teams WHERE org_id = $2)";

/// Makes all memberships of a team unlimited, because it follows groups from now on. Writes its audit entry.
pub fn clear(cx: &mut Cx, org: i64, team: &TeamFacts) -> Result<()> {
    let limited: Vec<(String, i64)> = cx.tx.all(LIMITED, &[&team.id])?;
    if limited.is_empty() {
        return Ok(());
    }
    cx.tx.run(CLEAR, &[&team.id])?;
    let ends = |(user, at): &(String, i64)| json!({ "user": user, "expires_at": EndTime(Time(*at)) });
    let ends: Vec<Value> = limited.iter().map(ends).collect();
    let users: Vec<&str> = limited.iter().map(|(user, _)| user.as_str()).collect();
    let before = json!({ "team": team.id, "team_slug": team.slug, "users": ends });
    let after = json!({ "team": team.id, "team_slug": team.slug, "users": users });
    cx.record(org, Change::new("team.update_member", &before, &after).moving_ends())
}

const LIMITED: &str = "
    SELECT u.login, m.expires_at FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND m.expires_at IS NOT NULL ORDER BY m.user_id";

const CLEAR: &str = "
    UPDATE team_members SET expires_at = NULL, end_held = FALSE, end_mail_at = NULL
    WHERE team_id = $1 AND expires_at IS NOT NULL";

/// True if the e-mail that announces an end is due.
pub fn is_announcement_due(tx: &mut Tx, now: Time) -> Result<bool> {
    tx.any(ANNOUNCED, &[&now.0, &1_i64])
}

/// Records the announcements of up to a hundred ends. The others wait for the next call.
pub fn announce(tx: &mut Tx, author: &Author<'_>) -> Result<()> {
    let due: Vec<Place> = tx.all(ANNOUNCED, &[&author.at.0, &STEP])?;
    lock(tx, &due)?;
    for (org, team, user) in due {
        // Another node may have recorded it, or a request may have moved the end, before the lock was taken.
        let Some((expires_at,)) = tx.run_all::<(i64,)>(ANNOUNCE, &[&team, &user, &author.at.0])?.pop() else {
            continue;
        };
        author.record(tx, org, Change::of(&Event::MembershipEnds { team, user, expires_at }))?;
    }
    Ok(())
}

const ANNOUNCED: &str = "
    SELECT t.org_id, m.team_id, m.user_id
    FROM team_members m CROSS JOIN teams t
    WHERE m.end_mail_at IS NOT NULL AND m.end_mail_at <= $1 AND t.id = m.team_id
    ORDER BY m.end_mail_at LIMIT $2";

const ANNOUNCE: &str = "
    UPDATE team_members SET end_mail_at = NULL WHERE team_id = $1 AND user_id = $2 AND end_mail_at <= $3
    RETURNING expires_at";
