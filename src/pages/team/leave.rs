//! The page that asks before a person leaves a team.

use askama::Template;

use super::room::{Head, QUESTION, Room};
use crate::error::{Error, Result};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    if room.guest.has_form() && room.team.role.is_none() {
        // The form was sent a second time.
        return Ok(room.see("", "left"));
    }
    if !room.leaves {
        if room.guest.has_form() {
            return Err(Error::Forbidden("Only maintainers of the team and owners can take you off it.".into()));
        }
        return Err(Error::NotFound);
    }
    if room.guest.has_form() {
        room.remove(room.me()).await?;
        // A team that its members alone see is not there any more for the person who left it.
        let to = if room.team.secret { format!("/orgs/{}", room.team.org) } else { room.path("") };
        return Ok(room.guest.see(&to, "left"));
    }
    let none = Problem::default();
    let head = Head::new(room, QUESTION, &none, &[]);
    Shown::of(200, &Leave { frame: room.guest.frame()?, head })
}

#[derive(Template)]
#[template(path = "team/leave.html")]
struct Leave<'a> {
    frame: Frame,
    head: Head<'a>,
}
