//! The security managers of an organization among its teams: those with the role `security_manager`, which read all its
//! repositories (section 8 of `SPEC.md`, "Roles of organizations").
//!
//! The operations here are the older ones. `org_roles` has those that name the role.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::list;
use super::record::TeamShort;
use super::team::Team;
use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::journal::Change;
use crate::members::security_managers::SECURITY_MANAGER;
use crate::operation::{Caller, Cx, Done, List, Path, Subject};
use crate::orgs::org::Org;
use crate::policy::{Granted, Standing};
use crate::rows::{Fold, TeamRow};

/// List the teams that are security managers of an organization, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {}

/// Lists the teams to which the role was given. The teams below them are not listed.
pub fn list(cx: &mut Cx, org: Granted<Org>, _: OfOrg) -> Result<List<TeamShort>> {
    let total: i64 = cx.tx.one("SELECT count(*) FROM security_managers WHERE org_id = $1", &[&org.id])?;
    let (limit, offset) = cx.page.sql();
    let ids: Vec<i64> = cx.tx.all(PAGE, &[&org.id, &limit, &offset])?;
    list::page_of(cx, (org.id, org.version), &org.login, (ids, u64::try_from(total).unwrap_or(0)))
}

const PAGE: &str = "SELECT team_id FROM security_managers WHERE org_id = $1 ORDER BY team_id LIMIT $2 OFFSET $3";

/// A team that a path names with `team_slug` somewhere below the organization.
#[derive(Debug)]
pub struct TeamOfOrg(Team);

impl Deref for TeamOfOrg {
    type Target = TeamRow;

    fn deref(&self) -> &TeamRow {
        &self.0
    }
}

impl Subject for TeamOfOrg {
    const FORMS: &'static [&'static str] = Org::FORMS;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        Team::find(cx, path).map(|(team, standing)| (Self(team), standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Team::locks(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        self.0.organizations()
    }

    fn canonical(&self) -> String {
        self.0.canonical()
    }
}

/// Make a team a security manager of its organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Add {}

/// Gives a team the role. Does nothing if it has it.
pub fn add(cx: &mut Cx, team: Granted<TeamOfOrg>, _: Add) -> Result<Done> {
    appoint(cx, &team)
}

/// Remove a team from the security managers of its organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {}

/// Takes the role from a team. Does nothing if it does not have it.
pub fn remove(cx: &mut Cx, team: Granted<TeamOfOrg>, _: Remove) -> Result<Done> {
    dismiss(cx, &team)
}

/// True if the role was given to a team itself.
pub fn is_one(tx: &mut Tx, team: i64) -> Result<bool> {
    tx.any("SELECT team_id FROM security_managers WHERE team_id = $1", &[&team])
}

/// Gives a team the role.
pub fn appoint(cx: &mut Cx, team: &TeamRow) -> Result<Done> {
    if !is_one(cx.tx, team.id)? {
        cx.tx.run("INSERT INTO security_managers (org_id, team_id) VALUES ($1, $2)", &[&team.org_id, &team.id])?;
        record(cx, team, "organization_role.assign", &Value::Null, &facts(team))?;
    }
    Ok(Done)
}

/// Takes the role from a team.
pub fn dismiss(cx: &mut Cx, team: &TeamRow) -> Result<Done> {
    if cx.tx.run("DELETE FROM security_managers WHERE team_id = $1", &[&team.id])? > 0 {
        record(cx, team, "organization_role.revoke", &facts(team), &Value::Null)?;
    }
    Ok(Done)
}

fn facts(team: &TeamRow) -> Value {
    json!({ "role": SECURITY_MANAGER.name, "role_id": SECURITY_MANAGER.id, "team": team.id, "team_slug": team.slug })
}

/// The role grants repositories to the team.
fn record(cx: &mut Cx, team: &TeamRow, action: &'static str, before: &Value, after: &Value) -> Result<()> {
    cx.record(team.org_id, Change::new(action, before, after).folded(&Fold::Grants { team: team.id }))
}
