//! The page that asks before a team is deleted.

use askama::Template;
use serde_json::Value;

use super::room::{Head, QUESTION, Room};
use crate::error::{Error, Result};
use crate::pages::guest::body;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::teams::rooms::deletion::TeamDeletion;

/// The sentence for a form that was about an earlier team of this name.
const OTHER: &str = "This is not the team that you were asked about. Read what goes now.";

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    if !room.edits || !room.guest.may("teams.deleteInOrg", &room.at()).await? {
        return Err(Error::NotFound);
    }
    let mut problem = Problem::default();
    if let Some(form) = &room.guest.visit.form {
        if form.get("team") != room.team.id.to_string() {
            return show(room, &Problem::at("", OTHER)).await;
        }
        match room.call::<Value>("teams.deleteInOrg", body([])).await {
            Ok(_) => return Ok(room.guest.see(&format!("/orgs/{}", room.team.org), "deleted")),
            Err(Error::Forbidden(text)) => problem = Problem::forbidden("", &text),
            Err(error) => return Err(error),
        }
    }
    show(room, &problem).await
}

async fn show(room: &Room<'_>, problem: &Problem) -> Result<Shown> {
    let goes: TeamDeletion = room.call("rooms.deletion", body([])).await?;
    let (frame, head) = (room.guest.frame()?, Head::new(room, QUESTION, problem, &[]));
    Shown::of(problem.status(), &Delete { frame, head, goes })
}

#[derive(Template)]
#[template(path = "team/delete.html")]
struct Delete<'a> {
    frame: Frame,
    head: Head<'a>,
    goes: TeamDeletion,
}

impl Delete<'_> {
    /// The team and the teams that go with it.
    fn what(&self) -> String {
        let name = &self.head.room.team.name;
        match self.goes.below {
            0 => name.clone(),
            1 => format!("{name} and its child team"),
            below => format!("{name} and its {below} child teams"),
        }
    }

    /// The number of teams that are not named.
    fn more(&self) -> i64 {
        self.goes.below.saturating_sub_unsigned(self.goes.teams.len().try_into().unwrap_or(0))
    }
}
