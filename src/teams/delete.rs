//! Deleting a team and everything below it.
//!
//! Implements behavior rule 4 and decisions 14, 28 and 45. The deepest teams are deleted first. Each gets one event
//! with its people and repositories as they were, which are listed before the cascade deletes them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::team::Team;
use super::{security_managers, tree};
use crate::db::select;
use crate::error::{Error, Result};
use crate::journal::{Change, Event, PersonFacts, TeamFacts};
use crate::members::seats;
use crate::operation::{Cx, Done};
use crate::people::user::User;
use crate::policy::{Granted, OWNER};
use crate::repos::facts::granted_to;
use crate::repos::repo::Repo;
use crate::rows::{Fold, TeamRow};

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
    let above = team.parent_id.map(|parent| seats::facts(cx.tx, parent)).transpose()?;
    for team in &doomed {
        let parent = doomed.iter().find(|other| Some(other.id) == team.parent_id).map(TeamRow::facts);
        let above = above.clone().filter(|above| Some(above.id) == team.parent_id);
        delete_one(cx, team, parent.or(above))?;
    }
    Ok(Done)
}

const BELOW: &str = select!(TeamRow from
    "team_tree x JOIN teams t ON t.id = x.descendant_id WHERE x.ancestor_id = $1 ORDER BY x.depth DESC, t.id");

fn delete_one(cx: &mut Cx, team: &TeamRow, parent: Option<TeamFacts>) -> Result<()> {
    let repositories = granted_to(cx.tx, team.id)?;
    security_managers::dismiss(cx, team)?;
    let people = seats::remove_all_in(cx.tx, team.id)?;
    cx.tx.run("DELETE FROM teams WHERE id = $1", &[&team.id])?;
    let gone = Fold::TeamGone { team: team.id };
    let members: Vec<PersonFacts> = people.iter().map(User::facts).collect();
    let before = json!({
        "event": "team_deleted",
        "team": team.facts(),
        "members": members,
        "repositories": repositories.iter().map(|repo| repo.id).collect::<Vec<_>>(),
    });
    let repositories = repositories.iter().map(Repo::facts).collect();
    let event = Event::TeamDeleted { team: team.facts(), parent, members, repositories };
    cx.record(team.org_id, Change::new("team.destroy", &before, &json!(null)).with_event(&event).folded(&gone))
}
