//! The topics of a repository at a path of their own, which clients use to set them (decision 52).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::repo::Repo;
use super::settings::Given;
use super::update::{self, Update};
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The topics of a repository.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "topic")]
pub struct Topics {
    /// The topics.
    pub names: Vec<String>,
}

/// Get the topics of a repository.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the topics.
pub fn get(_: &mut Cx, repo: Granted<Repo>, _: Get) -> Result<Record<Topics>> {
    Ok(Topics { names: repo.settings.topics.clone() }.into())
}

/// Replace the topics of a repository.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Replace {
    /// All topics of the repository: at most 20, each up to 50 letters, digits and dashes.
    pub names: Vec<String>,
}

/// Replaces the topics.
pub fn replace(cx: &mut Cx, repo: Granted<Repo>, p: Replace) -> Result<Record<Topics>> {
    let settings = Given { topics: Some(p.names), ..Given::default() };
    let changed = update::updated(cx, &repo, Update { settings, ..Update::default() })?;
    Ok(Topics { names: changed.minimal.state.topics }.into())
}
