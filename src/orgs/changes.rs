//! The log of what changes in an organization's people and tree, and the version that it raises: by these the
//! derived state in memory knows what is new (house section 16).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::db::{Kept, Tx};
use crate::derived::Change;
use crate::error::Result;

/// How many changes are kept; a derived state that is older is loaded anew.
const KEPT: i64 = 10_000;

/// Logs changes, in order; each raises the version by one.
pub fn log(tx: &mut Tx, org: i64, changes: &[Change]) -> Result<()> {
    let Ok(count) = i64::try_from(changes.len()) else { return Ok(()) };
    if count == 0 {
        return Ok(());
    }
    let key = org.to_be_bytes();
    let before = tx.kept::<Version>(&key);
    // With RETURNING, SQLite would fill a temporary table for the one number.
    tx.run(RAISE, &[&org, &count])?;
    let last = match before {
        Some(before) => before.0 + count,
        None => version(tx, org)?,
    };
    tx.keep(&key, &Arc::new(Version(last)));
    let first = last - count + 1;
    for (version, change) in (first..).zip(changes) {
        insert(tx, org, version, change)?;
    }
    if last / KEPT > (first - 1) / KEPT {
        tx.run(FORGET, &[&org, &(last - KEPT)])?;
    }
    Ok(())
}

/// Logs that these teams, each behind its organization, have other numbers of repositories.
pub fn log_grants(tx: &mut Tx, teams: &[(i64, i64)]) -> Result<()> {
    let mut of: BTreeMap<i64, Vec<Change>> = BTreeMap::new();
    for (org, team) in teams {
        of.entry(*org).or_default().push(Change::Grants { team: *team });
    }
    of.iter().try_for_each(|(org, changes)| log(tx, *org, changes))
}

/// The version of an organization, as it was raised last.
struct Version(i64);

impl Kept for Version {
    const READ_FROM: &'static [&'static str] = &["org_versions"];

    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// The version of an organization's people and tree.
pub fn version(tx: &mut Tx, org: i64) -> Result<i64> {
    let found =
        tx.recall(&org.to_be_bytes(), |tx| tx.one::<(i64,)>(VERSION, &[&org]).map(|(version,)| Version(version)))?;
    Ok(found.0)
}

/// Raises the version without saying what changed: the derived state is loaded anew.
pub fn everything(tx: &mut Tx, org: i64) -> Result<()> {
    tx.run("DELETE FROM changes WHERE org_id = $1", &[&org])?;
    tx.run(RAISE, &[&org, &1_i64]).map(|_| ())
}

const RAISE: &str = "UPDATE org_versions SET version = version + $2 WHERE org_id = $1";

const VERSION: &str = "SELECT version FROM org_versions WHERE org_id = $1";

const FORGET: &str = "DELETE FROM changes WHERE org_id = $1 AND version <= $2";

fn insert(tx: &mut Tx, org: i64, version: i64, change: &Change) -> Result<()> {
    let none = None::<i64>;
    let no = None::<bool>;
    match change {
        Change::Member { team, user, maintainer } => tx.run(
            INSERT,
            &[&org, &version, &"member", &Some(*team), &Some(*user), &none, &None::<&str>, &Some(*maintainer), &no],
        ),
        Change::MemberGone { team, user } => tx
            .run(INSERT, &[&org, &version, &"member_gone", &Some(*team), &Some(*user), &none, &None::<&str>, &no, &no]),
        Change::Team { team, parent, name_key, secret } => tx
            .run(INSERT, &[&org, &version, &"team", &Some(*team), &none, parent, &Some(name_key), &Some(*secret), &no]),
        Change::Grants { team } => {
            tx.run(INSERT, &[&org, &version, &"grants", &Some(*team), &none, &none, &None::<&str>, &no, &no])
        }
        Change::TeamGone { team } => {
            tx.run(INSERT, &[&org, &version, &"team_gone", &Some(*team), &none, &none, &None::<&str>, &no, &no])
        }
        Change::Person { user, owner, public } => tx.run(
            INSERT,
            &[&org, &version, &"person", &none, &Some(*user), &none, &None::<&str>, &Some(*owner), &Some(*public)],
        ),
        Change::PersonGone { user } => {
            tx.run(INSERT, &[&org, &version, &"person_gone", &none, &Some(*user), &none, &None::<&str>, &no, &no])
        }
    }
    .map(|_| ())
}

const INSERT: &str = "
    INSERT INTO changes (org_id, version, kind, team_id, user_id, parent_id, name_key, flag, other_flag)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
