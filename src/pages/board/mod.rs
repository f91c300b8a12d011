//! The board of a team: its discussions, and their comments.

use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};

/// Answers a visit to the room at this path below the board.
pub(super) async fn answer(guest: &Guest<'_>, _team: [&str; 2], _below: &[&str]) -> Result<Shown> {
    guest.call::<serde_json::Value>("users.getAuthenticated", &[], serde_json::Map::new()).await?;
    Err(Error::NotFound)
}
