//! Updating a project: the wanted state is computed and checked first, then written in one step.

use schemars::JsonSchema;
use serde::Deserialize;

use super::create::{BODY_MAX, valid_body, valid_name};
use super::level::{OrganizationLevel, State};
use super::project::Project;
use super::project::ProjectRecord;
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::name::NAME_MAX;
use crate::operation::{Cx, Patch, Record};
use crate::policy::{ADMINS_PROJECT, Granted};

/// Update a project. Omitted fields stay unchanged.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The name of the project.
    #[schemars(length(min = 1, max = NAME_MAX), extend("x-function-validates" = true))]
    pub name: Option<String>,
    /// Description of the project; null clears it.
    #[serde(default)]
    #[schemars(length(max = BODY_MAX))]
    pub body: Patch<String>,
    /// State of the project.
    pub state: Option<State>,
    /// Permission of every organization member. Only administrators of the project can change it.
    pub organization_permission: Option<OrganizationLevel>,
    /// True if only people with access can read it. Only administrators of the project can change it.
    pub private: Option<bool>,
}

/// Changes the fields that differ; if none does, nothing happens.
pub fn update(cx: &mut Cx, project: Granted<Project>, p: Update) -> Result<Record<ProjectRecord>> {
    let mut after = changed(&project, p)?;
    let opens = |project: &Project| (project.organization_level, project.private);
    if opens(&after) != opens(&project) && !project.allows(&ADMINS_PROJECT) {
        return Err(Error::Forbidden(
            "You must be an administrator of the project to change who can read or edit it.".into(),
        ));
    }
    if after != *project {
        after.updated_at = after.updated_at.max(cx.now()?);
        save(cx, &after)?;
        announce(cx, &project, &after)?;
    }
    Ok(ProjectRecord::new(cx.links, &after).into())
}

fn changed(project: &Project, p: Update) -> Result<Project> {
    let mut after = project.clone();
    // The current name is accepted, under whatever rule the project got it.
    if let Some(name) = p.name.filter(|name| name.trim() != project.name) {
        valid_name(&name)?.clone_into(&mut after.name);
    }
    after.body = p.body.or(after.body);
    valid_body(after.body.as_deref())?;
    if let Some(state) = p.state {
        state.word().clone_into(&mut after.state);
    }
    after.organization_level = p.organization_permission.map_or(after.organization_level, OrganizationLevel::rank);
    after.private = p.private.unwrap_or(after.private);
    Ok(after)
}

fn save(cx: &mut Cx, after: &Project) -> Result<()> {
    let Project { id, name, body, state, organization_level, private, updated_at, .. } = after;
    cx.tx.run(SAVE, &[id, name, body, state, organization_level, private, &updated_at.0])?;
    Ok(())
}

const SAVE: &str = "
    UPDATE projects
    SET name = $2, body = $3, state = $4, organization_level = $5, private = $6,
        updated_at = CASE WHEN updated_at > $7 THEN updated_at ELSE $7 END
    WHERE id = $1";

/// Closing or reopening a project has an event of its own, as clients know it.
fn announce(cx: &mut Cx, before: &Project, after: &Project) -> Result<()> {
    let project = after.facts();
    let ended = match after.state.as_str() {
        state if state == before.state => None,
        "closed" => Some(Event::ProjectClosed { project }),
        _ => Some(Event::ProjectReopened { project }),
    };
    let rest =
        |project: &Project| (project.name.clone(), project.body.clone(), project.organization_level, project.private);
    let edited = Event::ProjectEdited { project: after.facts(), before: before.facts() };
    let change = Change::new("project.update", &before.facts(), &after.facts());
    match ended {
        None => cx.record(after.org_id, change.with_event(&edited)),
        Some(ended) => {
            cx.record(after.org_id, change.with_event(&ended))?;
            if rest(before) == rest(after) { Ok(()) } else { cx.record(after.org_id, Change::of(&edited)) }
        }
    }
}
