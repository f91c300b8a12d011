//! The name of a person.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::{Room, page, see};
use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

const AT: &str = "";

/// The fields of the caller that the page shows.
#[derive(Deserialize)]
struct Own {
    name: Option<String>,
}

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else {
        let own: Own = guest.call("users.getAuthenticated", &[], body([])).await?;
        return show(guest, own.name.as_deref().unwrap_or_default(), None);
    };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    let name = form.get("name");
    match guest.call::<Value>("users.updateAuthenticated", &[], body([("name", name.into())])).await {
        Ok(_) => Ok(see(guest, AT, "saved")),
        Err(error) => show(guest, name, Some(Problem::of(error)?)),
    }
}

fn show(guest: &Guest<'_>, name: &str, problem: Option<Problem>) -> Result<Shown> {
    let room = Room::new(guest, AT, problem)?;
    Shown::of(room.status(), &Profile { frame: guest.frame()?, room, name })
}

#[derive(Template)]
#[template(path = "settings/profile.html")]
struct Profile<'a> {
    frame: Frame,
    room: Room,
    name: &'a str,
}
