//! Teams that follow groups of an identity provider. Only the groups change their members.
//!
//! Implements behavior rule 7 and decision 48.

use std::collections::HashSet;

use crate::db::{Cacheable, Tx};
use crate::error::{Error, Result};

/// True if a team follows groups of a provider.
pub fn is_synced(tx: &mut Tx, team: i64) -> Result<bool> {
    let groups = "SELECT group_id FROM team_groups WHERE team_id = $1 LIMIT 1";
    Ok(tx.found(&team.to_be_bytes(), |tx| tx.any(groups, &[&team]).map(Synced))?.0)
}

/// The teams of an organization that follow groups of a provider.
pub fn of_org(tx: &mut Tx, org: i64) -> Result<HashSet<i64>> {
    Ok(tx.all::<(i64,)>(OF_ORG, &[&org])?.into_iter().map(|(team,)| team).collect())
}

const OF_ORG: &str = "
    SELECT t.id FROM teams t
    WHERE t.org_id = $1 AND EXISTS (SELECT 1 FROM team_groups g WHERE g.team_id = t.id)";

/// Caches the same for a team whose row was looked up together with it.
pub fn know(tx: &mut Tx, team: i64, synced: bool) -> Result<()> {
    tx.found(&team.to_be_bytes(), |_| Ok(Synced(synced))).map(drop)
}

#[derive(PartialEq, Eq)]
struct Synced(bool);

impl Cacheable for Synced {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// The error for a manual change of the members of such a team.
#[must_use]
pub fn refusal() -> Error {
    let text = "The members of this team are managed by the organization's identity provider. Change its groups there, \
                or have an owner unlink the team.";
    Error::Forbidden(text.into())
}

/// The same error for the older operations, which know no groups.
#[must_use]
pub fn absent() -> Error {
    Error::NotFound
}

/// Refuses a manual change of the members of a team that follows groups.
pub fn refuse_manual_change(tx: &mut Tx, team: i64) -> Result<()> {
    if is_synced(tx, team)? { Err(refusal()) } else { Ok(()) }
}

/// True if the organization's plan includes synchronization.
pub fn is_offered(tx: &mut Tx, org: i64) -> Result<bool> {
    tx.any("SELECT id FROM orgs WHERE id = $1 AND plan = 'enterprise'", &[&org])
}
