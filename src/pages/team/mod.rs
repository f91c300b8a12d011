//! The rooms of a team.

mod add;
mod child_teams;
mod deletion;
mod grants;
mod invited;
mod joining;
mod leave;
mod members;
mod overview;
mod people;
pub(super) mod room;
mod settings;

use super::board;
use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};
use room::Room;

/// Answers a visit to the room at this path below the team.
pub(super) async fn answer(guest: &Guest<'_>, team: [&str; 2], below: &[&str]) -> Result<Shown> {
    if let ["discussions", ref below @ ..] = *below {
        return board::answer(guest, team, below).await;
    }
    if below.len() > 1 {
        return Err(Error::NotFound);
    }
    let room = &Room::enter(guest, team).await?;
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match *below {
        [] => overview::answer(room).await,
        ["members"] => members::answer(room).await,
        ["teams"] => child_teams::answer(room).await,
        ["repositories"] => grants::answer(room, &grants::REPOSITORIES).await,
        ["projects"] => grants::answer(room, &grants::PROJECTS).await,
        ["settings"] => settings::answer(room).await,
        ["delete"] => deletion::answer(room).await,
        ["leave"] => leave::answer(room).await,
        _ => Err(Error::NotFound),
    }
}
