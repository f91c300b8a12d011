//! Deleting a team with all that is below it.
//!
//! Keeps behaviour rule 4 and decisions 14, 28 and 45: the deepest go first, each with one event that holds its
//! people and repositories as they were, listed before the cascade takes them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::team::Team;
use super::tree;
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::members::seats;
use crate::operation::{Cx, Done};
use crate::people::user::User;
use crate::policy::{Granted, OWNER};
use crate::rows::{Fold, TeamRow, team_columns};

/// Delete a team. When an owner deletes a team, all its child teams are deleted too.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a team.
pub fn delete(cx: &mut Cx, team: Granted<Team>, _: Delete) -> Result<Done> {
    let id = team.id;
    if !team.allows(&OWNER) && tree::has_children(cx.tx, id)? {
        return Err(Error::Forbidden("You must be an organization owner to delete a team with child teams.".into()));
    }
    let doomed: Vec<TeamRow> = cx.tx.all(BELOW, &[&id])?;
    doomed.iter().try_for_each(|team| delete_one(cx, team))?;
    Ok(Done)
}

const BELOW: &str = concat!(
    "SELECT ",
    team_columns!(),
    " FROM team_tree x JOIN teams t ON t.id = x.descendant_id WHERE x.ancestor_id = $1 ORDER BY x.depth DESC, t.id"
);

fn delete_one(cx: &mut Cx, team: &TeamRow) -> Result<()> {
    let repositories: Vec<(i64,)> = cx.tx.all(REPOSITORIES, &[&team.id])?;
    let people = seats::remove_all_in(cx.tx, team.id)?;
    cx.tx.run("DELETE FROM teams WHERE id = $1", &[&team.id])?;
    let gone = Fold::TeamGone { team: team.id };
    let event = Event::TeamDeleted {
        team: team.facts(),
        members: people.iter().map(User::facts).collect(),
        repositories: repositories.into_iter().map(|(id,)| id).collect(),
    };
    cx.record(team.org_id, Change::new("team.destroy", &event, &json!(null)).telling(&event).folded(&gone))
}

const REPOSITORIES: &str = "SELECT repo_id FROM team_repos WHERE team_id = $1 ORDER BY repo_id";
