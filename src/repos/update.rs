//! Updating a repository: its name, its visibility, and its settings.
//!
//! Implements decisions 7 (null), 30 and 33 (a former name redirects to the repository until another repository has
//! it).

use schemars::JsonSchema;
use serde::Deserialize;

use super::attributes::{Visibility, is_private, valid_branch, valid_description, valid_homepage};
use super::record::{self, Repository};
use super::repo::Repo;
use super::settings::Given;
use super::{counted, naming, taken};
use crate::error::Result;
use crate::journal::{Change, Event, RepoChange};
use crate::operation::{Cx, Patch, Record};
use crate::policy::Granted;

/// Update a repository. Omitted fields stay unchanged.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Update {
    /// New name. The former name redirects to the repository until another repository takes it.
    #[schemars(length(min = 1, max = naming::NAME_MAX))]
    pub name: Option<String>,
    /// Description of the repository; null clears it.
    #[serde(default)]
    #[schemars(length(max = super::attributes::DESCRIPTION_MAX))]
    pub description: Patch<String>,
    /// URL of its website.
    #[schemars(length(max = super::attributes::LINE_MAX))]
    pub homepage: Option<String>,
    /// True if only people with access can read it.
    pub private: Option<bool>,
    /// Visibility of the repository, as an alternative to `private`.
    pub visibility: Option<Visibility>,
    /// True if it is archived and read-only.
    pub archived: Option<bool>,
    /// True if issues are enabled.
    pub has_issues: Option<bool>,
    /// True if projects are enabled.
    pub has_projects: Option<bool>,
    /// True if the wiki is enabled.
    pub has_wiki: Option<bool>,
    /// True if it is a template for new repositories.
    pub is_template: Option<bool>,
    /// Name of the default branch.
    #[schemars(length(min = 1, max = super::attributes::LINE_MAX))]
    pub default_branch: Option<String>,
    /// Other settings.
    #[serde(flatten)]
    pub settings: Given,
}

/// Updates a repository.
pub fn update(cx: &mut Cx, before: Granted<Repo>, p: Update) -> Result<Record<Repository>> {
    Ok(updated(cx, &before, p)?.into())
}

/// The record of a repository after an update of it.
pub(super) fn updated(cx: &mut Cx, before: &Repo, p: Update) -> Result<Repository> {
    let mut after = before.clone();
    if let Some(name) = &p.name {
        naming::valid_name(name)?.clone_into(&mut after.name);
    }
    after.description = valid_description(p.description.or(after.description))?;
    after.homepage = valid_homepage(p.homepage.or(after.homepage))?;
    after.private = is_private(p.private, p.visibility)?.unwrap_or(after.private);
    after.archived = p.archived.unwrap_or(after.archived);
    after.has_issues = p.has_issues.unwrap_or(after.has_issues);
    after.has_projects = p.has_projects.unwrap_or(after.has_projects);
    after.has_wiki = p.has_wiki.unwrap_or(after.has_wiki);
    after.is_template = p.is_template.unwrap_or(after.is_template);
    if let Some(branch) = p.default_branch {
        after.default_branch = valid_branch(branch)?;
    }
    after.settings = after.settings.with(p.settings.checked()?);
    let changes = changes(before, &after);
    if !changes.is_empty() {
        after.updated_at = after.updated_at.max(cx.now()?);
        write(cx, before, &after)?;
        changes.into_iter().try_for_each(|change| record(cx, change, before, &after))?;
    }
    record::full(cx, &after)
}

/// The fields that differ, named as in the API.
fn changes(before: &Repo, after: &Repo) -> Vec<RepoChange> {
    let settings = |repo: &Repo| {
        let switches = (repo.has_issues, repo.has_projects, repo.has_wiki, repo.is_template);
        let others = repo.settings.clone();
        (repo.description.clone(), repo.homepage.clone(), repo.default_branch.clone(), switches, others)
    };
    let mut changes = Vec::new();
    if settings(before) != settings(after) {
        changes.push(RepoChange::Edited);
    }
    if before.name != after.name {
        changes.push(RepoChange::Renamed);
    }
    if before.private != after.private {
        changes.push(if after.private { RepoChange::Privatized } else { RepoChange::Publicized });
    }
    if before.archived != after.archived {
        changes.push(if after.archived { RepoChange::Archived } else { RepoChange::Unarchived });
    }
    changes
}

fn write(cx: &mut Cx, before: &Repo, after: &Repo) -> Result<()> {
    if naming::name_key(&before.name) != naming::name_key(&after.name) {
        taken::refuse(cx, after.owner, &after.name)?;
        naming::take(cx.tx, after.owner, &after.name)?;
        naming::leave(cx.tx, after.owner, &before.name, after.id)?;
    }
    if before.private != after.private {
        counted::remove(cx.tx, after.owner, before.private)?;
        counted::add(cx.tx, after.owner, after.private)?;
    }
    cx.tx.run(
        UPDATE,
        &[
            &after.id,
            &after.name,
            &naming::name_key(&after.name),
            &after.description,
            &after.homepage,
            &after.private,
            &after.archived,
            &after.has_issues,
            &after.has_projects,
            &after.has_wiki,
            &after.is_template,
            &after.default_branch,
            &after.settings.stored(),
            &after.updated_at.0,
        ],
    )?;
    Ok(())
}

const UPDATE: &str = "
    UPDATE repos
    SET name = $2, name_key = $3, description = $4, homepage = $5, private = $6, archived = $7, has_issues = $8,
        has_projects = $9, has_wiki = $10, is_template = $11, default_branch = $12, settings = $13,
        updated_at = CASE WHEN updated_at > $14 THEN updated_at ELSE $14 END
    WHERE id = $1";

fn record(cx: &mut Cx, change: RepoChange, before: &Repo, after: &Repo) -> Result<()> {
    let (was, is) = (before.facts(), after.facts());
    let action = match change {
        RepoChange::Edited => "repo.update",
        RepoChange::Renamed => "repo.rename",
        RepoChange::Privatized | RepoChange::Publicized => "repo.access",
        RepoChange::Archived => "repo.archived",
        RepoChange::Unarchived => "repo.unarchived",
    };
    let recorded = Change::new(action, &was, &is);
    super::note(cx, after.owner, recorded, &Event::RepositoryChanged { change, repository: is, before: was })
}
