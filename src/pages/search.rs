//! Finding a team, a person or a repository.

use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    guest.call::<serde_json::Value>("users.getAuthenticated", &[], serde_json::Map::new()).await?;
    Err(Error::NotFound)
}
