//! Teams: created, renamed, described, nested (decisions 9, 11 and 50).

use std::collections::{HashMap, HashSet};

use super::super::desired;
use super::super::fault::shown;
use super::super::matching;
use super::super::report::Kind;
use super::super::team_settings::TeamSettings;
use super::{Job, former_names, tree};
use crate::db::{Bind, Bulk};
use crate::error::{Error, Result};
use crate::members::join_requests;
use crate::rows::Privacy;
use crate::rows::TeamRow;
use crate::teams::naming::{self, numbered};
use crate::teams::{slug, team, update};

/// Creates and updates teams. Returns their identifiers, in the order of the file.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<Vec<i64>> {
    let stored = matching::stored(job.cx.tx, job.org)?;
    let pairs = matching::pair(job.file, &stored)?;
    let nested = nested(&job.file.teams);
    let mut ids: Vec<Option<i64>> = pairs.iter().map(|pair| pair.map(|index| stored[index].id)).collect();
    create(job, &nested, &mut ids)?;
    let ids: Option<Vec<i64>> = ids.into_iter().collect();
    let ids = ids.ok_or_else(|| Error::Bug("a team of the file was not created".into()))?;

    let matched: HashSet<usize> = pairs.iter().flatten().copied().collect();
    let beyond = || stored.iter().enumerate().filter(|(index, _)| !matched.contains(index)).map(|(_, team)| team);
    let above_others: HashSet<i64> = beyond().filter_map(|team| team.parent_id).collect();
    for (index, pair) in pairs.iter().enumerate() {
        if let Some(was) = pair.map(|pair| &stored[pair]) {
            let parent = job.file.teams[index].parent.map(|parent| ids[parent]);
            let wish = Wish { parent, nested: nested[index], above_others: above_others.contains(&was.id) };
            update(job, &job.file.teams[index], was, &wish)?;
        }
    }
    tree::nest(job, &pairs, &stored, &ids)?;
    job.report.beyond.extend(beyond().map(|team| format!("team {}", shown(&team.name))));
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
            set(job, &new.team.settings, id)?;
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
fn set(job: &mut Job<'_, '_>, settings: &TeamSettings, id: i64) -> Result<()> {
    if *settings == TeamSettings::default() {
        return Ok(());
    }
    let mut team = team::row(job.cx.tx, id)?;
    settings.give(&mut team);
    update::write(&mut job.cx, &team)
}

/// The new values of a stored team, besides those in its own lines of the file.
struct Wish {
    parent: Option<i64>,
    nested: bool,
    above_others: bool,
}

fn update(job: &mut Job<'_, '_>, team: &desired::Team, was: &TeamRow, wish: &Wish) -> Result<()> {
    let slug = slug::from_name(&team.name);
    let mut is = TeamRow {
        name: team.name.clone(),
        slug: slug.as_ref().unwrap_or(&was.slug).clone(),
        description: team.description.as_ref().or(was.description.as_ref()).cloned(),
        privacy: privacy(secret(job, team, was, wish)),
        parent_id: wish.parent,
        ..was.clone()
    };
    let mut what = Vec::new();
    if team.name != was.name {
        what.push(format!("renamed from {}", shown(&was.name)));
    }
    if is.description != was.description {
        what.push("description".to_owned());
    }
    if is.privacy != was.privacy {
        what.push(format!("privacy {}", is.privacy));
    }
    what.append(&mut team.settings.give(&mut is));
    if wish.parent != was.parent_id {
        what.push("parent".to_owned());
    }
    if what.is_empty() {
        return Ok(());
    }
    update::write(&mut job.cx, &is)?;
    if is.is_secret() && !was.is_secret() {
        join_requests::end_open(job.cx.tx, was.id)?;
    }
    job.report.changed.push(format!("team {}: {}", shown(&team.name), what.join(", ")));
    leave(job, team, was, slug)
}

/// Without a value in the file, privacy stays as it is, unless the team is nested now; a secret team has no children.
fn secret(job: &mut Job<'_, '_>, team: &desired::Team, was: &TeamRow, wish: &Wish) -> bool {
    match team.privacy {
        None => was.is_secret() && !wish.nested,
        Some(Privacy::Closed) => false,
        Some(Privacy::Secret) if wish.above_others => {
            let why = "stays closed, because it has child teams that are not in the file";
            job.report.skipped.push(format!("team {} {why}", shown(&team.name)));
            false
        }
        Some(Privacy::Secret) => true,
    }
}

fn privacy(secret: bool) -> &'static str {
    if secret { "secret" } else { "closed" }
}

/// The previous slug of a renamed team redirects to it (decision 10).
fn leave(job: &mut Job<'_, '_>, team: &desired::Team, was: &TeamRow, slug: Option<String>) -> Result<()> {
    let is = match slug {
        Some(slug) => slug,
        None if slug::from_name(&was.name).is_none() => return Ok(()),
        None => naming::number(job.cx.tx, job.org, was.id)?.ok_or_else(|| {
            let message = format!("the team gets the slug \"{}\", which another team has or had", numbered(was.id));
            Error::from(job.file.fault(team.line, &team.key, format!("{message}; give it a name with letters")))
        })?,
    };
    if is != was.slug {
        naming::leave(job.cx.tx, job.org, was.id, &was.slug, job.cx.now()?.0)?;
    }
    Ok(())
}
