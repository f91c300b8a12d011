//! Changing a project: what it shall be is found and checked first, then made so in one step.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::create::{BODY_MAX, NAME_MAX, valid_body, valid_name};
use super::level::OrganizationLevel;
use super::project::Project;
use super::record::ProjectRecord;
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::operation::{Cx, Patch, Record};
use crate::policy::{ADMINS_PROJECT, Granted};

/// Whether a project goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It does.
    Open,
    /// It has ended.
    Closed,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// Update a project. What is left out stays as it is.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The name of the project.
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub name: Option<String>,
    /// What the project is for; null clears it.
    #[serde(default)]
    #[schemars(length(max = BODY_MAX))]
    pub body: Patch<String>,
    /// Whether it goes on.
    pub state: Option<State>,
    /// What every member of the organization may do; only those who administer the project change it.
    pub organization_permission: Option<OrganizationLevel>,
    /// Whether only people who were let in read it; only those who administer the project change it.
    pub private: Option<bool>,
}

/// Changes what differs; nothing happens if nothing does.
pub fn update(cx: &mut Cx, project: Granted<Project>, p: Update) -> Result<Record<ProjectRecord>> {
    let mut after = changed(&project, p)?;
    let opens = |project: &Project| (project.organization_level, project.private);
    if opens(&after) != opens(&project) && !project.allows(&ADMINS_PROJECT) {
        return Err(Error::Forbidden("You must administer the project to change who can read or change it.".into()));
    }
    if after != *project {
        after.updated_at = *cx.now;
        save(cx, &after)?;
        announce(cx, &project, &after)?;
    }
    Ok(ProjectRecord::new(cx.links, &after).into())
}

fn changed(project: &Project, p: Update) -> Result<Project> {
    let mut after = project.clone();
    if let Some(name) = p.name {
        valid_name(&name)?.clone_into(&mut after.name);
    }
    after.body = p.body.or(after.body);
    valid_body(after.body.as_deref())?;
    if let Some(state) = p.state {
        state.as_str().clone_into(&mut after.state);
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
    SET name = $2, body = $3, state = $4, organization_level = $5, private = $6, updated_at = $7
    WHERE id = $1";

/// A project that ends or goes on again is told of by itself, as clients know it.
fn announce(cx: &mut Cx, before: &Project, after: &Project) -> Result<()> {
    let org = after.org_id;
    if before.state != after.state {
        let project = after.facts();
        let event =
            if after.state == "closed" { Event::ProjectClosed { project } } else { Event::ProjectReopened { project } };
        events::emit(cx, org, &event)?;
    }
    let rest =
        |project: &Project| (project.name.clone(), project.body.clone(), project.organization_level, project.private);
    if rest(before) != rest(after) {
        events::emit(cx, org, &Event::ProjectEdited { project: after.facts(), before: before.facts() })?;
    }
    events::record(cx, org, "project.update", &json!(before.facts()), &json!(after.facts()))
}
