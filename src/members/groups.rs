//! Teams that follow groups of an identity provider: their members change with the groups.
//!
//! Implements behavior rule 7 and decision 48. While the plan includes synchronization, the members of a synchronized
//! team are exactly the people of its groups who are members of the organization and whom the provider has named since
//! they joined.

use std::collections::{BTreeMap, BTreeSet};

use super::{seats, synced};
use crate::db::{ByIds, Tx, by_ids};
use crate::error::Result;
use crate::journal::Change;
use crate::operation::Cx;
use crate::people::user;

/// The people who are in each team, or should be.
type Seats = BTreeMap<i64, BTreeSet<i64>>;

/// Adds these people to every synchronized team that their groups are linked to, and removes them from all others.
/// Suspended people are removed but not added. Does nothing while the plan does not include synchronization.
pub fn follow(cx: &mut Cx, org: i64, people: &BTreeSet<i64>) -> Result<()> {
    if people.is_empty() || !synced::is_offered(cx.tx, org)? {
        return Ok(());
    }
    let people: Vec<i64> = people.iter().copied().collect();
    let wanted = places(cx.tx, org, &WANTED, &people)?;
    let present = places(cx.tx, org, &PRESENT, &people)?;
    let teams: BTreeSet<i64> = wanted.keys().chain(present.keys()).copied().collect();
    let none = BTreeSet::new();
    for team in teams {
        let (wanted, present) = (wanted.get(&team).unwrap_or(&none), present.get(&team).unwrap_or(&none));
        let new: Vec<i64> = wanted.difference(present).copied().collect();
        let gone: Vec<i64> = present.difference(wanted).copied().collect();
        if new.is_empty() && gone.is_empty() {
            continue;
        }
        let facts = seats::facts(cx.tx, team)?;
        let (mut new, gone) = (user::by_ids(cx.tx, &new)?, user::by_ids(cx.tx, &gone)?);
        // They are added when their suspension ends (decision 21).
        new.retain(|person| !person.suspended);
        seats::add_synced(cx, org, &facts, &new)?;
        seats::remove_synced(cx, org, &facts, &gone)?;
    }
    Ok(())
}

fn places(tx: &mut Tx, org: i64, statement: &'static ByIds, people: &[i64]) -> Result<Seats> {
    let rows: Vec<(i64, i64, i64)> = by_ids(tx, statement, people)?;
    let mut seats = Seats::new();
    for (_, team, user) in rows.into_iter().filter(|(of, ..)| *of == org) {
        seats.entry(team).or_default().insert(user);
    }
    Ok(seats)
}

/// CROSS JOIN fixes the join order here and below: it begins with the few records of a person.
static WANTED: ByIds = ByIds::new(
    "SELECT s.org_id, g.team_id, s.user_id
     FROM scim_users s CROSS JOIN scim_group_members m CROSS JOIN team_groups g CROSS JOIN org_members o
     WHERE s.user_id IN ({ids}) AND m.member_id = s.id AND m.named = TRUE AND g.group_id = m.group_id
       AND o.org_id = s.org_id AND o.user_id = s.user_id AND o.role <> 'billing_manager'",
);

static PRESENT: ByIds = ByIds::new(
    "SELECT t.org_id, m.team_id, m.user_id
     FROM team_members m CROSS JOIN teams t
     WHERE m.user_id IN ({ids}) AND t.id = m.team_id AND EXISTS (SELECT 1 FROM team_groups g WHERE g.team_id = t.id)",
);

/// Does the same for everyone in the groups of an organization's synchronized teams or in one of these teams. Used when
/// the plan includes synchronization again.
pub fn follow_all(cx: &mut Cx, org: i64) -> Result<()> {
    let people: Vec<i64> = cx.tx.all(CONCERNED, &[&org])?;
    follow(cx, org, &people.into_iter().collect())
}

const CONCERNED: &str = "
    SELECT s.user_id
    FROM teams t CROSS JOIN team_groups g CROSS JOIN scim_group_members m CROSS JOIN scim_users s
    WHERE t.org_id = $1 AND g.team_id = t.id AND m.group_id = g.group_id AND s.id = m.member_id AND s.user_id IS NOT NULL
    UNION
    SELECT m.user_id
    FROM teams t CROSS JOIN team_members m
    WHERE t.org_id = $1 AND m.team_id = t.id AND EXISTS (SELECT 1 FROM team_groups g WHERE g.team_id = t.id)";

/// The organization whose provider has deactivated this account, if it manages the account, which is still a member.
pub fn deactivated_by(tx: &mut Tx, user: i64) -> Result<Option<String>> {
    tx.maybe(DEACTIVATED_BY, &[&user])
}

const DEACTIVATED_BY: &str = "
    SELECT o.login
    FROM managed_accounts a
    JOIN scim_users s ON s.user_id = a.user_id AND s.org_id = a.org_id
    JOIN org_members m ON m.org_id = a.org_id AND m.user_id = a.user_id
    JOIN orgs o ON o.id = a.org_id
    WHERE a.user_id = $1 AND s.active = FALSE LIMIT 1";

/// Records that a person left the organization: their record is no longer active, and no group adds them to a team
/// until the provider names them again.
pub fn forget(tx: &mut Tx, org: i64, user: i64) -> Result<()> {
    let record: Option<i64> = tx.maybe(RECORD, &[&user, &org])?;
    if let Some(record) = record {
        tx.run("UPDATE scim_users SET active = FALSE WHERE id = $1", &[&record])?;
        tx.run("UPDATE scim_group_members SET named = FALSE WHERE member_id = $1", &[&record])?;
    }
    Ok(())
}

const RECORD: &str = "SELECT id FROM scim_users WHERE user_id = $1 AND org_id = $2";

/// Links the provider's record that was offered to this person to their account, because they accepted (decision 49).
pub fn tie(cx: &mut Cx, org: i64, user: &user::User) -> Result<()> {
    let Some(record): Option<i64> = cx.tx.maybe(OFFERED, &[&user.id, &org])? else { return Ok(()) };
    if cx.tx.any(RECORD, &[&user.id, &org])? {
        return Ok(());
    }
    cx.tx.run("UPDATE scim_users SET user_id = $2, offered_to = NULL WHERE id = $1", &[&record, &user.id])?;
    let after = serde_json::json!({ "user": user.login, "record": record });
    cx.record(org, Change::new("scim.accept_user", &serde_json::json!(null), &after))?;
    follow(cx, org, &BTreeSet::from([user.id]))
}

const OFFERED: &str = "
    SELECT id FROM scim_users WHERE offered_to = $1 AND org_id = $2 AND user_id IS NULL AND active IS NOT FALSE
    ORDER BY id LIMIT 1";
