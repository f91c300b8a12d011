//! Parents and children: which teams may be nested, and the table of ancestors (decisions 11 and 12).

use super::team::Team;
use super::visible::sees;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::members::synced;
use crate::operation::Cx;
use crate::policy::{Granted, OWNER};

/// Inserts a new team into the table of ancestors, below its parent if it has one.
pub fn plant(tx: &mut Tx, team: i64, parent: Option<i64>) -> Result<()> {
    tx.run("INSERT INTO team_tree (ancestor_id, descendant_id, depth) VALUES ($1, $1, 0)", &[&team])?;
    attach(tx, team, parent)
}

/// Moves a team and everything below it to another parent, or to the top.
pub fn transplant(tx: &mut Tx, team: i64, parent: Option<i64>) -> Result<()> {
    tx.run(DETACH, &[&team])?;
    attach(tx, team, parent)
}

const DETACH: &str = "
    DELETE FROM team_tree
    WHERE descendant_id IN (SELECT descendant_id FROM team_tree WHERE ancestor_id = $1)
      AND ancestor_id IN (SELECT ancestor_id FROM team_tree WHERE descendant_id = $1 AND ancestor_id <> $1)";

fn attach(tx: &mut Tx, team: i64, parent: Option<i64>) -> Result<()> {
    if let Some(parent) = parent {
        tx.run(ATTACH, &[&parent, &team])?;
    }
    Ok(())
}

const ATTACH: &str = "
    INSERT INTO team_tree (ancestor_id, descendant_id, depth)
    SELECT above.ancestor_id, below.descendant_id, above.depth + below.depth + 1
    FROM team_tree above CROSS JOIN team_tree below
    WHERE above.descendant_id = $1 AND below.ancestor_id = $2";

/// True if a team is the other team or one of its ancestors.
pub fn is_at_or_above(tx: &mut Tx, above: i64, below: i64) -> Result<bool> {
    tx.any("SELECT depth FROM team_tree WHERE ancestor_id = $1 AND descendant_id = $2", &[&above, &below])
}

/// True if a team has children.
pub fn has_children(tx: &mut Tx, team: i64) -> Result<bool> {
    tx.any("SELECT id FROM teams WHERE parent_id = $1 LIMIT 1", &[&team])
}

/// Refuses a parent whose members are synced from groups of an identity provider (decision 48).
fn refuse_synced(cx: &mut Cx, parent: i64) -> Result<()> {
    if !synced::is_synced(cx.tx, parent)? {
        return Ok(());
    }
    let text = "A team that is synchronized with an identity provider cannot have child teams";
    Err(Error::data("Team", text).at("parent_team_id"))
}

/// Refuses a parent for a new team if it is secret, if the caller does not see it, or if the caller is not an owner and
/// does not maintain it.
pub fn may_adopt(cx: &mut Cx, org: i64, parent: i64, owner: bool) -> Result<()> {
    let parent = visible(cx, org, parent, owner)?;
    allow(owner || maintained(&parent))?;
    refuse_synced(cx, parent.id)?;
    refuse_secret_nesting(parent.is_secret(), "parent_team_id")
}

/// Refuses to move a team to another parent or to the top. The same rules apply; a caller who is not an owner must also
/// maintain the current parent, and a team cannot be moved below itself.
pub fn may_move(cx: &mut Cx, team: &Granted<Team>, to: Option<i64>) -> Result<()> {
    let owner = team.allows(&OWNER);
    let to = match to {
        Some(parent) => Some(visible(cx, team.org_id, parent, owner)?),
        None => None,
    };
    let from = match team.parent_id {
        Some(parent) => Team::by_id(cx, cx.my_id(), parent)?,
        None => None,
    };
    allow(owner || to.iter().chain(&from).all(maintained))?;
    let Some(to) = to else { return Ok(()) };
    refuse_synced(cx, to.id)?;
    if is_at_or_above(cx.tx, team.id, to.id)? {
        let text = "A team cannot be nested under itself or one of its child teams";
        return Err(Error::data("Team", text).at("parent_team_id"));
    }
    refuse_secret_nesting(to.is_secret(), "parent_team_id")
}

/// Refuses a secret team that would have a parent or children (privacy rule 1), because of this parameter.
pub fn refuse_secret_nesting(secret: bool, parameter: &'static str) -> Result<()> {
    if secret { Err(Error::data("Team", "Secret teams cannot be nested").at(parameter)) } else { Ok(()) }
}

fn visible(cx: &mut Cx, org: i64, parent: i64, owner: bool) -> Result<Team> {
    Team::by_id(cx, cx.my_id(), parent)?
        .filter(|team| team.org_id == org)
        .filter(|team| owner || sees(team.is_secret(), team.org_role, team.team_role.is_some()))
        .ok_or_else(|| {
            let text = "Parent team is not a visible team of this organization";
            Error::data("Team", text).at("parent_team_id")
        })
}

fn maintained(team: &Team) -> bool {
    team.team_role == Some("maintainer")
}

fn allow(allowed: bool) -> Result<()> {
    let text =
        "You must be an organization owner, or a maintainer of the old and the new parent team, to change a parent.";
    if allowed { Ok(()) } else { Err(Error::Forbidden(text.into())) }
}
