//! The rooms of a team.

use super::board;
use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};

/// Answers a visit to the room at this path below the team.
pub(super) async fn answer(guest: &Guest<'_>, team: [&str; 2], below: &[&str]) -> Result<Shown> {
    match *below {
        ["discussions", ref below @ ..] => board::answer(guest, team, below).await,
        _ => Err(Error::NotFound),
    }
}
