//! Deleting a project and its grants. Its number is not reused.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::project::Project;
use crate::error::Result;
use crate::journal::{Change, Event};
use crate::operation::{Cx, Done};
use crate::policy::Granted;

/// Delete a project. Teams and people lose their access to it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a project.
pub fn delete(cx: &mut Cx, project: Granted<Project>, _: Delete) -> Result<Done> {
    cx.tx.run("DELETE FROM projects WHERE id = $1", &[&project.id])?;
    cx.record(
        project.org_id,
        Change::new("project.delete", &json!(project.facts()), &json!(null))
            .with_event(&Event::ProjectDeleted { project: project.facts() }),
    )?;
    Ok(Done)
}
