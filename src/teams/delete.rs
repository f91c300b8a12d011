//! Deleting a team with all that is below it.
//!
//! Keeps behaviour rule 4 and decisions 14, 28 and 45: the deepest go first, each with one event that holds its
//! people and repositories as they were, listed before the cascade takes them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::team::{Brief, Team};
use super::tree;
use crate::derived::Change;
use crate::derived::brief_columns;
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::operation::{Cx, Done};
use crate::orgs::changes;
use crate::people::user::User;
use crate::policy::{Granted, OWNER};

/// Delete a team. When an owner deletes it, all teams below it are deleted too.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a team.
pub fn delete(cx: &mut Cx, team: Granted<Team>, _: Delete) -> Result<Done> {
    let (id, org) = (team.brief.id, team.brief.org_id);
    if !team.allows(&OWNER) && tree::has_children(cx.tx, id)? {
        return Err(Error::Forbidden("You must be an organization owner to delete a team with child teams.".into()));
    }
    let doomed: Vec<Brief> = cx.tx.all(BELOW, &[&id])?;
    doomed.iter().try_for_each(|team| delete_one(cx, team))?;
    let gone: Vec<Change> = doomed.iter().map(|team| Change::TeamGone { team: team.id }).collect();
    changes::log(cx.tx, org, &gone)?;
    Ok(Done)
}

const BELOW: &str = concat!(
    "SELECT ",
    brief_columns!(),
    " FROM team_tree x JOIN teams t ON t.id = x.descendant_id WHERE x.ancestor_id = $1 ORDER BY x.depth DESC, t.id"
);

fn delete_one(cx: &mut Cx, team: &Brief) -> Result<()> {
    let people: Vec<User> = cx.tx.all(PEOPLE, &[&team.id])?;
    let repositories: Vec<(i64,)> = cx.tx.all(REPOSITORIES, &[&team.id])?;
    cx.tx.run("DELETE FROM teams WHERE id = $1", &[&team.id])?;
    let event = Event::TeamDeleted {
        team: team.facts(),
        members: people.iter().map(User::facts).collect(),
        repositories: repositories.into_iter().map(|(id,)| id).collect(),
    };
    events::emit(cx, team.org_id, &event)?;
    events::record(cx, team.org_id, "team.destroy", &json!(event), &json!(null))
}

const PEOPLE: &str = "
    SELECT u.id, u.login, u.site_admin, u.suspended
    FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 ORDER BY m.user_id";

const REPOSITORIES: &str = "SELECT repo_id FROM team_repos WHERE team_id = $1 ORDER BY repo_id";
