//! The room of a person. The same address with the login of an organization leads to its room.

use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, _login: &str) -> Result<Shown> {
    guest.call::<serde_json::Value>("users.getAuthenticated", &[], serde_json::Map::new()).await?;
    Err(Error::NotFound)
}
