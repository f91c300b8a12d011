//! The e-mails about posts that a person gets.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::{Room, page, see};
use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

const AT: &str = "/notifications";

/// The choices, with what each means.
const CHOICES: [(&str, &str, &str); 3] = [
    ("all", "All posts and comments of my teams", "Each e-mail has a link that stops them."),
    ("mentions", "Only when I am mentioned", "The rest is in your inbox here."),
    ("none", "None", "Codes for signing in and invitations are still sent."),
];

/// The setting of the caller.
#[derive(Deserialize)]
struct Setting {
    posts: String,
}

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, None).await };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    match guest.call::<Value>("users.updateMailSettings", &[], body([("posts", form.get("posts").into())])).await {
        Ok(_) => Ok(see(guest, AT, "saved")),
        Err(error) => show(guest, Some(Problem::of(error)?)).await,
    }
}

async fn show(guest: &Guest<'_>, problem: Option<Problem>) -> Result<Shown> {
    let Setting { posts } = guest.call("users.getMailSettings", &[], body([])).await?;
    let room = Room::new(guest, AT, problem)?;
    Shown::of(room.status(), &Notifications { frame: guest.frame()?, room, posts })
}

#[derive(Template)]
#[template(path = "settings/notifications.html")]
struct Notifications {
    frame: Frame,
    room: Room,
    posts: String,
}
