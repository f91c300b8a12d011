//! Teams: created and nested (decisions 9, 11 and 50).

use std::collections::HashMap;

use super::super::desired;
use super::super::report::Kind;
use super::super::team_settings::TeamSettings;
use super::{Job, former_names};
use crate::db::{Bind, Bulk};
use crate::error::{Error, Result};
use crate::rows::{Privacy, ReviewDelegation};
use crate::teams::{naming, reviews, slug, team, tree, update};

/// Creates teams. Returns their identifiers, in the order of the file.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<Vec<i64>> {
    let mut ids: Vec<Option<i64>> = vec![None; job.file.teams.len()];
    create(job, &nested(&job.file.teams), &mut ids)?;
    let ids: Option<Vec<i64>> = ids.into_iter().collect();
    let ids = ids.ok_or_else(|| Error::Bug("a team of the file was not created".into()))?;
    for (team, id) in job.file.teams.iter().zip(&ids) {
        tree::plant(job.cx.tx, *id, team.parent.map(|parent| ids[parent]))?;
    }
    former_names::put(job, &ids)?;
    Ok(ids)
}

/// True for each team that has a parent or children in the file.
fn nested(teams: &[desired::Team]) -> Vec<bool> {
    let mut nested = vec![false; teams.len()];
    for (index, team) in teams.iter().enumerate() {
        if let Some(parent) = team.parent {
            nested[index] = true;
            nested[parent] = true;
        }
    }
    nested
}

struct New<'f> {
    index: usize,
    team: &'f desired::Team,
    parent: Option<i64>,
    name_key: String,
    slug: String,
    privacy: &'static str,
}

/// Level by level, because a parent must exist before its children. What [`insert`] skips is tried again.
fn create(job: &mut Job<'_, '_>, nested: &[bool], ids: &mut [Option<i64>]) -> Result<()> {
    loop {
        let mut level = Vec::new();
        for (index, team) in job.file.teams.iter().enumerate().filter(|(index, _)| ids[*index].is_none()) {
            let parent = team.parent.map(|parent| ids[parent]);
            if parent != Some(None) {
                let secret = !nested[index] && team.privacy != Some(Privacy::Closed);
                level.push(New {
                    index,
                    team,
                    parent: parent.flatten(),
                    name_key: slug::name_key(&team.name),
                    slug: slug::from_name(&team.name).unwrap_or_else(|| placeholder(index)),
                    privacy: privacy(secret),
                });
            }
        }
        if level.is_empty() {
            return Ok(());
        }
        insert(job, &level, ids)?;
    }
}

/// A temporary slug until the identifier is known; no slug from a name contains two dashes in a row.
fn placeholder(index: usize) -> String {
    format!("team--{index}")
}

fn insert(job: &mut Job<'_, '_>, level: &[New<'_>], ids: &mut [Option<i64>]) -> Result<()> {
    let now = job.cx.now()?.0;
    let rows: Vec<[&dyn Bind; 9]> = level
        .iter()
        .map(|new| {
            let team = new.team;
            let row: [&dyn Bind; 9] = [
                &job.org,
                &new.parent,
                &team.name,
                &new.name_key,
                &new.slug,
                &team.description,
                &new.privacy,
                &now,
                &now,
            ];
            row
        })
        .collect();
    let created: HashMap<String, i64> = INSERT.all(job.cx.tx, &rows)?.into_iter().collect();
    for new in level {
        let id = created.get(&new.slug).copied();
        let settled = match id {
            Some(id) if new.slug == placeholder(new.index) => naming::settle(job.cx.tx, job.org, id)?,
            _ => true,
        };
        if let Some(id) = id.filter(|_| settled) {
            ids[new.index] = Some(id);
            set(job, new.team, id)?;
            job.report.created(Kind::Team, 1);
        }
    }
    Ok(())
}

static INSERT: Bulk<9> = Bulk::new(
    "INSERT INTO teams (org_id, parent_id, name, name_key, slug, description, privacy, created_at, updated_at)
     VALUES {rows} RETURNING slug, id",
);

/// A new team has the usual settings. This sets those that the file gives.
fn set(job: &mut Job<'_, '_>, wanted: &desired::Team, id: i64) -> Result<()> {
    if wanted.settings != TeamSettings::default() {
        let mut team = team::row(job.cx.tx, id)?;
        wanted.settings.give(&mut team);
        update::write(&mut job.cx, &team)?;
    }
    match wanted.reviews {
        Some(wanted) if wanted != ReviewDelegation::default() => reviews::put(job.cx.tx, id, &wanted, job.cx.now()?),
        _ => Ok(()),
    }
}

fn privacy(secret: bool) -> &'static str {
    if secret { "secret" } else { "closed" }
}
