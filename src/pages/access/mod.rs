//! Who has access to a repository or a project, and why (decision 67).

use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};

/// Answers a visit to the page of a repository.
pub(super) async fn repository(guest: &Guest<'_>, _owner: &str, _repo: &str) -> Result<Shown> {
    guest.call::<serde_json::Value>("users.getAuthenticated", &[], serde_json::Map::new()).await?;
    Err(Error::NotFound)
}

/// Answers a visit to the page of a project.
pub(super) async fn project(guest: &Guest<'_>, _org: &str, _number: &str) -> Result<Shown> {
    guest.call::<serde_json::Value>("users.getAuthenticated", &[], serde_json::Map::new()).await?;
    Err(Error::NotFound)
}
