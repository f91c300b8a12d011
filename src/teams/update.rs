//! Updating a team: the wanted state is computed and checked first, then written in one step.
//!
//! Implements privacy rule 3 and decisions 7 to 12, 15 and 16. What counts is the state after the whole request.

use schemars::JsonSchema;
use serde::Deserialize;

use super::attributes::{DESCRIPTION_MAX, valid_description, valid_name};
use super::record::{self, TeamWritten};
use super::team::Team;
use super::{naming, slug, tree};
use crate::error::Result;
use crate::journal::{Change, Event};
use crate::members::join_requests;
use crate::name::NAME_MAX;
use crate::operation::{Cx, Patch, Record};
use crate::policy::{Granted, OWNER};
use crate::rows::{NotificationSetting, Permission, Privacy, TeamRow};

/// Update a team. Omitted fields stay unchanged.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Name of the team. A new name gives the team a new slug.
    #[schemars(required, length(min = 1, max = NAME_MAX), extend("x-function-validates" = true))]
    pub name: Option<String>,
    /// Description of the team; null clears it.
    #[serde(default)]
    #[schemars(length(max = DESCRIPTION_MAX))]
    pub description: Patch<String>,
    /// Visibility of the team. A team with a parent or child teams cannot be secret.
    pub privacy: Option<Privacy>,
    /// Enables or disables the notifications of posts.
    pub notification_setting: Option<NotificationSetting>,
    /// Permission on repositories that are added later without a permission.
    pub permission: Option<Permission>,
    /// ID of the parent team; null removes the parent.
    #[serde(default)]
    pub parent_team_id: Patch<i64>,
}

/// Changes the fields that differ; if none does, nothing happens.
pub fn update(cx: &mut Cx, team: Granted<Team>, p: Update) -> Result<Record<TeamWritten>> {
    let wanted = wanted(cx, &team, p)?;
    let now: &TeamRow = &team;
    if wanted != *now {
        apply(cx, now, &wanted)?;
    }
    Ok(record::written(cx, team.id)?.into())
}

/// The team as the request wants it, or a refusal.
fn wanted(cx: &mut Cx, team: &Granted<Team>, p: Update) -> Result<TeamRow> {
    let now = TeamRow::clone(team);
    let parent = p.parent_team_id.or(now.parent_id);
    if parent != now.parent_id {
        tree::may_move(cx, team, parent)?;
    }
    let new_name = new_name(p.name, &now.name)?;
    let description = p.description.or(now.description);
    valid_description(description.as_deref())?;
    let privacy = p.privacy.map_or(now.privacy, |new| new.word());
    let nested = parent.is_some() || tree::has_children(cx.tx, now.id)?;
    tree::refuse_secret_nesting(nested && privacy == Privacy::Secret.word(), "privacy")?;
    Ok(TeamRow {
        slug: if new_name == now.name { now.slug } else { slug_for(cx, team, &new_name)? },
        name: new_name,
        description,
        privacy,
        notification_setting: p.notification_setting.map_or(now.notification_setting, |new| new.word()),
        permission: p.permission.map_or(now.permission, |new| new.word()),
        parent_id: parent,
        ..now
    })
}

/// The current name of a team is accepted, under whatever rule the team got it, because an update must repeat it.
fn new_name(sent: Option<String>, name: &str) -> Result<String> {
    match sent {
        Some(sent) if sent.trim() != name => Ok(valid_name(&sent)?.to_owned()),
        _ => Ok(name.to_owned()),
    }
}

/// If neither the current nor the new name has a slug, the team keeps the slug that it has.
fn slug_for(cx: &mut Cx, team: &Granted<Team>, name: &str) -> Result<String> {
    let slug = match slug::from_name(name) {
        Some(slug) => slug,
        None if slug::from_name(&team.name).is_none() => return Ok(team.slug.clone()),
        None => naming::numbered(team.id),
    };
    naming::choose(cx, team.org_id, Some(team.id), team.allows(&OWNER), slug)
}

fn apply(cx: &mut Cx, before: &TeamRow, after: &TeamRow) -> Result<()> {
    let (org, id) = (before.org_id, before.id);
    if after.slug != before.slug {
        naming::leave(cx.tx, org, id, &before.slug, cx.now()?.0)?;
    }
    write(cx, after)?;
    if after.is_secret() && !before.is_secret() {
        join_requests::end_open(cx.tx, id)?;
    }
    if after.parent_id != before.parent_id {
        tree::transplant(cx.tx, id, after.parent_id)?;
    }
    let edited = Event::TeamEdited { team: after.facts(), before: before.facts() };
    let change = Change::default().folded(&after.change()).with_event(&edited);
    let (was, is) = (before.facts(), after.facts());
    let mut actions = actions(before, after);
    let first = actions.next().into_iter().fold(change, |change, action| change.showing(action, &was, &is));
    cx.record(org, first)?;
    actions.try_for_each(|action| cx.record(org, Change::new(action, &was, &is)))
}

/// Writes the columns of a team that requests and files change.
pub fn write(cx: &mut Cx, team: &TeamRow) -> Result<()> {
    let now = cx.now()?.0;
    cx.tx.run(
        UPDATE,
        &[
            &team.id,
            &team.name,
            &slug::name_key(&team.name),
            &team.slug,
            &team.description,
            &team.privacy,
            &team.permission,
            &team.notification_setting,
            &team.parent_id,
            &now,
        ],
    )?;
    Ok(())
}

const UPDATE: &str = "
    UPDATE teams
    SET name = $2, name_key = $3, slug = $4, description = $5, privacy = $6, permission = $7,
        notification_setting = $8, parent_id = $9, updated_at = CASE WHEN updated_at > $10 THEN updated_at ELSE $10 END
    WHERE id = $1";

/// The names of the changes in the audit log. A change of what has no name of its own is an update.
fn actions(before: &TeamRow, after: &TeamRow) -> impl Iterator<Item = &'static str> {
    let (name, slug) = (after.name.clone(), after.slug.clone());
    let named = TeamRow { name, slug, privacy: after.privacy, parent_id: after.parent_id, ..before.clone() };
    let changed = [
        (before.name != after.name, "team.rename"),
        (before.privacy != after.privacy, "team.change_privacy"),
        (before.parent_id != after.parent_id, "team.change_parent_team"),
        (named != *after, "team.update"),
    ];
    changed.into_iter().filter_map(|(differs, action)| differs.then_some(action))
}
