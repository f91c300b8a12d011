//! Deleting a project, with its grants. Its number is not used again.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::project::Project;
use crate::error::Result;
use crate::events::{self, Event};
use crate::operation::{Cx, Done};
use crate::policy::Granted;

/// Delete a project. Teams and people lose what they had on it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a project.
pub fn delete(cx: &mut Cx, project: Granted<Project>, _: Delete) -> Result<Done> {
    cx.tx.run("DELETE FROM projects WHERE id = $1", &[&project.id])?;
    events::emit(cx, project.org_id, &Event::ProjectDeleted { project: project.facts() })?;
    events::record(cx, project.org_id, "project.delete", &json!(project.facts()), &json!(null))?;
    Ok(Done)
}
